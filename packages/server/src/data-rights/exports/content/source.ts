import type { OperationId } from '@helioport/contract';
import type { Db } from '../../../platform/storage/database.ts';
import type { StoredReading, Telemetry } from '../../../measurements/telemetry/telemetry.ts';

/** Where the content of an export comes from. */
export interface ExportSource {
  readonly db: Db;
  readonly telemetry: Pick<Telemetry, 'firstReportsOf' | 'latestOf' | 'readingPages'>;
  readonly accountId: string;
  /**
   * Asks an operation as the account itself would in the portal; resolves to what the wire holds as `data`. So the export holds what the interface
   * shows, under the same rules.
   */
  ask(id: OperationId, body: Record<string, unknown>): Promise<any>;
}

/** Readings, which can be gone through repeatedly, a day or less at a time. */
export interface ExportReadings {
  /** The names of the quantities that occur, in the order of the contract. */
  names(): Promise<readonly string[]>;
  days(): AsyncIterable<readonly StoredReading[]>;
}
