import { setImmediate as nextTurn } from 'node:timers/promises';
import { arraysOf } from '../../../fleet/plants/arrays.ts';
import type { SunObserver } from '../../../fleet/devices/sun.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { bindingsOfPlants } from '../../../fleet/plants/bindings.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import { dayOf, dayWindow, type Zones } from '../../../platform/calendar/plant-calendar.ts';
import {
  daylightOf,
  expectedDay,
  isCovered,
  type ExpectedDay,
} from '../../expected/day-figures.ts';
import { expectedSteps, type LightSource, type ModelUnit } from '../../expected/model.ts';
import type { Orientation } from '../../expected/plane.ts';
import { MEANS_STEP_MS, type MeansSteps } from '../../expected/step-means.ts';
import { uncertaintyPercent, type Basis } from '../../expected/uncertainty.ts';
import type { FigureSources } from '../sources.ts';
import { isThere, type Expectation } from './expectation.ts';
import { learnedDays } from './learned-days.ts';
import { lightSources, readStation, type StationDay } from './station-days.ts';
import { readService } from './weather-days.ts';
import { findStations, type Station } from './stations.ts';
import { findInverters, performanceUnitsOf, type Inverter } from './units.ts';

/** How many weather stations are asked of a day. */
const STATIONS_OF_A_DAY = 4;

/** Why nothing is expected: what would have to be known. */
export type MissingFigure =
  | 'arrays'
  | 'position'
  | 'irradiance'
  | 'clearDays'
  | 'gaps'
  | 'production';

/** A local day of a plant. */
export interface ExpectedPlantDay {
  /** yyyymmdd */
  readonly day: number;
  readonly span: MeansSteps;
  readonly expectation: Expectation | undefined;
  readonly missing: MissingFigure | undefined;
}

/** What was expected of a plant. */
export interface ExpectedPlantDays {
  readonly zones: Zones;
  readonly capacityKwp: number;
  readonly inverters: readonly Inverter[];
  readonly days: readonly ExpectedPlantDay[];
}

/**
 * What a plant should have delivered on local days, ascending; today up to the last whole step. Calculated from the readings of weather stations, so that late
 * ones count: one series tells of a plant of any size. On days without any irradiance, from what its inverters learned on clear days.
 */
export async function expectedDays(
  sources: FigureSources,
  plant: VisiblePlant,
  wanted: (today: number) => readonly number[],
): Promise<ExpectedPlantDays> {
  const { db, clock } = sources;
  const { id, latitude, longitude } = plant;
  const [bindings, zonesById] = await Promise.all([
    bindingsOfPlants(db, [id]),
    zonesOf(db, [{ ...plant, plantId: id }]),
  ]);
  const zones = zonesById.get(id)!;
  const now = clock.now();
  const days = wanted(dayOf(zones, now)).map((day) => ({ day, span: stepsOf(zones, day, now) }));
  const { arrays } = arraysOf(plant);
  const inverters = await findInverters(db, bindings);
  const known = {
    zones,
    inverters,
    capacityKwp:
      arrays.length > 0
        ? arrays.reduce((sum, { capacityKwp }) => sum + capacityKwp, 0)
        : plant.capacityKwp,
  };
  const without = (missing: MissingFigure): ExpectedPlantDays => ({
    ...known,
    days: days.map((each) => ({ ...each, expectation: undefined, missing })),
  });
  if (latitude === null || longitude === null)
    return without(arrays.length === 0 ? 'arrays' : 'position');
  const place = { latitude, longitude };
  const stations = arrays.length === 0 ? [] : await findStations(db, plant, place, bindings);
  const found = new Map<number, Expectation>();
  const measured = new Set<number>();
  const asked = new Map<number, number>();
  for (const station of stations) {
    const open = days.filter(
      ({ day, span }) =>
        !found.has(day) &&
        isThere(station.binding, span) &&
        (asked.get(day) ?? 0) < STATIONS_OF_A_DAY,
    );
    if (open.length === 0) continue;
    for (const { day } of open) asked.set(day, (asked.get(day) ?? 0) + 1);
    const spans = open.map(({ span }) => span);
    for (const [i, seen] of (await readStation(sources, station, spans)).entries()) {
      const { day, span } = open[i]!;
      const there = inverters.filter(({ binding }) => isThere(binding, span));
      const units = performanceUnitsOf(arrays, there);
      const planes = units.flatMap((unit) => unit.arrays.map(({ plane }) => plane));
      const light = lightSources(seen, station, planes);
      if (light.length > 0) measured.add(day);
      const source = light.find((one) => isCovered(coverageOf(place, seen, one)));
      if (source === undefined) continue;
      found.set(day, expectationOf(place, units, { station, seen, planes, source }));
      // A year of many arrays takes seconds; other requests are answered in between.
      await nextTurn();
    }
  }
  const left = arrays.length === 0 ? [] : days.filter(({ day }) => !found.has(day));
  const service = await readService(
    sources,
    place,
    left.map(({ span }) => span),
  );
  for (const [i, seen] of service.days.entries()) {
    const { day, span } = left[i]!;
    if (!seen.has('global')) continue;
    if (!isCovered(coverageOf(place, seen, 'global'))) continue;
    const there = inverters.filter(({ binding }) => isThere(binding, span));
    const units = performanceUnitsOf(arrays, there);
    measured.add(day);
    found.set(day, expectationOf(place, units, { ...SERVICE, licence: service.licence, seen }));
    await nextTurn();
  }
  const dark = days.filter(({ day }) => !measured.has(day));
  const learned = await learnedDays(sources, plant, { place, zones }, inverters, dark);
  return {
    ...known,
    days: days.map(({ day, span }) => {
      const expectation = found.get(day) ?? learned.found.get(day);
      const lack = measured.has(day) ? 'gaps' : learned.missing(day);
      const word = lack === 'irradiance' && arrays.length === 0 ? 'arrays' : lack;
      return { day, span, expectation, missing: expectation ? undefined : word };
    }),
  };
}

