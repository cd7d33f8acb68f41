import { MINUTE_MS } from '@helioport/contract/durations';
import type { ChannelName, PlantDayRow, QuantityName, Values } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';
import type { VisiblePlant } from '../../../fleet/plants/access.ts';
import { bindingsOfPlants, type Binding } from '../../../fleet/plants/bindings.ts';
import { zonesOf } from '../../../fleet/plants/zones.ts';
import {
  dayOf,
  dayWindow,
  offsetAt,
  type Zones,
} from '../../../platform/calendar/plant-calendar.ts';
import type { CurvePoint } from '../../telemetry/telemetry.ts';
import { added, type Sum } from '../energy/sums.ts';
import { boundDay, partsOfDay, type DayPart } from '../day-windows.ts';
import type { FigureSources } from '../sources.ts';
import { modulesLimit, type Modules } from './modules.ts';
import {
  channelPrecedence,
  meanPrecedence,
  partOfPlant,
  powerPrecedence,
  type SourcePrecedence,
} from './precedence.ts';
import { dayCoverage, preferredKind, type PeriodCoverage } from './preferred-kind.ts';

const STEP_MS = 5 * MINUTE_MS;

/** For how long a device's value is held while others report newer ones; the same as the longest gap across which energy is integrated. */
const HELD_MS = 60 * MINUTE_MS;

/** The curve of one device on the day. */
interface DeviceCurve extends DayPart {
  readonly rows: readonly CurvePoint[];
  /** Index of the first row at or after the end of the current point's step. */
  next: number;
  /** The newest value of each quantity in the rows before `next`. */
  readonly held: Map<QuantityName, { readonly value: number; readonly at: number }>;
}

const chartQuantities: readonly QuantityName[] = [...powerPrecedence, ...meanPrecedence].map(
  ([name]) => name,
);

/**
 * The powers of a plant every five minutes of a local day (yyyymmdd; undefined = today). A point uses each device's last reading
 * within its five minutes or, if there is none, the last one before them. Points at which no device reported are left out.
 */
export async function plantDayRows(
  sources: FigureSources,
  plant: VisiblePlant,
  chosen: number | undefined,
): Promise<PlantDayRow[]> {
  const { db, clock } = sources;
  const { id, timeZone, zoneChanged } = plant;
  const [bindings, zonesById] = await Promise.all([
    bindingsOfPlants(db, [id]),
    zonesOf(db, [{ plantId: id, timeZone, zoneChanged }]),
  ]);
  const zones = zonesById.get(id)!;
  return plantDayRowsOf(sources, plant, {
    bindings,
    zones,
    day: chosen ?? dayOf(zones, clock.now()),
  });
}

/** A local day of a plant, with the data from which its rows are computed. */
interface PlantDay {
  readonly bindings: readonly Binding[];
  readonly zones: Zones;
  readonly day: number;
}

/** The rows of `plantDayRows`, for a plant whose bindings and zones have been read already. */
export async function plantDayRowsOf(
  { db, telemetry }: FigureSources,
  plant: Modules & Pick<VisiblePlant, 'currency'>,
  { bindings, zones, day }: PlantDay,
) {
  const window = dayWindow(zones, day);
  const parts = partsOfDay(bindings, window).filter(({ binding }) => binding.kind !== 'collector');
  const rows = await telemetry.dayCurves(db, day, parts.map(boundDay), false);
  const curves = parts.map((part, i): DeviceCurve => ({
    ...part,
    rows: rows[i]!,
    next: 0,
    held: new Map(),
  }));
  const sources = channelKinds(curves, day);
  const limited = modulesLimit(plant, zones, day);
  return pointsOf(curves, window.startAt).map((at): PlantDayRow => {
    for (const curve of curves) advance(curve, at + STEP_MS);
    const energies = energiesAt(curves, sources, limited);
    return {
      at,
      currency: plant.currency,
      energies,
      values: valuesAt(curves, at),
      offsetMinutes: offsetAt(zones, at) / MINUTE_MS,
      income: energies.production?.amounts?.today,
    };
  });
}

