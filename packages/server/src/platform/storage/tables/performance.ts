import type { Instant, Json } from '../columns.ts';

/** What was expected of a plant on a local day that is over, beside what it produced. Written only by outbound/performance. */
export interface PerformanceDayTable {
  plantId: string;
  /** yyyymmdd */
  day: number;
  /** Of everything that it was calculated from. */
  digest: string;
  /** null = nothing is expected, and `missing` says why. */
  expectedKwh: number | null;
  clippedKwh: number | null;
  producedKwh: number | null;
  uncertaintyPercent: number | null;
  missing: string | null;
  /** Mean value of a kWh, weighted by what was expected; null = no price is known. */
  price: number | null;
  /** Shape `DayRatios`. */
  ratios: Json;
  /** Availability: time in which inverters should have run, and did, in steps; what was expected of them in it. null = not known. */
  dueSteps: number | null;
  ranSteps: number | null;
  dueKwh: number | null;
  ranKwh: number | null;
}

/** What a plant lost on such a day, for each known cause; the rest is unexplained. */
export interface PerformanceLossTable {
  plantId: string;
  day: number;
  cause: string;
  /** '' = the whole plant. */
  sn: string;
  kwh: number;
  amount: number | null;
  /** Shape `LossEvidence`. */
  evidence: Json;
}

/** The mean powers of an inverter on a local day that is over. Written only by figures/performance/power-days.ts. */
export interface InverterDayTable {
  bindingNo: number;
  /** yyyymmdd */
  day: number;
  /** Of the roll-up of its readings. */
  digest: string;
  startAt: Instant;
  /** null = the curve has gaps, or nothing was delivered. */
  roughness: number | null;
  /** Steps before the first power, then the powers, W; null = unknown. */
  powers: Json;
}

/** What was learned of an inverter from its own clear days. Written only by figures/performance/learning.ts. */
export interface LearnedInverterTable {
  bindingNo: number;
  /** The last day that was looked at, yyyymmdd. */
  throughDay: number;
  /** Counts up when something else was learned. */
  version: number;
  /** Shape `Learned`; null = too few days are clear. */
  learned: Json | null;
}
