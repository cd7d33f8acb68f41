import type { EnergyRow } from '@helioport/contract';
import type { VisiblePlant } from '../../plants/access.ts';
import { bindingsOfDevices, bindingsOfPlants } from '../../plants/bindings.ts';
import type { VisibleDevice } from '../../plants/device-access.ts';
import { zonesOf } from '../../plants/zones.ts';
import { dayOf, daysOfMonth, monthOf, noonOf, yearOf } from '../../calendar/plant-calendar.ts';
import type { OperationDependencies } from '../dependencies.ts';
import { energyRow, ofDays, ofMonths, ofYears, type EnergySubject, type BindingPeriod } from '../../figures/energy-rows.ts';

/** What the rows of a chart are: the days of a month (yyyymm), the months of a year, or all years; the present one when none is named. */
export type ChartSpan =
  | { readonly each: 'day'; readonly month: number | undefined }
  | { readonly each: 'month'; readonly year: number | undefined }
  | { readonly each: 'year' };

/** Energies of a plant: the sums over all that ever stood in it. Made of roll-ups, never of readings. */
export async function plantChart(deps: OperationDependencies, plant: VisiblePlant, span: ChartSpan): Promise<EnergyRow[]> {
  const { id, currency, capacityKwp, timeZone, zoneChanged } = plant;
  const [bindings, zones] = await Promise.all([bindingsOfPlants(deps.db, [id]), zonesOf(deps.db, [{ plantId: id, timeZone, zoneChanged }])]);
  const kinds = new Map(bindings.map(({ no, kind }) => [no, kind]));
  return chart(deps, { id, currency, ratedKw: capacityKwp, zones: zones.get(id)!, kinds, isPlant: true }, span);
}

/** Energies of a device in the plant where it stands. */
export async function deviceChart(deps: OperationDependencies, device: VisibleDevice, span: ChartSpan): Promise<EnergyRow[]> {
  const { id, plantId, currency, ratedPowerW } = device;
  const [everywhere, zones] = await Promise.all([bindingsOfDevices(deps.db, [id]), zonesOf(deps.db, [device])]);
  const kinds = new Map(everywhere.filter((binding) => binding.plantId === plantId).map(({ no, kind }) => [no, kind]));
  const ratedKw = ratedPowerW === null ? null : ratedPowerW / 1000;
  return chart(deps, { id, currency, ratedKw, zones: zones.get(plantId)!, kinds, isPlant: false }, span);
}

async function chart(deps: OperationDependencies, subject: EnergySubject, span: ChartSpan): Promise<EnergyRow[]> {
  const { zones } = subject;
  const now = deps.clock.now();
  const byDay = Map.groupBy(await periodsOf(deps, [...subject.kinds.keys()], span, dayOf(zones, now)), ({ firstDay }) => firstDay);
  return [...byDay.keys()].toSorted((a, b) => a - b).map((day) => energyRow(subject, day, noonOf(zones, day), byDay.get(day)!, now));
}

async function periodsOf({ db, telemetry }: OperationDependencies, bindingNos: readonly number[], span: ChartSpan, today: number): Promise<BindingPeriod[]> {
  if (span.each === 'day') {
    const { fromDay, toDay } = daysOfMonth(span.month ?? monthOf(today));
    return ofDays(await telemetry.daysOf(db, bindingNos, fromDay, toDay));
  }
  if (span.each === 'year') return ofYears(await telemetry.monthsOf(db, bindingNos, 0, 999_912));
  const year = span.year ?? yearOf(today);
  return ofMonths(await telemetry.monthsOf(db, bindingNos, year * 100 + 1, year * 100 + 12));
}
