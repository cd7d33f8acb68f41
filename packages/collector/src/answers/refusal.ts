import type { Setback } from '../link.ts';
import { membersOf, shown } from './shapes.ts';

/** How an answer refuses, in the words of the server itself. */
export interface Refusal {
  /** An HTTP status. */
  readonly status: number;
  readonly msg: string;
  /** How long it asks to wait, milliseconds. */
  readonly pauseMs?: number | undefined;
}

/** Statuses with which the server refuses a message for good, whoever sends it. */
const FINAL: ReadonlySet<number> = new Set([400, 413]);
const BARRING: ReadonlySet<number> = new Set([401, 403]);

/** What a refusal of the server means. It alone may have a report deleted, and only because of what is in the report. */
export function setbackOf({ status, msg, pauseMs }: Refusal): Setback {
  const reason = `the gateway answers ${status}: ${shown(msg)}`;
  if (FINAL.has(status)) return { cause: 'malformed', reason };
  if (BARRING.has(status)) return { cause: 'barred', reason };
  return { cause: 'away', reason, pauseMs };
}

/** What else answers at the address of the server, such as a proxy, a portal that wants a login, or another product. */
export const strange = (what: string, pauseMs?: number): Setback => ({
  cause: 'away',
  reason: `no gateway answers at this address: ${shown(what)}`,
  pauseMs,
});

/** The reason in the envelope of a refusal; undefined for an answer in another form. */
export function envelopeIn(value: unknown): string | undefined {
  const { success, code, msg } = membersOf(value) ?? {};
  return success === false && typeof code === 'string' && typeof msg === 'string' ? msg : undefined;
}
