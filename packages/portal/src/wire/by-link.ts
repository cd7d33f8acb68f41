import { Unreachable } from './failure.ts';
import { newKey } from './new-key.ts';

const AGAIN_AFTER_MS = 1_500;
const ATTEMPTS = 4;

/** The latest write and its name: a caller that sends the same once more, after its answer was lost, gets that answer. */
let latest = { content: '', key: '' };

/**
 * Carries out, once, a write of somebody who has followed a link and has no session. If the answer does not arrive, the same is sent again, for some
 * seconds: the server knows by its name whether it was carried out. Throws Unreachable.
 */
export async function onceByLink<T>(
  write: unknown,
  send: (idempotencyKey: string) => Promise<T>,
): Promise<T> {
  const content = JSON.stringify(write);
  if (content !== latest.content) latest = { content, key: newKey() };
  const { key } = latest;
  for (let left = ATTEMPTS - 1; ; left--) {
    try {
      return await send(key);
    } catch (error) {
      if (!(error instanceof Unreachable) || left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER_MS));
    }
  }
}
