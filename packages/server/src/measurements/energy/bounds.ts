import { quantities, type QuantityName } from '@helioport/contract';
import type { DayWindow } from '../../platform/calendar/plant-calendar.ts';
import type { DeviceKind } from '../../fleet/devices/devices.ts';
import { energyChannels, PRODUCTION, type EnergyChannel } from './channels.ts';
import { clearSkyHours } from './clear-sky.ts';
import { MWH_PER_KWH, type CounterLimits } from './counter.ts';
import type { DeviceLimits } from './day-rules.ts';
import type { DayState } from './day-state.ts';
import type { GapPosition } from './gap-shares.ts';

/** Facts about a device and its plant that limit how much energy can flow. */
export interface BoundsSubject {
  readonly kind: DeviceKind;
  /** Rated AC power; null = unknown. */
  readonly ratedPowerW: number | null;
  /** Peak power of the plant's modules; 0 or null = unknown. */
  readonly capacityKwp: number | null;
}

/** A power is believed up to this multiple of the rated power. */
const READING_MARGIN = 3;
/** Upper bound when nothing is known about the device. */
const DEVICE_AT_MOST_W = 10_000_000;

// These quantities measure power through the house or the plant, not through the device.
const UNRATED = new Set<QuantityName>(['gridPowerW', 'loadPowerW', 'generatorPowerW']);

/** A plant from this size on may be metered at the voltage of its own transformer. */
const MEDIUM_VOLTAGE_KWP = 500;
const MEDIUM_VOLTAGE_AT_MOST_V = 50_000;

/** The values that a quantity of a device can have, in its unit: as declared, and powers that the device itself carries by its rating. */
export function readingBounds(
  name: QuantityName,
  { kind, ratedPowerW, capacityKwp }: BoundsSubject,
): readonly [atLeast: number, atMost: number] {
  const { bounds, unit } = quantities.get(name)!;
  const isInverter = kind === 'inverter';
  const isRated = isInverter && ratedPowerW !== null && ratedPowerW > 0;
  if (bounds !== 'power') {
    // How far a counter can have come is judged where it is counted: its rating may be corrected later.
    if (unit === 'V' && !isInverter && (capacityKwp ?? 0) >= MEDIUM_VOLTAGE_KWP)
      return [bounds[0], MEDIUM_VOLTAGE_AT_MOST_V];
    return bounds;
  }
  const isOwn = isInverter && !UNRATED.has(name);
  // A meter measures the whole plant, however large.
  const plantW = isOwn ? 0 : READING_MARGIN * 1000 * (capacityKwp ?? 0);
  const atMost =
    isOwn && isRated ? READING_MARGIN * ratedPowerW : Math.max(DEVICE_AT_MOST_W, plantW);
  return [-atMost, atMost];
}

/**
 * Maximum flow of a channel: a multiple of the device's rated power or, if that is unknown or does not apply, of the plant's capacity, but never
 * below `atLeastW`.
 */
interface FlowBound {
  /** Undefined if the device does not limit the flow. For example, a house may buy more than its inverter can deliver. */
  readonly ratedTimes: number | undefined;
  readonly capacityTimes: number;
  readonly atLeastW: number;
}

// Inverters can exceed their rating for a while, and modules their peak power by a little.
const [RATED_TIMES, CAPACITY_TIMES] = [1.5, 1.3] as const;
// Bounds for energy that comes only partly from the modules, or not at all.
const FOREIGN: FlowBound = { ratedTimes: undefined, capacityTimes: 10, atLeastW: 1_000_000 };
const STORED: FlowBound = { ratedTimes: RATED_TIMES, capacityTimes: 3, atLeastW: 0 };
/** Maximum irradiance at ground level, W/m². */
const IRRADIANCE_AT_MOST = 2_000;

const flowBounds: { readonly [C in EnergyChannel]?: FlowBound } = {
  production: { ratedTimes: RATED_TIMES, capacityTimes: CAPACITY_TIMES, atLeastW: 0 },
  gridExport: { ratedTimes: undefined, capacityTimes: 3, atLeastW: 0 },
  batteryCharge: STORED,
  batteryDischarge: STORED,
  backup: STORED,
  gridImport: FOREIGN,
  load: FOREIGN,
  generator: FOREIGN,
};

