import type { WireData } from '@helioport/contract';
import type { ChartData } from '../../../parts/charts/series.ts';

type Row = WireData<'stationDay'>[number];

const sum = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined ? undefined : a + (b ?? 0);

/** The curves of a plant's day, from the rows of `stationDay`. */
const SOURCES = {
  production: (row: Row) => row.power,
  consumption: (row: Row) => sum(row.familyLoadPower, row.bypassLoadPower),
  battery: (row: Row) => row.batteryPower,
  grid: (row: Row) => row.psum,
  soc: (row: Row) => row.batteryCapacitySoc,
  irradiance: (row: Row) => row.totalR,
} as const;

export type CurveKey = keyof typeof SOURCES;

const KEYS = Object.keys(SOURCES) as CurveKey[];

/** Rows as curves. */
export const curvesOf = (rows: readonly Row[]): ChartData => ({
  times: rows.map(({ time }) => time!),
  values: Object.fromEntries(KEYS.map((key) => [key, rows.map((row) => SOURCES[key](row))])),
});

/** The curves of which there is at least one value; production always. */
export const knownSeries = ({ values }: ChartData): CurveKey[] =>
  KEYS.filter((key) => key === 'production' || values[key]?.some((value) => value !== undefined));
