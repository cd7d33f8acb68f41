import type { PlantRecord } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import type { FigureSources } from '../sources.ts';
import { highestOf, type Peak } from './peak.ts';
import { plantDayRowsOf } from './plant-day-rows.ts';
import { describePlants, type DescribedPlant } from './plant-record.ts';

/** The record of one plant, including a figure that is too costly for lists: the combined peak of several inverters. */
export async function plantDetail(
  sources: FigureSources,
  plant: VisiblePlant,
): Promise<PlantRecord> {
  const [described] = await describePlants(sources, [plant]);
  const { record } = described!;
  return record.peakPowerW === undefined
    ? { ...record, ...(await peakTogether(sources, plant, described!)) }
    : record;
}

/** The highest combined power of the devices today; computed again when one of them has reported. */
async function peakTogether(
  sources: FigureSources,
  plant: VisiblePlant,
  { bindings, zones, today }: DescribedPlant,
): Promise<Peak> {
  const { peaks } = sources.caches;
  const reported = bindings.flatMap(({ binding: { no }, latest }) =>
    latest?.day === today ? `${no}:${latest.lastAt}:${latest.samples}` : [],
  );
  if (reported.length === 0) return {};
  const key = [plant.id, today, ...reported].join(' ');
  const known = peaks.get(key);
  if (known) return known;
  const own = bindings.map(({ binding }) => binding);
  const peak = highestOf(
    await plantDayRowsOf(sources, plant, { bindings: own, zones, day: today }),
  );
  peaks.set(key, peak);
  return peak;
}
