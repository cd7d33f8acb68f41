import { quantities, type QuantityName } from '@helioport/contract';
import type { DeviceKind } from '../devices/devices.ts';

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
