import { DAY_MS, HOUR_MS } from '@helioport/contract/durations';
import type { PlantCalendar } from '../../platform/calendar/plant-calendar.ts';
import { sunElevation } from '../../fleet/devices/daylight.ts';
import { clearSkyWm2 } from './clear-sky.ts';

/** Position of the plant; null if unknown. */
export interface GapPosition {
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** A counter's growth on one local day of a gap in its readings. */
export interface GapShare {
  /** yyyymmdd */
  readonly day: number;
  readonly fromAt: number;
  readonly toAt: number;
  /** mWh */
  readonly mwh: number;
}

/** Growth of a counter between two readings of different local days. */
export interface CounterGap {
  readonly growth: number;
  readonly fromAt: number;
  readonly toAt: number;
  /** Whether the counter grows only while the sun shines; otherwise it grows evenly. */
  readonly sunlit: boolean;
  /** The part that belongs to the last day, according to the device's own daily counter; undefined = unknown. */
  readonly lastDayMwh: number | undefined;
}

const STEP_MS = 600_000;
/** Longer gaps are cut to this length: all of their growth goes to the year before the next reading. */
const SPREAD_AT_MOST_MS = 370 * DAY_MS;
// Used if the position is unknown: local hours at which the sun is up in most places for most of the year.
const [SUNRISE_HOUR, SUNSET_HOUR] = [6, 18] as const;

/**
 * Divides growth among the local days of its gap, in ascending order; the last one is always the day of `toAt`. Growth that depends on the sun
 * follows the daylight at the position or, if the position is unknown, the hour of the day. Other growth, and growth in a gap without daylight, is
 * spread evenly.
 */
export function divideGap(
  { growth, fromAt, toAt, sunlit, lastDayMwh }: CounterGap,
  calendar: PlantCalendar,
  position: GapPosition,
): GapShare[] {
  const pieces = piecesOf(calendar, Math.max(fromAt, toAt - SPREAD_AT_MOST_MS), toAt);
  const last = pieces.at(-1)!;
  const isLastDayKnown = lastDayMwh !== undefined && pieces.length > 1;
  const unknownPieces = isLastDayKnown ? pieces.slice(0, -1) : pieces;
  const bright = sunlit
    ? unknownPieces.map((piece) => shineBetween(piece.fromAt, piece.toAt, calendar, position))
    : [];
  const weights = bright.some((weight) => weight > 0)
    ? bright
    : unknownPieces.map((piece) => piece.toAt - piece.fromAt);
  const shares = divided(isLastDayKnown ? growth - lastDayMwh : growth, weights);
  const dealt = unknownPieces.map((piece, i) => ({ ...piece, mwh: shares[i]! }));
  return isLastDayKnown ? [...dealt, { ...last, mwh: lastDayMwh }] : dealt;
}

function shineBetween(
  fromAt: number,
  toAt: number,
  calendar: PlantCalendar,
  position: GapPosition,
): number {
  let sum = 0;
  for (let at = fromAt; at < toAt; at += STEP_MS) {
    const end = Math.min(at + STEP_MS, toAt);
    sum += shineAt((at + end) / 2, calendar, position) * (end - at);
  }
  return sum;
}

function shineAt(
  at: number,
  calendar: PlantCalendar,
  { latitude, longitude }: GapPosition,
): number {
  if (latitude !== null && longitude !== null)
    return clearSkyWm2(sunElevation(latitude, longitude, at));
  const hour = ((at + calendar.offsetAt(at)) % DAY_MS) / HOUR_MS;
  return Math.max(0, Math.sin((Math.PI * (hour - SUNRISE_HOUR)) / (SUNSET_HOUR - SUNRISE_HOUR)));
}

/** The local days of a gap, including the last one even if no time of the gap falls on it. */
function piecesOf(calendar: PlantCalendar, fromAt: number, toAt: number): Omit<GapShare, 'mwh'>[] {
  const pieces: Omit<GapShare, 'mwh'>[] = [];
  const lastDay = calendar.dayOf(toAt);
  for (let at = fromAt; ;) {
    const day = calendar.dayOf(at);
    const end = day === lastDay ? toAt : calendar.dayWindow(day).endAt;
    pieces.push({ day, fromAt: at, toAt: end });
    if (day === lastDay) return pieces;
    at = end;
  }
}

/** Splits a whole number in proportion to weights, at least one of them above 0; the parts add up exactly. */
function divided(whole: number, weights: readonly number[]): number[] {
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  let [weight, given] = [0, 0];
  return weights.map((own) => {
    weight += own;
    const upTo = Math.round((whole * weight) / all);
    const share = upTo - given;
    given = upTo;
    return share;
  });
}
