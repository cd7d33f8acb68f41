import { createTurns } from '../../platform/kernel/turns.ts';
import type { DaySample } from '../energy/day-state.ts';
import type { DbHandle } from './db-handle.ts';
import type { Series } from './port.ts';

// On SQLite, reading so many samples holds the event loop for some 10 ms.
const SAMPLES_AT_ONCE = 5_000;

/** The samples of a device with fromAt <= at < toAt, ascending, in pieces that never hold more than some thousands. */
export async function* samplePages(
  db: DbHandle,
  series: Pick<Series, 'range'>,
  seriesId: number,
  fromAt: number,
  toAt: number,
): AsyncGenerator<DaySample[]> {
  const turns = createTurns();
  for (let from = fromAt; from < toAt;) {
    const page = await series.range(db, seriesId, from, toAt, SAMPLES_AT_ONCE);
    yield page;
    if (page.length < SAMPLES_AT_ONCE) return;
    from = page.at(-1)!.at + 1;
    await turns();
  }
}
