import { DAY_MS } from '@helioport/contract/durations';
import { dayOfWall } from '../../platform/calendar/plant-calendar.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { DaySample } from '../energy/day-state.ts';
import { samplePages } from '../series/sample-pages.ts';
import type { SettledReads } from '../series/port.ts';
import type { BoundDay, StoredReading } from './telemetry.ts';
import { CHART_ROWS, readingOf } from './thinning.ts';

/** Visits the samples of bindings in the order of time, for each of them. Those of dense days are read in pieces, the others all at once. */
export async function eachSample<Part extends BoundDay>(
  db: Db,
  series: Pick<SettledReads, 'range' | 'ranges'>,
  parts: readonly Part[],
  isDense: (part: Part) => boolean,
  visit: (part: Part, sample: DaySample) => void,
): Promise<void> {
  const [dense, others] = [parts.filter(isDense), parts.filter((part) => !isDense(part))];
  if (others.length > 0) {
    const samples = await series.ranges(
      db,
      [...new Set(others.map(({ seriesId }) => seriesId))],
      Math.min(...others.map((part) => part.fromAt)),
      Math.max(...others.map((part) => part.toAt)),
    );
    for (const part of others)
      for (const sample of samples.get(part.seriesId) ?? [])
        if (sample.at >= part.fromAt && sample.at < part.toAt) visit(part, sample);
  }
  for (const part of dense)
    for await (const page of samplePages(db, series, part.seriesId, part.fromAt, part.toAt))
      for (const sample of page) visit(part, sample);
}

/** Visits the readings of bindings in some hours, in the order of time for each of them; `part` is an index in `parts`. */
export async function eachReading(
  db: Db,
  series: SettledReads,
  parts: readonly BoundDay[],
  visit: (part: number, reading: StoredReading) => void,
): Promise<void> {
  if (parts.length === 0) return;
  // The day in UTC is at most one away from that of any zone.
  const days = await series.days(
    db,
    [...new Set(parts.map(({ bindingNo }) => bindingNo))],
    dayOfWall(Math.min(...parts.map(({ fromAt }) => fromAt)) - DAY_MS),
    dayOfWall(Math.max(...parts.map(({ toAt }) => toAt)) + DAY_MS),
  );
  const dense = new Set(
    days.flatMap(({ binding, state }) => (state.samples > CHART_ROWS ? [binding] : [])),
  );
  await eachSample(
    db,
    series,
    parts.map((part, index) => ({ ...part, index })),
    ({ bindingNo }) => dense.has(bindingNo),
    ({ index }, sample) => visit(index, readingOf(sample)),
  );
}
