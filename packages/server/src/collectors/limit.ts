import type { Clock } from '../kernel/clock.ts';
import { Failure } from '../kernel/failure.ts';
import { createTokenBuckets } from '../kernel/token-buckets.ts';

/** Limits the reports of each collector; each process counts separately. */
export interface ReportLimit {
  /** Counts a report that begins; the returned function must be called when it has ended. Throws tooManyRequests. */
  begin(collectorId: string): () => void;
  /** Passes on the chunks of a report. Each full MiB counts as another report, because reading is most of the cost of a large report. */
  counted(collectorId: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

const MIB = 1024 * 1024;

/** How many reports of a collector may be in progress at once. What has been read of each is kept in memory. */
const AT_ONCE = 4;

/** Creates the limits; `perSecond` null = no limit. */
export function createReportLimit({ clock, perSecond }: { readonly clock: Clock; readonly perSecond: number | null }): ReportLimit {
  if (perSecond === null) return { begin: () => () => {}, counted: (_, chunks) => chunks };
  const buckets = createTokenBuckets({ clock, capacity: perSecond, refillPerSecond: perSecond });
  const underWay = new Map<string, number>();
  return {
    begin(collectorId) {
      const { granted, retryAfterSeconds } = buckets.take(collectorId);
      if (!granted) throw tooMany(`${perSecond} a second`, retryAfterSeconds);
      const others = underWay.get(collectorId) ?? 0;
      if (others >= AT_ONCE) throw tooMany(`${AT_ONCE} at once`, 1);
      underWay.set(collectorId, others + 1);
      return () => {
        const left = underWay.get(collectorId)! - 1;
        if (left > 0) underWay.set(collectorId, left);
        else underWay.delete(collectorId);
      };
    },
    async *counted(collectorId, chunks) {
      let bytes = 0;
      for await (const chunk of chunks) {
        const before = Math.floor(bytes / MIB);
        bytes += chunk.length;
        for (let more = Math.floor(bytes / MIB) - before; more > 0; more--) buckets.charge(collectorId);
        yield chunk;
      }
    },
  };
}

const tooMany = (allowed: string, retryAfterSeconds: number): Failure =>
  new Failure('tooManyRequests', { data: { retryAfterSeconds }, message: `too many reports from this collector: the limit is ${allowed}` });
