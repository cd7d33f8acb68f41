import { Failure } from '../../platform/kernel/failure.ts';

const MIB = 1024 * 1024;

/** What reports that have begun and not ended may hold, in bytes of JSON: several times as much in memory. */
export const UNFINISHED = { ofOwner: 32 * MIB, ofAll: 128 * MIB } as const;

/** So much of each report is not counted: usual ones are smaller, and are taken whatever others send. */
const FREE_BYTES = 64 * 1024;

/** Counts what reports hold until they end. */
export interface Unfinished {
  /** Takes in a report, whose chunks it passes on. Throws tooManyRequests from the chunks if its owner, or all together, hold too much. */
  during<T>(
    ownerId: string,
    chunks: AsyncIterable<Uint8Array>,
    taking: (counted: AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T>;
}

export function createUnfinished({
  ofOwner,
  ofAll,
}: {
  readonly ofOwner: number;
  readonly ofAll: number;
} = UNFINISHED): Unfinished {
  const held = new Map<string, number>();
  let heldByAll = 0;

  const hold = (ownerId: string, bytes: number): void => {
    const ofThis = (held.get(ownerId) ?? 0) + bytes;
    heldByAll += bytes;
    if (ofThis === 0) held.delete(ownerId);
    else held.set(ownerId, ofThis);
  };

  return {
    async during(ownerId, chunks, taking) {
      let holds = 0;
      const counted = async function* (): AsyncGenerator<Uint8Array> {
        let bytes = 0;
        for await (const chunk of chunks) {
          bytes += chunk.length;
          const more = Math.max(0, bytes - FREE_BYTES) - holds;
          if (more > 0 && ((held.get(ownerId) ?? 0) + more > ofOwner || heldByAll + more > ofAll))
            throw new Failure('tooManyRequests', {
              data: { retryAfterSeconds: 10 },
              message: 'too many large reports are being sent at once',
            });
          hold(ownerId, more);
          holds += more;
          yield chunk;
        }
      };
      try {
        return await taking(counted());
      } finally {
        hold(ownerId, -holds);
      }
    },
  };
}
