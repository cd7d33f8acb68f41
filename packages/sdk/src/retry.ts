import type { HelioportError } from './error.ts';

/** The facts known after a failed attempt. */
export interface FailedAttempt {
  error: HelioportError;
  headers: Headers | null;
  /** Number of attempts that failed before this one. */
  failures: number;
  /** Whether the call changes something, so that it must not be carried out twice. */
  write: boolean;
  /** Epoch milliseconds, needed for a Retry-After that contains a time. */
  now: number;
}

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 60_000;
const GATEWAY_STATUSES = new Set([502, 503, 504]);
/** Codes of failures that happen before anything is sent. */
const UNSENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * How long to wait before the next attempt, ms; undefined if there must be none. Reads are repeated after failures on the way
 * to the server. Writes are repeated only if the server has certainly not acted: because it limited the rate, which it does
 * before acting, or because no connection was made.
 */
export function pauseBeforeRetry({
  error,
  headers,
  failures,
  write,
  now,
}: FailedAttempt): number | undefined {
  const { status, code } = error;
  const untouched = status === 429 || (code === 'network' && UNSENT.has(causeCode(error.cause)));
  const onTheWay = code === 'network' || code === 'timeout' || GATEWAY_STATUSES.has(status);
  if (!(untouched || (onTheWay && !write))) return undefined;
  const asked = retryAfter(headers, now);
  // If the server asks for a longer pause, reporting the failure is better than waiting.
  if (asked !== undefined) return asked <= LONGEST_PAUSE_MS ? asked : undefined;
  return Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS) * (0.5 + Math.random() / 2);
}

/** Retry-After, which is in seconds or a time, as milliseconds. RFC 9110 10.2.3 */
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

/** Smaller clock differences are not corrected: a 408 with another cause (such as one from a proxy) says nothing about the clock. */
const LEAST_SKEW_MS = 5_000;

/** The server's time minus this machine's time, ms, according to a 408; undefined if unknown. */
export function skewOf({
  error,
  headers,
  now,
}: Pick<FailedAttempt, 'error' | 'headers' | 'now'>): number | undefined {
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
