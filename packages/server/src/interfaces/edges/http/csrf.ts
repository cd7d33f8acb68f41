import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../../platform/kernel/secrets.ts';

/** A form and its context. A token is valid only for one form in one context. */
export interface FormUse {
  /** The id in the cookie, whether or not it belongs to a session. */
  readonly sessionId: string;
  readonly form: string;
  /** The request for which the form was shown. */
  readonly context: Uint8Array;
}

/** A form's CSRF token, valid only together with the cookie. interface O20 */
export const csrfToken = ({ sessionId, form, context }: FormUse): string =>
  createHmac('sha256', sessionId).update(form).update(context).digest('base64url');

export const isCsrfToken = (use: FormUse, sent: string | undefined): boolean =>
  sent !== undefined && equalSecrets(Buffer.from(csrfToken(use)), Buffer.from(sent));
