import { touchKey, type SigningKey } from '../../../identity/accounts/signing-key.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { Db } from '../../../platform/storage/database.ts';

type Use = Parameters<typeof touchKey>[2];

/** Records when a key was last used, without delaying the answer. */
export interface KeyUse {
  note(key: SigningKey, use: Use): void;
  /** Resolves when nothing is being written any more. */
  settled(): Promise<void>;
}

export function createKeyUse(db: Db, logger: Logger): KeyUse {
  const running = new Map<string, Promise<void>>();
  return {
    note(key, use) {
      // `key` was read before the write in progress: without this check, each request of a burst would write again.
      if (running.has(key.id)) return;
      const writing = touchKey(db, key, use)
        .catch((error: Error) =>
          logger.debug(
            { keyId: key.id, reason: error.message },
            'the last use of a key could not be recorded',
          ),
        )
        .finally(() => running.delete(key.id));
      running.set(key.id, writing);
    },
    settled: async () => void (await Promise.all(running.values())),
  };
}
