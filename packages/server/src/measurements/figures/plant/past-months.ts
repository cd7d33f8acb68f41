import type { Channel } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { LAST_MONTH, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import type { MonthRollup } from '../../telemetry/telemetry.ts';
import type { MeasuredBinding } from '../measured-bindings.ts';
import type { Starts } from '../starts.ts';
import type { FigureSources } from '../sources.ts';
import { findCuts, mayBeCut, toDateWithoutCuts, withoutCuts, type CutSubject } from './cuts.ts';
import { groupByKind, needsMonths, type KindGroups } from './plant-figures.ts';
import { buyPriceVaries } from './worth.ts';

/** A plant and what its devices measured up to now. */
export interface PlantToDate {
  readonly plant: VisiblePlant;
  readonly bindings: readonly MeasuredBinding[];
  readonly zones: Zones;
  /** The plant's local day, yyyymmdd. */
  readonly today: number;
}

/** A plant's devices by kind, with energies cut to what its modules can yield, and its months if they are needed. */
export interface PlantPast {
  readonly groups: KindGroups;
  readonly months: readonly MonthRollup[];
}

const measures = (groups: KindGroups, channel: Channel): boolean =>
  [...groups.values()].some(({ all }) => all.some(({ energies }) => energies[channel]));

/** Whether what a plant saved follows from what it did not sell in each month: it does not measure consumption, and the price of buying varies. */
const needsOwnByMonth = (plant: VisiblePlant, groups: KindGroups): boolean =>
  buyPriceVaries(plant) && measures(groups, 'gridExport') && !measures(groups, 'load');

/**
 * The pasts of plants, in the given order. Usually, the energies up to now are enough. For the few plants where they are not, one statement reads the
 * months, and another one reads the days that were cut.
 */
export async function findPasts(
  sources: FigureSources,
  plants: readonly PlantToDate[],
  starts: Starts,
): Promise<PlantPast[]> {
  const pasts = plants.map(({ bindings }): PlantPast => ({
    groups: groupByKind(bindings),
    months: [],
  }));
  const subjects = new Map<number, CutSubject>();
  for (const [i, { groups }] of pasts.entries()) {
    const { plant: modules, bindings, zones } = plants[i]!;
    if (
      !needsMonths(groups, starts) &&
      !needsOwnByMonth(modules, groups) &&
      ![...groups.values()].some(({ all }) => mayBeCut(all))
    )
      continue;
    subjects.set(i, {
      modules,
      zones,
      kinds: new Map(bindings.map(({ binding: { no, kind } }) => [no, kind])),
    });
  }
  if (subjects.size === 0) return pasts;
  const numbers = [...subjects.values()].flatMap(({ kinds }) => [...kinds.keys()]);
  const reported = await sources.telemetry.monthsOf(sources.db, numbers, 0, LAST_MONTH);
  const cuts = await findCuts(sources, [...subjects.values()], reported);
  const months = withoutCuts(reported, cuts);
  return pasts.map((past, i) => {
    const subject = subjects.get(i);
    if (!subject) return past;
    const { bindings, today } = plants[i]!;
    const ofPlant = cuts.filter(({ bindingNo }) => subject.kinds.has(bindingNo));
    const groups = groupByKind(
      bindings.map((measured) => toDateWithoutCuts(measured, ofPlant, today)),
    );
    return { groups, months: months.filter(({ bindingNo }) => subject.kinds.has(bindingNo)) };
  });
}
