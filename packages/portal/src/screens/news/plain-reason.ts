import type { Texts } from './texts/en.ts';

/** Why a message was not delivered, in the reader's words where the server names the error of a connection; its code stands at the end. */
export function plainReason({ refused, unknown, failed }: Texts['connection'], reason: string): string {
  const code = /^the connection failed \((\w+)\)$/.exec(reason)?.[1];
  if (code === undefined) return reason;
  return `${code === 'ECONNREFUSED' ? refused : code === 'ENOTFOUND' ? unknown : failed} (${code})`;
}
