import { EgressRefused } from '../../platform/egress/egress.ts';
import type { DeliveryOutcome } from './sink.ts';

/** Time limit of an attempt. Standard Webhooks asks for 15 to 30 s. */
export const SEND_MS = 15_000;

const TEXT_AT_MOST = 200;

/** Makes an attempt that ends in time. When its signal says so, the work has to stop; what it makes of that no longer matters. */
export async function sendInTime(
  work: (signal: AbortSignal) => Promise<DeliveryOutcome>,
  stop: AbortSignal,
  limitMs = SEND_MS,
): Promise<DeliveryOutcome> {
  if (stop.aborted) return STOPPED;
  const abort = new AbortController();
  const ended = Promise.withResolvers<DeliveryOutcome>();
  const end = (outcome: DeliveryOutcome): void => {
    ended.resolve(outcome);
    abort.abort();
  };
  const onStop = (): void => end(STOPPED);
  const timer = setTimeout(
    () => end({ kind: 'failed', reason: `no answer within ${limitMs / 1000} s` }),
    limitMs,
  );
  stop.addEventListener('abort', onStop, { once: true });
  try {
    const made = work(abort.signal).catch(failureOf);
    return await Promise.race([ended.promise, made]);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', onStop);
  }
}

const STOPPED: DeliveryOutcome = { kind: 'failed', reason: 'stopped' };

/** Why an attempt failed, in words that give no address away: names may resolve to hosts of the operator's own. */
function failureOf(error: unknown): DeliveryOutcome {
  const { code, message = String(error) } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (error instanceof EgressRefused || typeof code !== 'string')
    return { kind: 'failed', reason: capped(message) };
  const connectionError = capped(code);
  return { kind: 'failed', reason: `the connection failed (${connectionError})`, connectionError };
}

/** The beginning of a text from outside, on one line. */
export const capped = (text: string, most = TEXT_AT_MOST): string =>
  text
    .slice(0, most)
    .replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ')
    .trim();
