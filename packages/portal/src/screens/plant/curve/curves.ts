import type { WireData } from '@helioport/contract';
import type { ChartData } from '../../../parts/charts/series.ts';
import { columnOfAllLoads } from '../../../parts/loads.ts';

type Day = WireData<'plant/day'>;

/** The curves of a plant's day. */
const SOURCES = {
  production: ({ values }: Day) => values.acPowerW,
  consumption: ({ values }: Day) => columnOfAllLoads(values.loadPowerW, values.backupPowerW),
  battery: ({ values }: Day) => values.batteryPowerW,
  grid: ({ values }: Day) => values.gridPowerW,
  soc: ({ values }: Day) => values.batterySocPercent,
  irradiance: ({ values }: Day) => values.irradianceWm2 ?? values.globalIrradianceWm2,
} as const;

export type CurveKey = keyof typeof SOURCES;

const KEYS = Object.keys(SOURCES) as CurveKey[];

/** An answer as curves. */
export const curvesOf = (day: Day): ChartData => ({
  times: day.times,
  values: Object.fromEntries(KEYS.map((key) => [key, SOURCES[key](day) ?? []])),
});

/** The curves of which there is at least one value; production always. */
export const knownSeries = ({ values }: ChartData): CurveKey[] =>
  KEYS.filter((key) => key === 'production' || values[key]?.some((value) => value != null));
