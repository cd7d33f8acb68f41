import type { Texts } from './texts/en.ts';

const CERTIFICATE = /CERT|SELF_SIGNED|TLS/;

/** Why a message was not delivered, in the reader's words as far as the cause is known. */
export function plainReason(
  t: Texts['connection'],
  reason: string,
  connectionError: string | undefined,
): string {
  if (connectionError === 'ECONNREFUSED') return t.refused;
  if (connectionError !== undefined)
    return CERTIFICATE.test(connectionError) ? t.certificate : `${t.failed} (${connectionError})`;
  const [, status] = /(?:answered|HTTP) (\d{3})/.exec(reason) ?? [];
  if (status !== undefined) return t.status(status);
  return reason.startsWith('no answer within') ? t.silent : reason;
}
