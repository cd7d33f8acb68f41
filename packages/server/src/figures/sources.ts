import { createCache, type Cache } from '../kernel/cache.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/database.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Peak } from './plant/peak.ts';

/** What figures are made from. */
export interface FigureSources {
  readonly db: Db;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly caches: FigureCaches;
}

/** Expensive figures that do not change until a device reports. Keys contain everything they depend on, so instances need not agree. */
export interface FigureCaches {
  /** Highest power of several inverters together. */
  readonly peaks: Cache<string, Peak>;
}

const PEAKS_KEPT = 10_000;

export const createFigureCaches = (): FigureCaches => ({ peaks: createCache(PEAKS_KEPT) });