/** How much of a day's light a station knows, in one kind of light. */
function coverageOf(
  place: SunObserver,
  seen: StationDay,
  source: LightSource,
): Pick<ExpectedDay, 'daylightMs' | 'coveredMs'> {
  return {
    daylightMs: daylightOf(place, seen.steps),
    coveredMs: daylightOf(place, seen.steps, (step) => seen.at(step)[source] !== undefined),
  };
}

/** The steps of a local day; of today, those that are over. */
function stepsOf(zones: Zones, day: number, now: number): MeansSteps {
  const { startAt, endAt } = dayWindow(zones, day);
  return {
    startAt,
    count: Math.max(0, Math.floor((Math.min(now, endAt) - startAt) / MEANS_STEP_MS)),
  };
}

/** What a station's day says is expected, by one kind of the light that it measures. */
function expectationOf(
  place: SunObserver,
  units: readonly ModelUnit[],
  {
    station: { distanceKm },
    seen,
    planes,
    source,
    isFromService = false,
    licence,
  }: {
    station: Pick<Station, 'distanceKm'>;
    seen: StationDay;
    planes: readonly Orientation[];
    source: LightSource;
    isFromService?: boolean;
    licence?: string | undefined;
  },
): Expectation {
  const steps = expectedSteps(place, units, seen.steps, source, (step) => seen.at(step));
  const basis: Basis = {
    source,
    isDivided: seen.has('direct', 'diffuse'),
    isPlaneAssumed: !seen.has('global') && planes.some(({ tilt }) => tilt > LEVEL_DEGREES),
    temperature: seen.has('moduleC') ? 'module' : seen.has('ambientC') ? 'ambient' : 'none',
    distanceKm,
    isFromService,
  };
  return {
    ...expectedDay(steps),
    method: isFromService ? 'service' : source,
    distanceKm,
    uncertaintyPercent: uncertaintyPercent(basis),
    coldestC: coldestOf(seen),
    steps,
    units,
    licence,
  };
}

function coldestOf({ steps, at }: StationDay): number | undefined {
  const known = Array.from({ length: steps.count }, (_, step) => at(step).ambientC ?? Infinity);
  const coldest = Math.min(...known);
  return coldest === Infinity ? undefined : coldest;
}

/** A weather service knows the square in which a plant is. */
const SERVICE = {
  station: { distanceKm: 0 },
  planes: [],
  source: 'global',
  isFromService: true,
} as const;

/** Up to this tilt, the light in the plane of modules is the global one. */
const LEVEL_DEGREES = 5;
