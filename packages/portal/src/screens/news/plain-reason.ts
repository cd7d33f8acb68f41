import type { Texts } from './texts/en.ts';

/** Why a message was not delivered: in the reader's words and with the error's code if the connection failed, else in those of the server. */
export function plainReason({ refused, failed }: Texts['connection'], reason: string, connectionError: string | undefined): string {
  if (connectionError === undefined) return reason;
  return `${connectionError === 'ECONNREFUSED' ? refused : failed} (${connectionError})`;
}