/** Starts of the steps in which any device reported, ascending. */
function pointsOf(curves: readonly DeviceCurve[], startAt: number): number[] {
  const points = new Set<number>();
  for (const { rows } of curves)
    for (const { at } of rows) points.add(startAt + Math.floor((at - startAt) / STEP_MS) * STEP_MS);
  return [...points].toSorted((a, b) => a - b);
}

function advance(curve: DeviceCurve, endAt: number): void {
  for (; curve.next < curve.rows.length; curve.next++) {
    const { at, values } = curve.rows[curve.next]!;
    if (at >= endAt) return;
    for (const name of chartQuantities) {
      const value = values[name];
      if (value !== undefined) curve.held.set(name, { value, at });
    }
  }
}

/** The kind of device used for each channel on this day: the same at all points, so that the last point agrees with the day's energy. */
function channelKinds(
  curves: readonly DeviceCurve[],
  day: number,
): readonly (readonly [ChannelName, DeviceKind])[] {
  const byKind = Map.groupBy(curves, ({ binding }) => binding.kind);
  const records = new Map(
    [...byKind].map(([kind, own]) => [kind, own.flatMap(({ rows }) => recordOf(rows, day) ?? [])]),
  );
  return channelPrecedence.flatMap(([channel, sources]) => {
    const kind = preferredKind(sources, (one) => records.get(one), channel);
    return kind === undefined ? [] : [[channel, kind] as const];
  });
}

function recordOf(rows: readonly CurvePoint[], day: number): PeriodCoverage | undefined {
  const [first, last] = [rows[0], rows.at(-1)];
  return (
    first &&
    last &&
    dayCoverage({ day, firstAt: first.at, lastAt: last.at, energies: last.energies })
  );
}

/** Energy and money of the day up to a point. */
interface DaySum {
  readonly todayKwh: number;
  readonly amounts: { readonly today: number } | undefined;
}

function energiesAt(
  curves: readonly DeviceCurve[],
  kinds: readonly (readonly [ChannelName, DeviceKind])[],
  limited: (produced: Sum) => Sum,
): { [C in ChannelName]?: DaySum } {
  const energies: { [C in ChannelName]?: DaySum } = {};
  for (const [channel, kind] of kinds) {
    let sum: Sum | undefined;
    for (const { binding, rows, next } of curves) {
      const energy = binding.kind === kind ? rows[next - 1]?.energies[channel] : undefined;
      if (energy)
        sum = added(sum, { kwh: energy.dayKwh, amount: energy.dayAmount, estimated: false });
    }
    if (sum && channel === 'production') sum = limited(sum);
    if (sum)
      energies[channel] = {
        todayKwh: sum.kwh,
        amounts: sum.amount === undefined ? undefined : { today: sum.amount },
      };
  }
  return energies;
}

function valuesAt(curves: readonly DeviceCurve[], at: number): Values {
  const values: { [Name in QuantityName]?: number } = {};
  for (const [name, sources] of powerPrecedence) {
    const held = heldOf(curves, sources, name, at);
    if (held) values[name] = held.sum;
  }
  for (const [name, sources] of meanPrecedence) {
    const held = heldOf(curves, sources, name, at);
    if (held) values[name] = held.sum / held.count;
  }
  return values;
}

/** Sum and number of a quantity's values at a point, from the first kind of device that has any. */
function heldOf(
  curves: readonly DeviceCurve[],
  sources: SourcePrecedence,
  name: QuantityName,
  at: number,
): { sum: number; count: number } | undefined {
  for (const kind of sources) {
    let [sum, count] = [0, 0];
    for (const { binding, toAt, held } of curves) {
      const newest = binding.kind === kind && toAt > at ? held.get(name) : undefined;
      if (!newest || newest.at < at - HELD_MS) continue;
      sum += partOfPlant(name, newest.value);
      count += 1;
    }
    if (count > 0) return { sum, count };
  }
  return undefined;
}
