import type { EnergyRow } from '@helioport/contract';
import { dayOf, dayWindow, monthOf, yearOf } from '../../calendar/plant-calendar.ts';
import type { VisiblePlant } from '../../plants/access.ts';
import { bindingsOfPlants } from '../../plants/bindings.ts';
import { zonesOf } from '../../plants/zones.ts';
import type { FigureSources } from '../sources.ts';
import { energyRow, firstDayOfYear, ofDays, ofMonths, ofYears, type BindingPeriod } from './energy-rows.ts';

/** How long a period is. */
export type PeriodLength = 'day' | 'month' | 'year';

/** How periods of one length are found and read. */
interface PeriodKind {
  /** First day of the period that contains a local day. */
  firstDayOf(today: number): number;
  /** Energies of the periods that begin between two days, both inclusive. */
  read(sources: FigureSources, bindingNos: readonly number[], fromDay: number, toDay: number): Promise<BindingPeriod[]>;
}

const periodKinds: { readonly [Length in PeriodLength]: PeriodKind } = {
  day: {
    firstDayOf: (today) => today,
    read: async ({ db, telemetry }, bindingNos, from, to) => ofDays(await telemetry.daysOf(db, bindingNos, from, to)),
  },
  month: {
    firstDayOf: (today) => monthOf(today) * 100 + 1,
    read: async ({ db, telemetry }, bindingNos, from, to) => ofMonths(await telemetry.monthsOf(db, bindingNos, monthOf(from), monthOf(to))),
  },
  year: {
    firstDayOf: (today) => firstDayOfYear(yearOf(today)),
    read: async ({ db, telemetry }, bindingNos, from, to) => ofYears(await telemetry.monthsOf(db, bindingNos, monthOf(from), yearOf(to) * 100 + 12)),
  },
};

/**
 * Energies of plants in one period each, in the given order: a constant number of statements. `chosen` is the first day of the period
 * (yyyymmdd); undefined = the current period in each plant's own calendar.
 */
export async function plantPeriods(
  sources: FigureSources,
  plants: readonly VisiblePlant[],
  length: PeriodLength,
  chosen: number | undefined,
): Promise<EnergyRow[]> {
  if (plants.length === 0) return [];
  const { db, clock } = sources;
  const kind = periodKinds[length];
  const now = clock.now();
  const ids = plants.map(({ id }) => id);
  const zoned = plants.map(({ id: plantId, timeZone, zoneChanged }) => ({ plantId, timeZone, zoneChanged }));
  const [bindings, zonesById] = await Promise.all([bindingsOfPlants(db, ids), zonesOf(db, zoned)]);
  const firstDays = new Map(ids.map((id) => [id, chosen ?? kind.firstDayOf(dayOf(zonesById.get(id)!, now))]));
  const numbers = bindings.map(({ no }) => no);
  const periods = await kind.read(sources, numbers, Math.min(...firstDays.values()), Math.max(...firstDays.values()));
  const byBinding = Map.groupBy(periods, ({ bindingNo }) => bindingNo);
  const byPlant = Map.groupBy(bindings, ({ plantId }) => plantId);
  return plants.map((plant) => {
    const { id, currency, capacityKwp } = plant;
    const [own, zones, firstDay] = [byPlant.get(id) ?? [], zonesById.get(id)!, firstDays.get(id)!];
    const kinds = new Map(own.map((binding) => [binding.no, binding.kind]));
    const inPeriod = own.flatMap(({ no }) => (byBinding.get(no) ?? []).filter((period) => period.firstDay === firstDay));
    const subject = { id, currency, ratedKw: capacityKwp, zones, kinds, modules: plant };
    return energyRow(subject, firstDay, dayWindow(zones, firstDay).startAt, inPeriod, now);
  });
}
