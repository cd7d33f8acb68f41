import { createCache, type Cache } from '../../platform/kernel/cache.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';
import type { Peak } from './plant/peak.ts';

/** The sources from which figures are computed. */
export interface FigureSources {
  readonly db: Db;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
  readonly caches: FigureCaches;
}

/** Expensive figures that do not change until a device reports. The keys contain everything that the figures depend on, so instances need no common cache. */
export interface FigureCaches {
  /** Highest combined power of several inverters. */
  readonly peaks: Cache<string, Peak>;
}

const PEAKS_KEPT = 10_000;

export const createFigureCaches = (): FigureCaches => ({ peaks: createCache(PEAKS_KEPT) });
