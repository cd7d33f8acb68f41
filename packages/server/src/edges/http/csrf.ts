import { createHmac } from 'node:crypto';
import { equalSecrets } from '../../kernel/secrets.ts';

/** A form and what it belongs to: its token is valid for nothing else. */
export interface FormUse {
  /** The id in the cookie, whether or not it belongs to a session. */
  readonly sessionId: string;
  readonly form: string;
  /** What was requested when the form was shown. */
  readonly context: Uint8Array;
}

/** A form's CSRF token, valid only together with the cookie. interface O20 */
export const csrfToken = ({ sessionId, form, context }: FormUse): string => createHmac('sha256', sessionId).update(form).update(context).digest('base64url');

export const isCsrfToken = (use: FormUse, sent: string | undefined): boolean =>
  sent !== undefined && equalSecrets(Buffer.from(csrfToken(use)), Buffer.from(sent));
