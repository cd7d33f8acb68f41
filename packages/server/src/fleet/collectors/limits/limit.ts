import { Failure } from '../../../platform/kernel/failure.ts';
import { createPlaces } from '../../../platform/kernel/places.ts';
import type { OpenBuckets } from '../../../platform/kernel/token-buckets.ts';

/** Limits the reports of each collector. */
export interface ReportLimit {
  /** Counts a report, and takes it in. Throws tooManyRequests. */
  during<T>(collectorId: string, taking: () => Promise<T>): Promise<T>;
  /** Passes on the chunks of a report. Each full MiB counts as another report, because reading is most of the cost of a large report. */
  counted(collectorId: string, chunks: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
}

const MIB = 1024 * 1024;

/** How many reports of a collector may be in progress at once in this process. What has been read of each is kept in its memory. */
const AT_ONCE = 4;

export interface ReportLimitOptions {
  /** null = no limit. */
  readonly perSecond: number | null;
  /** What is counted; default reports. */
  readonly of?: 'reports' | 'command calls';
  readonly buckets: OpenBuckets;
}

export function createReportLimit({
  perSecond,
  of = 'reports',
  buckets: open,
}: ReportLimitOptions): ReportLimit {
  if (perSecond === null)
    return { during: (_, taking) => taking(), counted: (_, chunks) => chunks };
  const buckets = open(`collector ${of}`, { capacity: perSecond, refillPerSecond: perSecond });
  const places = createPlaces({ each: AT_ONCE, refusal: () => tooMany(`${AT_ONCE} at once`, 1) });
  return {
    async during(collectorId, taking) {
      const { granted, retryAfterSeconds } = await buckets.take(collectorId);
      if (!granted) throw tooMany(`${perSecond} a second`, retryAfterSeconds);
      return places.during(collectorId, taking);
    },
    async *counted(collectorId, chunks) {
      let bytes = 0;
      for await (const chunk of chunks) {
        const before = Math.floor(bytes / MIB);
        bytes += chunk.length;
        for (let more = Math.floor(bytes / MIB) - before; more > 0; more--)
          buckets.charge(collectorId);
        yield chunk;
      }
    },
  };
}

const tooMany = (allowed: string, retryAfterSeconds: number): Failure =>
  new Failure('tooManyRequests', {
    data: { retryAfterSeconds },
    message: `too many reports from this collector: the limit is ${allowed}`,
  });
