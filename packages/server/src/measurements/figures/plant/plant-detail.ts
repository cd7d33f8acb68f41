import { recalculatedFrom } from '../energy/recalculated.ts';
import { retentionOf } from '../../bindings/reading-retention.ts';
import { retentionText, type ReadingRetention } from '@helioport/contract/reading-retention';
import {
  avoidedCo2Kg as avoidedCo2Of,
  CO2_KG_PER_TREE,
  type PlantRecord,
  type ShownPlant,
} from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { plantStateName } from '../../../fleet/plants/ranking/order.ts';
import { wallTime } from '../../../platform/calendar/plant-calendar.ts';
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

/** A plant as people see it: with its record’s figures, since when it has been recorded, and how much it has produced since then. */
export async function shownPlant(
  sources: FigureSources,
  plant: VisiblePlant,
  readingsKept: ReadingRetention,
): Promise<ShownPlant> {
  const [described] = await describePlants(sources, [plant]);
  const { record, zones, recorded } = described!;
  const { firstReportAt, energies } = record;
  const avoidedCo2Kg = avoidedCo2Of(energies.production?.totalKwh);
  return {
    ...record,
    state: plantStateName(plant.state),
    level: plant.level,
    recalculating: (await recalculatedFrom(sources.db, plant.id)) !== undefined || undefined,
    ...retentionText(retentionOf(plant, readingsKept)),
    recordedSince:
      typeof firstReportAt === 'number' ? wallTime(zones, firstReportAt).slice(0, 10) : undefined,
    recordedKwh: recorded().production?.totalKwh,
    avoidedCo2Kg,
    treeYears: avoidedCo2Kg === undefined ? undefined : avoidedCo2Kg / CO2_KG_PER_TREE,
  };
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
