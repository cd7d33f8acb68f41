import { quantities, type QuantityName } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';
import { channels, type Channel } from './channels.ts';
import type { CounterLimits } from './counter.ts';
import type { DeviceLimits } from './day-rules.ts';

/** What is known of a device and of its plant that limits how much energy can flow. */
export interface BoundsSubject {
  readonly kind: DeviceKind;
  /** Rated AC power; null = not known. */
  readonly ratedPowerW: number | null;
  /** Peak power of the plant's modules; 0 or null = not known. */
  readonly capacityKwp: number | null;
}

/** A reading of a power is believed up to so many times the rated power. */
const READING_MARGIN = 3;
/** What no single device reaches, where nothing is known of it. */
const DEVICE_AT_MOST_W = 10_000_000;

// What these measure flows through the house or the plant, not through the device.
const UNRATED = new Set<QuantityName>(['gridPowerW', 'loadPowerW', 'generatorPowerW']);
const POWER_UNITS = new Set(['W', 'Var', 'VA']);

/** Absolute value beyond which a reading of a quantity is refused, in its unit (W, var or VA); Infinity for what is no power. */
export function readingBound(name: QuantityName, { kind, ratedPowerW, capacityKwp }: BoundsSubject): number {
  if (!POWER_UNITS.has(quantities.get(name)!.unit)) return Number.POSITIVE_INFINITY;
  const isOwn = kind === 'inverter' && !UNRATED.has(name);
  if (isOwn && ratedPowerW !== null && ratedPowerW > 0) return READING_MARGIN * ratedPowerW;
  // A meter tells of the whole plant, however large.
  const plantW = isOwn ? 0 : READING_MARGIN * 1000 * (capacityKwp ?? 0);
  return Math.max(DEVICE_AT_MOST_W, plantW);
}

/** What of a channel may flow: so many times the device's rated power, else the plant's capacity, and never less than a floor. */
interface FlowBound {
  /** Undefined where what flows is not the device's: a house buys whatever its inverter can do. */
  readonly ratedTimes: number | undefined;
  readonly capacityTimes: number;
  readonly atLeastW: number;
}

// Inverters deliver more than their rating for a while, and modules a little more than their peak.
const [RATED_TIMES, CAPACITY_TIMES] = [1.5, 1.3] as const;
// What flows in from elsewhere.
const FOREIGN: FlowBound = { ratedTimes: undefined, capacityTimes: 10, atLeastW: 1_000_000 };
const STORED: FlowBound = { ratedTimes: RATED_TIMES, capacityTimes: 3, atLeastW: 0 };
/** Nothing on the ground shines brighter, W/m². */
const IRRADIANCE_AT_MOST = 2_000;

const flowBounds: { readonly [C in Channel]?: FlowBound } = {
  production: { ratedTimes: RATED_TIMES, capacityTimes: CAPACITY_TIMES, atLeastW: 0 },
  gridExport: { ratedTimes: undefined, capacityTimes: 3, atLeastW: 0 },
  batteryCharge: STORED,
  batteryDischarge: STORED,
  backup: STORED,
  gridImport: FOREIGN,
  load: FOREIGN,
  generator: FOREIGN,
};

/** Where neither rating nor capacity is known, and of what flows in from elsewhere: what grew unseen before a reset, W. */
const RESET_AT_MOST_W = 100_000;

/** What a counter's growth is judged by, by channel number. */
export function counterLimits(subject: BoundsSubject): DeviceLimits {
  const of = (daily: boolean): CounterLimits[] => channels.map((name) => ({ ...flowLimits(flowBounds[name], subject), daily }));
  return { total: of(false), today: of(true) };
}

function flowLimits(bound: FlowBound | undefined, { kind, ratedPowerW, capacityKwp }: BoundsSubject): Omit<CounterLimits, 'daily'> {
  if (!bound) return { limitW: IRRADIANCE_AT_MOST, resetLimitW: IRRADIANCE_AT_MOST };
  const ratedW = kind === 'inverter' ? (ratedPowerW ?? 0) : 0;
  if (ratedW > 0 && bound.ratedTimes !== undefined) return { limitW: ratedW * bound.ratedTimes, resetLimitW: ratedW * bound.ratedTimes };
  const plantW = capacityKwp !== null && capacityKwp > 0 ? capacityKwp * 1000 : ratedW;
  if (plantW === 0) return { limitW: DEVICE_AT_MOST_W, resetLimitW: RESET_AT_MOST_W };
  const limitW = Math.max(plantW * bound.capacityTimes, bound.atLeastW);
  return { limitW, resetLimitW: bound.atLeastW > 0 ? Math.min(limitW, RESET_AT_MOST_W) : limitW };
}
