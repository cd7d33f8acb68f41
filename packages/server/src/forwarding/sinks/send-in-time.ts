import { EgressRefused } from '../egress/egress.ts';
import type { Outcome } from './sink.ts';

/** Time limit of an attempt. Standard Webhooks asks for 15 to 30 s. */
export const SEND_MS = 15_000;

const TEXT_AT_MOST = 200;

/** Makes an attempt that ends in time. When its signal says so, the work has to stop; what it makes of that no longer matters. */
export async function sendInTime(work: (signal: AbortSignal) => Promise<Outcome>, stop: AbortSignal, limitMs = SEND_MS): Promise<Outcome> {
  if (stop.aborted) return STOPPED;
  const abort = new AbortController();
  const ended = Promise.withResolvers<Outcome>();
  const end = (outcome: Outcome): void => {
    ended.resolve(outcome);
    abort.abort();
  };
  const onStop = (): void => end(STOPPED);
  const timer = setTimeout(() => end({ kind: 'failed', reason: `no answer within ${limitMs / 1000} s` }), limitMs);
  stop.addEventListener('abort', onStop, { once: true });
  try {
    const made = work(abort.signal).catch((error: unknown): Outcome => ({ kind: 'failed', reason: reasonOf(error) }));
    return await Promise.race([ended.promise, made]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

const STOPPED: Outcome = { kind: 'failed', reason: 'stopped' };

/** Why an attempt failed, in words that give no address away: names may resolve to hosts of the operator's own. */
function reasonOf(error: unknown): string {
  if (error instanceof EgressRefused || !(error instanceof Error)) return capped(String((error as Error | undefined)?.message ?? error));
  const { code } = error as NodeJS.ErrnoException;
  return typeof code === 'string' ? `the connection failed (${capped(code)})` : capped(error.message);
}

/** The beginning of a text from outside, on one line. */
export const capped = (text: string, most = TEXT_AT_MOST): string =>
  text
    .slice(0, most)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
