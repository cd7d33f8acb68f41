import type { FactorMethod } from '../../../../identity/accounts/factors/second-factor.ts';
import type { Browser } from '../browser.ts';
import { pageHtml, type PageHtml } from './html.ts';
import { layout } from './layout.ts';
import { passkeyForm } from './passkey-form.ts';
import { texts } from './texts/texts.ts';

export interface SecondStepForm {
  readonly browser: Browser;
  readonly token: string;
  /** Shows that the password was right. */
  readonly ticket: string;
  readonly methods: readonly FactorMethod[];
  /** What the browser needs to ask for a passkey, as JSON. */
  readonly passkey?: string | undefined;
  readonly fault?: 'wrong' | 'throttled';
}

/** The second step of a log-in. One field takes codes of the app and recovery codes. */
export function secondStepPage({
  browser,
  token,
  ticket,
  methods,
  passkey,
  fault,
}: SecondStepForm): PageHtml {
  const t = texts[browser.language].secondStep;
  const fields = pageHtml`<input type="hidden" name="ticket" value="${ticket}" />
    ${methods.map((method) => pageHtml`<input type="hidden" name="method" value="${method}" />`)}
    ${passkey && pageHtml`<input type="hidden" name="options" value="${passkey}" />`}`;
  const hasCodes = methods.some((method) => method !== 'passkey');
  const label = methods.includes('totp') ? t.code : t.recoveryCode;
  return layout(
    { ...browser, title: t.title },
    pageHtml`<h1>${t.title}</h1>
      <p class="lead">${methods.includes('totp') ? t.lead : t.leadPasskey}</p>
      ${fault && pageHtml`<p class="fault" role="alert" id="fault">${t[fault]}</p>`}
      ${passkey && passkeyForm({ action: `second-step?${browser.rawQuery}`, token, options: passkey, button: t.passkey, fields })}
      ${
        hasCodes &&
        pageHtml`<form method="post" action="second-step?${browser.rawQuery}">
          <input type="hidden" name="token" value="${token}" />
          ${fields}
          <label for="code">${label}</label>
          <input
            type="text"
            id="code"
            name="code"
            autocomplete="one-time-code"
            inputmode="${methods.includes('recoveryCode') ? 'text' : 'numeric'}"
            autocapitalize="none"
            spellcheck="false"
            required
            maxlength="40"
            autofocus
            aria-describedby="${fault ? 'fault' : 'hint'}"
          />
          ${methods.includes('recoveryCode') && pageHtml`<p id="hint">${t.hint}</p>`}
          <div class="actions"><button class="main" type="submit">${t.submit}</button></div>
        </form>`
      }
      <p><a href="authorize?${browser.rawQuery}">${t.again}</a></p>`,
  );
}
