import { hash } from 'node:crypto';
import type { VisiblePlant } from '../../fleet/plants/access.ts';
import { arraysOf } from '../../fleet/plants/arrays.ts';
import { bindingsOfPlants, type Binding } from '../../fleet/plants/bindings.ts';
import { zonesOf } from '../../fleet/plants/zones.ts';
import { calendarOf, dayWindow, type Zones } from '../../platform/calendar/plant-calendar.ts';
import { plantPrices, type PlantPrices } from '../../measurements/energy/plant-prices.ts';
import { findStations } from '../../measurements/figures/performance/stations.ts';
import { findInverters, type Inverter } from '../../measurements/figures/performance/units.ts';
import { utcDayOf, weatherOf } from '../../measurements/weather/stored-weather.ts';
import type { FigureSources } from '../../measurements/figures/sources.ts';
import type { DayRollup } from '../../measurements/telemetry/telemetry.ts';
import { findGridAlarms } from './grid-alarms.ts';
import { readLearnedFacts } from './learned-facts.ts';
import { findSetLimits, type SetLimits } from './set-limits.ts';
import type { GridAlarm, SetLimit, Stretch } from './causes/loss-day.ts';

/** Losses that were calculated by other rules are calculated anew. */
const RULES = 3;

/** All that losses of a plant on some days are calculated from, but its readings. */
export interface LossFacts {
  readonly zones: Zones;
  readonly inverters: readonly Inverter[];
  readonly meters: readonly Binding[];
  readonly prices: PlantPrices;
  readonly limits: SetLimits;
  /** When a binding first measured. */
  readonly firstReports: ReadonlyMap<number, number>;
  gridAlarms(sn: string | undefined): readonly GridAlarm[];
  /** What a weather service said, by days of UTC. */
  readonly weather: ReadonlyMap<number, string>;
  rollups(day: number): readonly DayRollup[];
  /** Of all of it that concerns a day, the readings by their roll-ups. */
  digestOf(day: number): string;
}

/** Reads the facts of a plant between two of its days, inclusive; if nothing can be expected of it on any day, why. */
export async function readFacts(
  sources: Pick<FigureSources, 'db' | 'telemetry'>,
  plant: VisiblePlant,
  fromDay: number,
  toDay: number,
): Promise<LossFacts | 'arrays' | 'position' | 'irradiance'> {
  const { db, telemetry } = sources;
  const { id, latitude, longitude } = plant;
  const hasArrays = arraysOf(plant).arrays.length > 0;
  if (latitude === null || longitude === null) return hasArrays ? 'position' : 'arrays';
  const [bindings, zonesById] = await Promise.all([
    bindingsOfPlants(db, [id]),
    zonesOf(db, [{ ...plant, plantId: id }]),
  ]);
  const zones = zonesById.get(id)!;
  const place = { latitude, longitude };
  const stations = hasArrays ? await findStations(db, plant, place, bindings) : [];
  const inverters = await findInverters(db, bindings);
  const [spanFrom, spanTo] = [dayWindow(zones, fromDay).startAt, dayWindow(zones, toDay).endAt];
  const weather = hasArrays ? await weatherOf(db, place, spanFrom, spanTo) : [];
  const learned = await readLearnedFacts(sources, plant, { place, zones }, inverters, {
    fromDay,
    toDay,
  });
  if (stations.length === 0 && weather.length === 0 && !learned.isPossible)
    return hasArrays ? 'irradiance' : 'arrays';
  const stationNos = new Set(stations.map(({ binding }) => binding.no));
  const meters = bindings.filter(({ kind }) => kind === 'epm' || kind === 'ammeter');
  const read = [
    ...[...inverters, ...stations].map(({ binding }) => binding.no),
    ...meters.map(({ no }) => no),
  ];
  const [fromAt, toAt] = [dayWindow(zones, fromDay).startAt, dayWindow(zones, toDay).endAt];
  const rollups = Map.groupBy(await telemetry.daysOf(db, read, fromDay, toDay), ({ day }) => day);
  const firstReports = await telemetry.firstReportsOf(
    db,
    inverters.map(({ binding }) => binding.no),
  );
  const limits = await findSetLimits(db, id);
  const gridAlarms = await findGridAlarms(db, id, fromAt, toAt);
  const always = (day: number): unknown[] => [
    RULES,
    arraysOf(plant).arrays,
    [latitude, longitude],
    [plant.tariffs, plant.pricePerKwh],
    inverters.map(({ sn, ratedW, binding: { no, fromAt: from, toAt: to } }) => [
      sn,
      ratedW,
      no,
      from,
      to,
    ]),
    stations.map(({ binding: { no }, distanceKm }) => [no, distanceKm]),
    // What a station saw counts more.
    (rollups.get(day) ?? []).some(({ bindingNo }) => stationNos.has(bindingNo))
      ? []
      : learned.of(day),
  ];
  const facts = {
    zones,
    inverters,
    meters,
    prices: plantPrices(plant, calendarOf(zones)),
    limits,
    firstReports,
    gridAlarms,
    rollups: (day: number) => rollups.get(day) ?? [],
    weather: new Map(weather.map(({ day, samples }) => [day, samples])),
  };
  return { ...facts, digestOf: (day) => digestOf(facts, always(day), day) };
}

/** The digest of what concerns a day. `always`: what is not measured on the day. */
function digestOf(
  {
    zones,
    inverters,
    limits,
    firstReports,
    gridAlarms,
    rollups,
    weather,
  }: Omit<LossFacts, 'digestOf'>,
  always: unknown,
  day: number,
): string {
  const { startAt, endAt } = dayWindow(zones, day);
  const isOn = (each: Stretch): boolean => each.fromAt < endAt && each.toAt > startAt;
  const cut = (each: SetLimit | GridAlarm) => ({ ...each, toAt: Math.min(each.toAt, endAt) });
  const facts = [
    startAt,
    endAt,
    rollups(day).map(({ bindingNo, samples, lastAt, peakPowerW, energies }) => [
      bindingNo,
      samples,
      lastAt,
      peakPowerW,
      energies.production,
    ]),
    inverters.map(({ sn, binding }) => [
      (firstReports.get(binding.no) ?? Infinity) < startAt,
      gridAlarms(sn).filter(isOn).map(cut),
      (limits.inverters.get(sn) ?? []).filter(isOn).map(cut),
    ]),
    limits.exported.filter(isOn).map(cut),
    [utcDayOf(startAt), utcDayOf(endAt)].flatMap((each) => weather.get(each) ?? []),
  ];
  return hash('sha256', JSON.stringify([always, facts]), 'base64url');
}
