import { outcomeIn } from '../answers/outcome.ts';
import { setbackOf, strange } from '../answers/refusal.ts';
import { isCount, membersOf } from '../answers/shapes.ts';
import type { Answer, Setback } from '../link.ts';
import type { ReportOutcome } from '../report.ts';

/** An acknowledgement, and the id of the message that it is for. */
export interface Ack {
  readonly id: string;
  readonly answer: Answer<ReportOutcome>;
}

/** The server's answer to a report or to results; undefined if it is none. */
export function ackIn(message: unknown): Ack | undefined {
  const { id, status, msg = '', retryAfterSeconds } = membersOf(message) ?? {};
  if (typeof id !== 'string' || !isCount(status, 599)) return undefined;
  if (status === 200) {
    const value = outcomeIn(message);
    return { id, answer: value ? { value } : { setback: strange('its ack has no outcome') } };
  }
  if (typeof msg !== 'string')
    return { id, answer: { setback: strange(`status ${status} without a reason`) } };
  const pauseMs = isCount(retryAfterSeconds) ? retryAfterSeconds * 1000 : undefined;
  return { id, answer: { setback: setbackOf({ status, msg, pauseMs }) } };
}

/** Return codes of CONNACK for a wrong token, and for a collector that may not report at present. */
const BARRED = [4, 5];

/** Why a connection could not be established, or has ended. */
export function setbackOfConnection({
  message,
  code,
}: Error & { readonly code?: unknown }): Setback {
  if (typeof code === 'number' && BARRED.includes(code))
    return { cause: 'barred', reason: `the broker refuses the connection: ${message}` };
  return { cause: 'away', reason: `the broker does not answer: ${message}` };
}
