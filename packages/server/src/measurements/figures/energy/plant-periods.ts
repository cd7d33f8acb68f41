import type { EnergyRow } from '@helioport/contract';
import {
  addDays,
  dayOf,
  dayWindow,
  monthOf,
  yearOf,
} from '../../../platform/calendar/plant-calendar.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { bindingsOfPlants } from '../../../fleet/plants/bindings.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { monthsOfPlants, type ExcessSubject } from '../plant/excess-production.ts';
import type { FigureSources } from '../sources.ts';
import {
  energyRow,
  firstDayOfYear,
  ofDays,
  ofMonths,
  ofYears,
  type BindingPeriod,
} from './energy-rows.ts';

/** How long a period is. */
export type PeriodLength = 'day' | 'month' | 'year';

/** How periods of one length are found and read. */
interface PeriodKind {
  /** First day of the period that contains a local day. */
  firstDayOf(today: number): number;
  /** Energies of plants in the periods that begin between two days, both inclusive. */
  read(
    sources: FigureSources,
    plants: readonly ExcessSubject[],
    fromDay: number,
    toDay: number,
  ): Promise<BindingPeriod[]>;
}

const numbersOf = (plants: readonly ExcessSubject[]): number[] =>
  plants.flatMap(({ kinds }) => [...kinds.keys()]);

const periodKinds: { readonly [Length in PeriodLength]: PeriodKind } = {
  day: {
    firstDayOf: (today) => today,
    read: async ({ db, telemetry }, plants, from, to) =>
      ofDays(await telemetry.daysOf(db, numbersOf(plants), from, to)),
  },
  month: {
    firstDayOf: (today) => monthOf(today) * 100 + 1,
    read: async (sources, plants, from, to) =>
      ofMonths(
        await monthsOfPlants(sources, plants, numbersOf(plants), monthOf(from), monthOf(to)),
      ),
  },
  year: {
    firstDayOf: (today) => firstDayOfYear(yearOf(today)),
    read: async (sources, plants, from, to) =>
      ofYears(
        await monthsOfPlants(
          sources,
          plants,
          numbersOf(plants),
          monthOf(from),
          yearOf(to) * 100 + 12,
        ),
      ),
  },
};

/**
 * Energies of plants in one period each, in the given order, with a constant number of statements. `chosen` is the first day of
 * the period (yyyymmdd); undefined = the current period in each plant's own calendar.
 */
export function plantPeriods(
  sources: FigureSources,
  plants: readonly VisiblePlant[],
  length: PeriodLength,
  chosen: number | undefined,
): Promise<EnergyRow[]> {
  const kind = periodKinds[length];
  return rowsOf(sources, plants, kind, (today) => chosen ?? kind.firstDayOf(today));
}

/** What a plant produced on the day before today. */
export interface Yesterday {
  /** Undefined if nothing was measured. */
  readonly kwh: number | undefined;
  /** kWh per kWp; undefined also if the rated power is unknown. */
  readonly fullHours: number | undefined;
}

/** What plants produced on the day before today in each plant's own calendar, in the given order, with a constant number of statements. */
export async function plantYesterdays(
  sources: FigureSources,
  plants: readonly VisiblePlant[],
): Promise<Yesterday[]> {
  const rows = await rowsOf(sources, plants, periodKinds.day, (today) => addDays(today, -1));
  return rows.map(({ kwh: { production }, ratedKw }) => {
    const kwh = production ?? undefined;
    return { kwh, fullHours: kwh === undefined || !ratedKw ? undefined : kwh / ratedKw };
  });
}

async function rowsOf(
  sources: FigureSources,
  plants: readonly VisiblePlant[],
  kind: PeriodKind,
  firstDayFor: (today: number) => number,
): Promise<EnergyRow[]> {
  if (plants.length === 0) return [];
  const now = sources.clock.now();
  const subjects = await subjectsOf(sources, plants);
  const firstDays = new Map(subjects.map(({ id, zones }) => [id, firstDayFor(dayOf(zones, now))]));
  const periods = await kind.read(
    sources,
    subjects,
    Math.min(...firstDays.values()),
    Math.max(...firstDays.values()),
  );
  const byBinding = Map.groupBy(periods, ({ bindingNo }) => bindingNo);
  return subjects.map((subject) => {
    const firstDay = firstDays.get(subject.id)!;
    const inPeriod = [...subject.kinds.keys()].flatMap((no) =>
      (byBinding.get(no) ?? []).filter((period) => period.firstDay === firstDay),
    );
    return energyRow(subject, firstDay, dayWindow(subject.zones, firstDay).startAt, inPeriod, now);
  });
}

/** Energies of plants on each day from `fromDay` to `toDay` (yyyymmdd, both inclusive) on which something was measured, plant by plant. */
export async function plantDays(
  sources: FigureSources,
  plants: readonly VisiblePlant[],
  fromDay: number,
  toDay: number,
): Promise<EnergyRow[]> {
  if (plants.length === 0) return [];
  const now = sources.clock.now();
  const subjects = await subjectsOf(sources, plants);
  const byBinding = Map.groupBy(
    await periodKinds.day.read(sources, subjects, fromDay, toDay),
    ({ bindingNo }) => bindingNo,
  );
  return subjects.flatMap((subject) => {
    const byDay = Map.groupBy(
      [...subject.kinds.keys()].flatMap((no) => byBinding.get(no) ?? []),
      ({ firstDay }) => firstDay,
    );
    return [...byDay].map(([day, periods]) =>
      energyRow(subject, day, dayWindow(subject.zones, day).startAt, periods, now),
    );
  });
}

async function subjectsOf({ db }: FigureSources, plants: readonly VisiblePlant[]) {
  const zoned = plants.map(({ id: plantId, timeZone, zoneChanged }) => ({
    plantId,
    timeZone,
    zoneChanged,
  }));
  const ids = plants.map(({ id }) => id);
  const [bindings, zonesById] = await Promise.all([bindingsOfPlants(db, ids), zonesOf(db, zoned)]);
  const byPlant = Map.groupBy(bindings, ({ plantId }) => plantId);
  return plants.map((plant) => {
    const { id, currency, capacityKwp } = plant;
    const kinds = new Map((byPlant.get(id) ?? []).map((binding) => [binding.no, binding.kind]));
    const zones = zonesById.get(id)!;
    return { id, currency, ratedKw: capacityKwp, zones, kinds, modules: plant, priced: plant };
  });
}
