import type { Clock } from '../kernel/clock.ts';
import type { Db } from '../storage/database.ts';
import type { Telemetry } from '../telemetry/telemetry.ts';

/** What figures are made from. */
export interface FigureSources {
  readonly db: Db;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}