/** Limit for growth across a counter reset if neither rating nor capacity is known, and for FOREIGN channels, W. */
const RESET_AT_MOST_W = 100_000;

/** Snow, cold and cloud edges can raise the yield above that of a clear sky. */
const CLEAR_SKY_TIMES = 1.5;

/** What the sun can give a device at its height, W; undefined if its size is unknown. The larger size counts: one of the two may be out of date. */
function sunLimitW({ kind, ratedPowerW, capacityKwp }: BoundsSubject): number | undefined {
  const sizeW = Math.max(
    1000 * (capacityKwp ?? 0),
    kind === 'inverter' && capacityKwp ? (ratedPowerW ?? 0) : 0,
  );
  return sizeW > 0 ? sizeW * CLEAR_SKY_TIMES : undefined;
}

/** The bounds for counter growth, by channel number. */
export function counterLimits(subject: BoundsSubject): DeviceLimits {
  const sunW = sunLimitW(subject);
  const of = (daily: boolean): CounterLimits[] =>
    energyChannels.map((name) => ({
      ...flowLimits(flowBounds[name], subject),
      sunW: name === 'production' ? sunW : undefined,
      daily,
    }));
  return { total: of(false), today: of(true) };
}

function flowLimits(
  bound: FlowBound | undefined,
  { kind, ratedPowerW, capacityKwp }: BoundsSubject,
): Omit<CounterLimits, 'daily'> {
  if (!bound) return { limitW: IRRADIANCE_AT_MOST, resetLimitW: IRRADIANCE_AT_MOST };
  const ratedW = kind === 'inverter' ? (ratedPowerW ?? 0) : 0;
  if (ratedW > 0 && bound.ratedTimes !== undefined)
    return { limitW: ratedW * bound.ratedTimes, resetLimitW: ratedW * bound.ratedTimes };
  const plantW = capacityKwp !== null && capacityKwp > 0 ? capacityKwp * 1000 : ratedW;
  if (plantW === 0) return { limitW: DEVICE_AT_MOST_W, resetLimitW: RESET_AT_MOST_W };
  const limitW = Math.max(plantW * bound.capacityTimes, bound.atLeastW);
  return { limitW, resetLimitW: bound.atLeastW > 0 ? Math.min(limitW, RESET_AT_MOST_W) : limitW };
}

const DAY_HOURS = 24;

/**
 * The most that a device, and all devices of its plant together, can produce on a local day, mWh. Derived from the device's
 * rating, the plant's modules and, if the position is known, the sun.
 */
export function dayBounds(
  { kind, ratedPowerW, capacityKwp }: BoundsSubject,
  position: GapPosition,
  window: DayWindow,
): Pick<DayState, 'atMost' | 'plantAtMost'> {
  const ratedKw =
    kind === 'inverter' && ratedPowerW !== null && ratedPowerW > 0 ? ratedPowerW / 1000 : Infinity;
  const plantKwh = plantDayKwh(capacityKwp, position, () => window);
  const atMostKwh = Math.min(ratedKw * RATED_TIMES * DAY_HOURS, plantKwh);
  const atMost: number[] = [];
  if (atMostKwh < Infinity) atMost[PRODUCTION] = Math.floor(atMostKwh * MWH_PER_KWH);
  return {
    atMost,
    plantAtMost: plantKwh < Infinity ? Math.floor(plantKwh * MWH_PER_KWH) : undefined,
  };
}

/** The most that a plant's modules can produce on a local day, kWh; Infinity if their capacity is unknown. The day's window is needed only for the sun. */
export function plantDayKwh(
  capacityKwp: number | null,
  { latitude, longitude }: GapPosition,
  windowOf: () => DayWindow,
): number {
  if (capacityKwp === null || capacityKwp <= 0) return Infinity;
  const atMost = capacityKwp * CAPACITY_TIMES * DAY_HOURS;
  if (latitude === null || longitude === null) return atMost;
  const { startAt, endAt } = windowOf();
  return Math.min(
    atMost,
    capacityKwp * CLEAR_SKY_TIMES * clearSkyHours({ latitude, longitude }, startAt, endAt),
  );
}
