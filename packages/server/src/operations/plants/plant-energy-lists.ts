import type { EnergyRow, OperationId, Page } from '@helioport/contract';
import type { VisiblePlant } from '../../plants/access.ts';
import { bindingsOfPlants } from '../../plants/bindings.ts';
import { zonesOf } from '../../plants/zones.ts';
import { dayOf, dayWindow, monthOf, yearOf } from '../../calendar/plant-calendar.ts';
import type { Caller } from '../../accounts/caller.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { energyRow, firstDayOfYear, ofDays, ofMonths, ofYears, type BindingPeriod } from '../../figures/energy-rows.ts';
import { pageOf } from '../pages.ts';
import { plantPage, type PlantListInput } from './plant-lists.ts';

/** How the period of a list is found and read. */
interface PeriodKind {
  /** First day of the period that a local day lies in. */
  firstDayOf(today: number): number;
  /** Energies of the periods that begin from one day to another, both included. */
  read(bindingNos: readonly number[], fromDay: number, toDay: number): Promise<BindingPeriod[]>;
}

/** Energies of the caller's plants in one period each: a constant number of statements, however many plants are on the page. */
export function createPlantEnergyLists(deps: OperationDependencies): HandlersOf<'stationDayEnergyList' | 'stationMonthEnergyList' | 'stationYearEnergyList'> {
  const { db, telemetry } = deps;
  const days: PeriodKind = {
    firstDayOf: (today) => today,
    read: async (bindingNos, from, to) => ofDays(await telemetry.daysOf(db, bindingNos, from, to)),
  };
  const months: PeriodKind = {
    firstDayOf: (today) => monthOf(today) * 100 + 1,
    read: async (bindingNos, from, to) => ofMonths(await telemetry.monthsOf(db, bindingNos, monthOf(from), monthOf(to))),
  };
  const years: PeriodKind = {
    firstDayOf: (today) => firstDayOfYear(yearOf(today)),
    read: async (bindingNos, from, to) => ofYears(await telemetry.monthsOf(db, bindingNos, monthOf(from), yearOf(to) * 100 + 12)),
  };
  return {
    stationDayEnergyList: (caller, { day, ...input }) => energyList(deps, caller, 'stationDayEnergyList', input, days, day),
    stationMonthEnergyList: (caller, { month, ...input }) => energyList(deps, caller, 'stationMonthEnergyList', input, months, month && month * 100 + 1),
    stationYearEnergyList: (caller, { year, ...input }) => energyList(deps, caller, 'stationYearEnergyList', input, years, year && firstDayOfYear(year)),
  };
}

async function energyList(
  deps: OperationDependencies,
  caller: Caller,
  id: OperationId,
  input: PlantListInput,
  kind: PeriodKind,
  chosen: number | undefined,
): Promise<Page<EnergyRow>> {
  const { counts, plants } = await plantPage(deps, caller, id, input, chosen);
  return pageOf(counts, input, await rowsOf(deps, plants, kind, chosen));
}

async function rowsOf(
  { db, clock }: OperationDependencies,
  plants: readonly VisiblePlant[],
  kind: PeriodKind,
  chosen: number | undefined,
): Promise<EnergyRow[]> {
  if (plants.length === 0) return [];
  const now = clock.now();
  const ids = plants.map(({ id }) => id);
  const zoned = plants.map(({ id: plantId, timeZone, zoneChanged }) => ({ plantId, timeZone, zoneChanged }));
  const [bindings, zonesById] = await Promise.all([bindingsOfPlants(db, ids), zonesOf(db, zoned)]);
  // The present period is that of each plant's own calendar.
  const firstDays = new Map(ids.map((id) => [id, chosen ?? kind.firstDayOf(dayOf(zonesById.get(id)!, now))]));
  const numbers = bindings.map(({ no }) => no);
  const periods = await kind.read(numbers, Math.min(...firstDays.values()), Math.max(...firstDays.values()));
  const byBinding = Map.groupBy(periods, ({ bindingNo }) => bindingNo);
  const byPlant = Map.groupBy(bindings, ({ plantId }) => plantId);
  return plants.map(({ id, currency, capacityKwp }) => {
    const [own, zones, firstDay] = [byPlant.get(id) ?? [], zonesById.get(id)!, firstDays.get(id)!];
    const kinds = new Map(own.map((binding) => [binding.no, binding.kind]));
    const inPeriod = own.flatMap(({ no }) => (byBinding.get(no) ?? []).filter((period) => period.firstDay === firstDay));
    const subject = { id, currency, ratedKw: capacityKwp, zones, kinds, isPlant: true };
    return energyRow(subject, firstDay, dayWindow(zones, firstDay).startAt, inPeriod, now);
  });
}
