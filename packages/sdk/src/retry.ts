import type { HelioportError } from './error.ts';

/** Where a failed call stands. */
export interface FailedAttempt {
  error: HelioportError;
  headers: Headers | null;
  /** Attempts that failed before this one. */
  failures: number;
  /** Changes something, so that it must not be done twice. */
  write: boolean;
  /** Epoch milliseconds, for a Retry-After that names a time. */
  now: number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
const GATEWAY_STATUSES = new Set([502, 503, 504]);
/** Failures from before anything was sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * How long to wait before the next attempt, or undefined when there must be none. Reads are repeated when the way to
 * the server failed; writes only where the server has certainly not acted: it limits the rate before it acts, and a
 * connection that was never made carried nothing.
 */
export function pauseBeforeRetry({ error, headers, failures, write, now }: FailedAttempt): number | undefined {
  const { status, code } = error;
  const untouched = status === 429 || (code === 'network' && UNSENT.has(causeCode(error.cause)));
  const onTheWay = code === 'network' || code === 'timeout' || GATEWAY_STATUSES.has(status);
  if (!(untouched || (onTheWay && !write))) return undefined;
  const asked = retryAfter(headers, now);
  // A server that asks for more patience than a caller has is better reported than waited for.
  if (asked !== undefined) return asked <= LONGEST_PAUSE_MS ? asked : undefined;
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

/** Milliseconds of Retry-After: seconds, or a time. RFC 9110 10.2.3 */
function retryAfter(headers: Headers | null, now: number): number | undefined {
  const value = headers?.get('retry-after')?.trim();
  if (!value) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

function causeCode(cause: unknown): string {
  for (let error = cause; error instanceof Error; error = error.cause) {
    const { code } = error as { code?: unknown };
    if (typeof code === 'string') return code;
  }
  return '';
}

/** A difference that is worth a correction: a 408 of another kind (a proxy's) comes with the right time. */
const LEAST_SKEW_MS = 5_000;

/** What must be added to this machine's time to get the server's, as its 408 tells; undefined when it does not. */
export function skewOf({ error, headers, now }: Pick<FailedAttempt, 'error' | 'headers' | 'now'>): number | undefined {
  if (error.status !== 408) return undefined;
  const data = error.data as { serverTime?: unknown } | null;
  const skew = (timeOf(data?.serverTime) ?? timeOf(headers?.get('date')) ?? NaN) - now;
  return Math.abs(skew) >= LEAST_SKEW_MS ? skew : undefined;
}

function timeOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '';
  const at = /^\d{13}$/.test(text) ? Number(text) : Date.parse(text);
  return Number.isNaN(at) ? undefined : at;
}
