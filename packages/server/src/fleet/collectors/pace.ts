import { Failure } from '../../platform/kernel/failure.ts';

/** What has to arrive while others wait: so much at once, and so much a second from then on. */
const GRACE_MS = 3_000;
const BYTES_PER_MS = 4;
const LOOKS_EVERY_MS = 500;

/**
 * Passes chunks on while they arrive fast enough, or nobody waits. Only time in which nothing has arrived counts, not that in which the chunks are
 * processed. Throws tooManyRequests.
 */
export async function* atPace(
  chunks: AsyncIterable<Uint8Array>,
  isWaitedFor: () => boolean,
): AsyncGenerator<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]();
  const { promise: tooSlow, reject } = Promise.withResolvers<never>();
  tooSlow.catch(() => {});
  let [bytes, waitedMs] = [0, 0];
  let waitsSince: number | undefined;
  const look = (): void => {
    const nowMs = waitsSince === undefined ? 0 : performance.now() - waitsSince;
    if (waitedMs + nowMs > GRACE_MS + bytes / BYTES_PER_MS && isWaitedFor())
      reject(
        new Failure('tooManyRequests', {
          data: { retryAfterSeconds: 5 },
          message: 'the report arrived too slowly while others waited',
        }),
      );
  };
  // What has arrived on a busy machine is taken in before.
  const timer = setInterval(() => setImmediate(look), LOOKS_EVERY_MS);
  try {
    for (;;) {
      waitsSince = performance.now();
      const next = await Promise.race([iterator.next(), tooSlow]);
      waitedMs += performance.now() - waitsSince;
      waitsSince = undefined;
      if (next.done) return;
      bytes += next.value.length;
      yield next.value;
    }
  } finally {
    clearInterval(timer);
    // It ends once its last chunk has come, or its request has ended.
    void iterator.return?.()?.catch(() => {});
  }
}
