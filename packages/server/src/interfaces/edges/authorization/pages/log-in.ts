import type { Application } from '../../../../identity/oauth/applications.ts';
import type { Browser } from '../browser.ts';
import { pageHtml, type PageHtml } from './html.ts';
import { layout } from './layout.ts';
import { passkeyForm } from './passkey-form.ts';
import { texts } from './texts/texts.ts';

export interface LogInForm {
  readonly browser: Browser;
  readonly application: Application;
  readonly token: string;
  readonly email?: string;
  readonly fault?: 'wrongLogin' | 'wrongPasskey' | 'tooManyLogIns';
  /** Where a forgotten password is replaced; undefined where no e-mails are sent. */
  readonly resetUrl: string | undefined;
  /** Where people make an account; undefined where the operator makes them. */
  readonly signUpUrl: string | undefined;
  /** Undefined where passkeys are impossible. */
  readonly passkey: { readonly token: string; readonly options: string } | undefined;
}

export function logInPage({
  browser,
  application,
  token,
  email = '',
  fault,
  passkey,
  resetUrl,
  signUpUrl,
}: LogInForm): PageHtml {
  const t = texts[browser.language].logIn;
  const text = {
    wrongLogin: t.wrong,
    wrongPasskey: texts[browser.language].secondStep.wrongPasskey,
    tooManyLogIns: t.throttled,
  }[fault ?? 'wrongLogin'];
  const title = t.title;
  return layout(
    { ...browser, title },
    pageHtml`<h1>${title}</h1>
      <p class="lead">${t.lead(application.name)}</p>
      ${fault && pageHtml`<p class="fault" role="alert" id="fault">${text}</p>`}
      <form method="post" action="log-in?${browser.rawQuery}">
        <input type="hidden" name="token" value="${token}" />
        <label for="email">${t.email}</label>
        <input
          type="email"
          id="email"
          name="email"
          value="${email}"
          autocomplete="username"
          required
          maxlength="254"
          ${fault ? pageHtml` aria-describedby="fault"` : pageHtml` autofocus`}
        />
        <label for="password">${t.password}</label>
        <input
          type="password"
          id="password"
          name="password"
          autocomplete="current-password"
          required
          maxlength="1024"
          ${fault && pageHtml` aria-describedby="fault" autofocus`}
        />
        <button
          class="link"
          type="button"
          hidden
          aria-pressed="false"
          data-show-password
          data-show="${t.showPassword}"
          data-hide="${t.hidePassword}"
        >
          ${t.showPassword}
        </button>
        <div class="actions"><button class="main" type="submit">${t.submit}</button></div>
      </form>
      ${passkey && passkeyForm({ action: `passkey?${browser.rawQuery}`, button: t.passkey, ...passkey })}
      ${resetUrl && pageHtml`<p><a href="${resetUrl}" target="_blank" rel="noopener">${t.forgotten}</a></p>`}
      ${signUpUrl && pageHtml`<p><a href="${signUpUrl}" target="_blank" rel="noopener">${t.noAccount}</a></p>`}`,
  );
}
