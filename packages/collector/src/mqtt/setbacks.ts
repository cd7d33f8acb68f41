import type { Setback } from '../link.ts';

/** The server's answer to a report or to results. */
export interface Ack {
  readonly id: string;
  /** An HTTP status. */
  readonly status: number;
  readonly msg?: string;
  readonly retryAfterSeconds?: number;
}

export function setbackOfAck({ status, msg, retryAfterSeconds }: Ack): Setback {
  const reason = `the server answers ${status}: ${msg ?? ''}`;
  if (status === 401 || status === 403) return { cause: 'barred', reason };
  if (status === 429 || status >= 500)
    return {
      cause: 'away',
      reason,
      pauseMs: retryAfterSeconds === undefined ? undefined : retryAfterSeconds * 1000,
    };
  return { cause: 'malformed', reason };
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
