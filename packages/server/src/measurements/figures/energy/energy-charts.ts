import type { EnergyRow } from '@helioport/contract';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import {
  bindingsOfDevices,
  bindingsOfPlants,
  type Binding,
} from '../../../fleet/plants/bindings.ts';
import type { VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import {
  LAST_MONTH,
  dayOf,
  daysOfMonth,
  monthOf,
  noonOf,
  yearOf,
} from '../../../platform/calendar/plant-calendar.ts';
import type { FigureSources } from '../sources.ts';
import { monthsOfPlants } from '../plant/excess-production.ts';
import {
  energyRow,
  ofDays,
  ofMonths,
  ofYears,
  type EnergySubject,
  type BindingPeriod,
} from './energy-rows.ts';

/** The period that a chart covers: the days of a month (yyyymm), the months of a year, or all years. Undefined = the current month or year. */
export type ChartSpan =
  | { readonly each: 'day'; readonly month: number | undefined }
  | { readonly each: 'month'; readonly year: number | undefined }
  | { readonly each: 'year' };

/** Energies of a plant: the sums over all devices that were ever in it. Computed from roll-ups, never from readings. */
export async function plantChart(
  deps: FigureSources,
  plant: VisiblePlant,
  span: ChartSpan,
): Promise<EnergyRow[]> {
  const { id, currency, capacityKwp, timeZone, zoneChanged } = plant;
  const [bindings, zones] = await Promise.all([
    bindingsOfPlants(deps.db, [id]),
    zonesOf(deps.db, [{ plantId: id, timeZone, zoneChanged }]),
  ]);
  const kinds = new Map(bindings.map(({ no, kind }) => [no, kind]));
  return chart(
    deps,
    {
      id,
      currency,
      ratedKw: capacityKwp,
      zones: zones.get(id)!,
      kinds,
      modules: plant,
      priced: plant,
    },
    span,
  );
}

/** Energies of a device in its current plant. */
export async function deviceChart(
  deps: FigureSources,
  device: VisibleDevice,
  span: ChartSpan,
): Promise<EnergyRow[]> {
  const { id, plantId, currency, ratedPowerW } = device;
  const [everywhere, zones] = await Promise.all([
    bindingsOfDevices(deps.db, [id]),
    zonesOf(deps.db, [device]),
  ]);
  const kinds = new Map(
    everywhere.filter((binding) => binding.plantId === plantId).map(({ no, kind }) => [no, kind]),
  );
  const ratedKw = ratedPowerW === null ? null : ratedPowerW / 1000;
  return chart(
    deps,
    { id, currency, ratedKw, zones: zones.get(plantId)!, kinds, modules: undefined },
    span,
  );
}

/**
 * Energies at a meter. If it is the plant's only meter, figures that it does not measure itself, above all production, are taken from the plant. So a
 * row shows what was produced behind the meter.
 */
export async function meterChart(
  sources: FigureSources,
  meter: VisibleDevice,
  span: ChartSpan,
): Promise<EnergyRow[]> {
  const { id, plantId, currency } = meter;
  const [bindings, zonesByPlant] = await Promise.all([
    bindingsOfPlants(sources.db, [plantId]),
    zonesOf(sources.db, [meter]),
  ]);
  const [zones, now] = [zonesByPlant.get(plantId)!, sources.clock.now()];
  const kindsOf = (of: readonly Binding[]) => new Map(of.map(({ no, kind }) => [no, kind]));
  const own: EnergySubject = {
    id,
    currency,
    ratedKw: null,
    zones,
    kinds: kindsOf(bindings.filter(({ deviceId }) => deviceId === id)),
    modules: undefined,
  };
  const isOnlyMeter = bindings.every(({ kind, deviceId }) => kind !== 'epm' || deviceId === id);
  const plant: EnergySubject | undefined = isOnlyMeter
    ? { ...own, kinds: kindsOf(bindings), modules: meter }
    : undefined;
  const periods = await periodsOf(sources, plant ?? own, span, dayOf(zones, now));
  const ofMeter = Map.groupBy(
    periods.filter(({ bindingNo }) => own.kinds.has(bindingNo)),
    ({ firstDay }) => firstDay,
  );
  const ofPlant = Map.groupBy(periods, ({ firstDay }) => firstDay);
  return [...ofMeter]
    .toSorted(([a], [b]) => a - b)
    .map(([day, measured]) => {
      const row = energyRow(own, day, noonOf(zones, day), measured, now);
      return plant ? completed(row, energyRow(plant, day, row.at, ofPlant.get(day)!, now)) : row;
    });
}

/** A meter's row, with the plant's production, consumption and income where it has none of its own. */
const completed = (row: EnergyRow, { kwh, income }: EnergyRow): EnergyRow => ({
  ...row,
  kwh: {
    ...(kwh.production !== undefined && { production: kwh.production }),
    ...(kwh.load !== undefined && { load: kwh.load, backup: kwh.backup }),
    ...row.kwh,
  },
  income: row.income ?? income,
});

async function chart(
  deps: FigureSources,
  subject: EnergySubject,
  span: ChartSpan,
): Promise<EnergyRow[]> {
  const { zones } = subject;
  const now = deps.clock.now();
  const byDay = Map.groupBy(
    await periodsOf(deps, subject, span, dayOf(zones, now)),
    ({ firstDay }) => firstDay,
  );
  return [...byDay.keys()]
    .toSorted((a, b) => a - b)
    .map((day) => energyRow(subject, day, noonOf(zones, day), byDay.get(day)!, now));
}

async function periodsOf(
  sources: FigureSources,
  subject: EnergySubject,
  span: ChartSpan,
  today: number,
): Promise<BindingPeriod[]> {
  const { db, telemetry } = sources;
  const bindingNos = [...subject.kinds.keys()];
  if (span.each === 'day') {
    const { fromDay, toDay } = daysOfMonth(span.month ?? monthOf(today));
    return ofDays(await telemetry.daysOf(db, bindingNos, fromDay, toDay));
  }
  const year = span.each === 'year' ? undefined : (span.year ?? yearOf(today));
  const [from, to] = year === undefined ? [0, LAST_MONTH] : [year * 100 + 1, year * 100 + 12];
  const months = await monthsOfPlants(
    sources,
    subject.modules ? [{ ...subject, modules: subject.modules }] : [],
    bindingNos,
    from,
    to,
  );
  return span.each === 'year' ? ofYears(months) : ofMonths(months);
}
