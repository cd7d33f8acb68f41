import { createCollector, openLink, type Reading } from '@helioport/collector';
import type { IngestReading as StoredReading } from '../../packages/server/src/measurements/ingest/readings/reading.ts';
import type { BenchEngine, Row } from '../ingest/engines.ts';
import { bareRow, readingText } from '../ingest/fleet.ts';
import type { FleetCollector } from './fleet.ts';

/** Readings of each device in a report of the saturation. */
const READINGS_EACH = 20;

export interface Saturation {
  readonly fleet: readonly FleetCollector[];
  readonly milliseconds: number;
  /** Number of the first reading; each run needs readings that nobody has reported. */
  readonly from: number;
}

/** Readings a second that are acknowledged while each collector sends its next report as soon as the last one was acknowledged. */
export async function readingsPerSecond(
  url: string,
  { fleet, milliseconds, from }: Saturation,
): Promise<number> {
  const begunAt = performance.now();
  let stored = 0;
  const drive = async ({ id, tokenId, token, sns }: FleetCollector): Promise<void> => {
    const collector = createCollector({ link: openLink({ url, token, collectorId: id, tokenId }) });
    for (let n = from; performance.now() < begunAt + milliseconds; n += READINGS_EACH) {
      const { accepted } = await collector.deliver({ readings: readingsOf(sns, n) });
      stored += accepted;
    }
    await collector.close();
  };
  await Promise.all(fleet.map(drive));
  return (stored * 1000) / (performance.now() - begunAt);
}

const readingsOf = (sns: readonly string[], from: number): Reading[] =>
  sns.flatMap((sn) =>
    Array.from(
      { length: READINGS_EACH },
      (_, i) => JSON.parse(readingText(sn, from + i)) as Reading,
    ),
  );

/** Rows a second that a hand-written program stores: the same readings in statements of 500 rows, one at a time. */
export async function bareRowsPerSecond(
  engine: BenchEngine,
  milliseconds: number,
): Promise<number> {
  const begunAt = performance.now();
  let rows = 0;
  for (let n = 0; performance.now() < begunAt + milliseconds; n++) {
    const batch: Row[] = Array.from({ length: 500 }, (_, i) =>
      bareRow(100_000 + i, JSON.parse(readingText('BENCH', n)) as StoredReading),
    );
    await engine.bare(batch);
    rows += batch.length;
  }
  return (rows * 1000) / (performance.now() - begunAt);
}
