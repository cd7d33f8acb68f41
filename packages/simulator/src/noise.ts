import { HOUR_MS, MINUTE_MS } from '@helioport/contract/durations';

/** A number from 0 to 1 (exclusive) that depends only on seed and index: the same in every run and on every machine. */
export function hashed(seed: number, index: number): number {
  let h = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(index | 0, 0xc2b2ae35);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  h = Math.imul(h ^ (h >>> 12), 0x297a2d39);
  return ((h ^ (h >>> 15)) >>> 0) / 2 ** 32;
}

/** Smooth noise from 0 to 1 over time; `period` is the distance between its nodes in ms. */
export function smoothNoise(seed: number, at: number, period: number): number {
  const position = at / period;
  const index = Math.floor(position);
  const t = position - index;
  const weight = t * t * (3 - 2 * t);
  return hashed(seed, index) * (1 - weight) + hashed(seed, index + 1) * weight;
}

/** Share of the direct light that the clouds let through: 1 is a blue sky. Fair and dull spells of about a day alternate, with broken clouds in between. */
export function clearnessAt(seed: number, at: number): number {
  const spell = smoothNoise(seed, at, 20 * HOUR_MS);
  const drift = smoothNoise(seed + 1, at, 47 * MINUTE_MS);
  const gust = smoothNoise(seed + 2, at, 9 * MINUTE_MS);
  const cover = Math.max(0, Math.min(1, 1.6 * spell - 0.45)) * (0.55 + 0.3 * drift + 0.3 * gust);
  return Math.max(0.05, 1 - Math.min(0.95, cover));
}
