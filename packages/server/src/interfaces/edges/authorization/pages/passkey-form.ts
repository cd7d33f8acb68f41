import { pageHtml, type PageHtml } from './html.ts';

interface PasskeyForm {
  readonly action: string;
  readonly token: string;
  /** What the browser needs to ask the authenticator, as JSON. */
  readonly options: string;
  readonly button: string;
  /** Further hidden fields. */
  readonly fields?: PageHtml;
}

/** A button that asks for a passkey and submits its answer. The script shows it in browsers that have passkeys for this site. */
export const passkeyForm = ({ action, token, options, button, fields }: PasskeyForm): PageHtml =>
  pageHtml`<form method="post" action="${action}" data-passkey="${options}" hidden>
    <input type="hidden" name="token" value="${token}" />
    ${fields}
    <input type="hidden" name="passkey" />
    <div class="actions"><button type="submit">${button}</button></div>
  </form>`;
