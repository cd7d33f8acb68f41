import type { Channel, PlantDayRow, QuantityName, Values } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import type { VisiblePlant } from '../plants/access.ts';
import { stretchesOfPlants } from '../plants/bindings.ts';
import { zonesOf } from '../plants/zones.ts';
import { dayOf, dayWindow, offsetAt } from '../calendar/plant-calendar.ts';
import type { CourseEnergy, CourseRow } from '../telemetry/telemetry.ts';
import { boundDay, partsOfDay, type DayPart } from './day-windows.ts';
import type { FigureSources } from './sources.ts';
import { channelSources, meanSources, powerSources, type Sources } from './plant-sources.ts';
import { dayRecord, tellingKind, type PeriodRecord } from './telling-kinds.ts';

const MINUTE_MS = 60_000;
const STEP_MS = 5 * MINUTE_MS;

/** For how long a device's value stands beside newer ones of other devices: the gap up to which energy is integrated, too. */
const HELD_MS = 60 * MINUTE_MS;

/** One device on the day. */
interface Course extends DayPart {
  readonly rows: readonly CourseRow[];
  /** Rows before this index lie before the end of the point's step. */
  next: number;
  /** The newest value of each quantity among them. */
  readonly held: Map<QuantityName, { readonly value: number; readonly at: number }>;
}

const chartQuantities: readonly QuantityName[] = [...powerSources, ...meanSources].map(([name]) => name);

/**
 * The powers of a plant every five minutes of a local day (yyyymmdd; undefined = today): at each point the last reading of
 * its five minutes, of the devices without one their reading before it. A point without any reading is left out.
 */
export async function plantDayRows(deps: FigureSources, plant: VisiblePlant, chosen: number | undefined): Promise<PlantDayRow[]> {
  const { db, clock, telemetry } = deps;
  const { id, timeZone, zoneChanged, currency } = plant;
  const [stretches, zonesById] = await Promise.all([stretchesOfPlants(db, [id]), zonesOf(db, [{ plantId: id, timeZone, zoneChanged }])]);
  const zones = zonesById.get(id)!;
  const day = chosen ?? dayOf(zones, clock.now());
  const window = dayWindow(zones, day);
  const parts = partsOfDay(stretches, window).filter(({ stretch }) => stretch.kind !== 'collector');
  const rows = await telemetry.dayCourses(db, day, parts.map(boundDay), false);
  const courses = parts.map((part, i): Course => ({ ...part, rows: rows[i]!, next: 0, held: new Map() }));
  const sources = channelKinds(courses, day);
  return pointsOf(courses, window.startAt).map((at): PlantDayRow => {
    for (const course of courses) advance(course, at + STEP_MS);
    const energies = energiesAt(courses, sources);
    return {
      at,
      currency,
      energies,
      values: valuesAt(courses, at),
      offsetMinutes: offsetAt(zones, at) / MINUTE_MS,
      income: energies.production?.amounts?.today,
    };
  });
}

/** Begins of the steps in which something was read, ascending. */
function pointsOf(courses: readonly Course[], startAt: number): number[] {
  const points = new Set<number>();
  for (const { rows } of courses) for (const { at } of rows) points.add(startAt + Math.floor((at - startAt) / STEP_MS) * STEP_MS);
  return [...points].toSorted((a, b) => a - b);
}

function advance(course: Course, endAt: number): void {
  for (; course.next < course.rows.length; course.next++) {
    const { at, values } = course.rows[course.next]!;
    if (at >= endAt) return;
    for (const name of chartQuantities) {
      const value = values[name];
      if (value !== undefined) course.held.set(name, { value, at });
    }
  }
}

/** The kind of devices that tells each channel on this day: one for all points, so that the last agrees with the day's energy. */
function channelKinds(courses: readonly Course[], day: number): readonly (readonly [Channel, DeviceKind])[] {
  const byKind = Map.groupBy(courses, ({ stretch }) => stretch.kind);
  const records = new Map([...byKind].map(([kind, own]) => [kind, own.flatMap(({ rows }) => recordOf(rows, day) ?? [])]));
  return channelSources.flatMap(([channel, sources]) => {
    const kind = tellingKind(sources, (one) => records.get(one), channel);
    return kind === undefined ? [] : [[channel, kind] as const];
  });
}

function recordOf(rows: readonly CourseRow[], day: number): PeriodRecord | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  return first && last && dayRecord({ day, firstAt: first.at, lastAt: last.at, energies: last.energies });
}

/** Energy and money of the day up to a point. */
interface DaySum {
  readonly todayKwh: number;
  readonly amounts: { readonly today: number } | undefined;
}

function energiesAt(courses: readonly Course[], kinds: readonly (readonly [Channel, DeviceKind])[]): { [C in Channel]?: DaySum } {
  const energies: { [C in Channel]?: DaySum } = {};
  for (const [channel, kind] of kinds) {
    for (const { stretch, rows, next } of courses) {
      const energy = stretch.kind === kind ? rows[next - 1]?.energies[channel] : undefined;
      if (energy) energies[channel] = added(energies[channel], energy);
    }
  }
  return energies;
}

const added = (sum: DaySum | undefined, { dayKwh, dayAmount }: CourseEnergy): DaySum => ({
  todayKwh: (sum?.todayKwh ?? 0) + dayKwh,
  amounts: dayAmount === undefined ? sum?.amounts : { today: (sum?.amounts?.today ?? 0) + dayAmount },
});

function valuesAt(courses: readonly Course[], at: number): Values {
  const values: { [Name in QuantityName]?: number } = {};
  for (const [name, sources] of powerSources) {
    const held = heldOf(courses, sources, name, at);
    if (held) values[name] = held.sum;
  }
  for (const [name, sources] of meanSources) {
    const held = heldOf(courses, sources, name, at);
    if (held) values[name] = held.sum / held.count;
  }
  return values;
}

/** What the devices of the best kind that says anything say at a point. */
function heldOf(courses: readonly Course[], sources: Sources, name: QuantityName, at: number): { sum: number; count: number } | undefined {
  for (const kind of sources) {
    let [sum, count] = [0, 0];
    for (const { stretch, toAt, held } of courses) {
      const newest = stretch.kind === kind && toAt > at ? held.get(name) : undefined;
      if (!newest || newest.at < at - HELD_MS) continue;
      sum += newest.value;
      count += 1;
    }
    if (count > 0) return { sum, count };
  }
  return undefined;
}
