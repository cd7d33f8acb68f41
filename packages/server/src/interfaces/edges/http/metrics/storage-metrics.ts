import type { Registry } from 'prom-client';
import { declareCounter, declareGauge, declareHistogram, declareKnownGauge } from './declared.ts';
import type { TakeReport } from '../../../../fleet/collectors/report.ts';
import type { Series } from '../../../../measurements/series/port.ts';
import type { PoolLoad } from '../../../../platform/storage/postgres/watched-pool.ts';

interface Sources {
  load(): PoolLoad;
  /** Size of the database. */
  sizeBytes(): Promise<number>;
  /** Its growth a day; undefined if it is not known yet. */
  growth(): Promise<number | undefined>;
  /** Its tables; undefined where they cannot be read quickly. */
  readonly tables:
    | (() => Promise<readonly { readonly table: string; readonly bytes: number }[]>)
    | undefined;
  now(): number;
  /** When a disk is full that has so many bytes left. */
  fullAt(freeBytes: number, growth: number, now: number): number | undefined;
  /** When the last backup was made, in epoch milliseconds; undefined if none ever was. */
  backupAt(): Promise<number | undefined>;
  /** Free space on the disk of the embedded database; undefined with a separate database. */
  readonly freeBytes: (() => number) | undefined;
}

/** Metrics of the database's remaining capacity, read when scraped. */
export function registerStorageMetrics(
  registry: Registry,
  { load, sizeBytes, growth, tables, now, fullAt, backupAt, freeBytes }: Sources,
): void {
  declareGauge(registry, 'helioport_database_connections', (made) => {
    const { busy, idle } = load();
    made.set({ state: 'busy' }, busy);
    made.set({ state: 'idle' }, idle);
  });
  declareGauge(registry, 'helioport_database_waiting', (made) => made.set(load().waiting));
  // While the database is unavailable, the other metrics are needed most, so these must not fail.
  declareKnownGauge(registry, 'helioport_database_size_bytes', sizeBytes);
  declareKnownGauge(registry, 'helioport_database_growth_bytes_per_day', growth);
  if (tables)
    declareGauge(registry, 'helioport_table_size_bytes', async (made) => {
      const all = await tables().catch(() => []);
      made.reset();
      for (const { table, bytes } of all) made.set({ table }, bytes);
    });
  if (freeBytes)
    declareKnownGauge(registry, 'helioport_disk_full_timestamp_seconds', async () => {
      const at = fullAt(freeBytes(), (await growth()) ?? 0, now());
      return at && at / 1000;
    });
  declareGauge(registry, 'helioport_backup_timestamp_seconds', async (made) =>
    made.set(((await backupAt().catch(() => undefined)) ?? 0) / 1000),
  );
  if (freeBytes)
    declareGauge(registry, 'helioport_disk_free_bytes', (made) => made.set(freeBytes()));
}

interface SeriesMetrics {
  /** Learns of each request to the engine. */
  readonly observe: (kind: 'read' | 'write', seconds: number, failed: boolean) => void;
  /** Begins to count the engine's nodes. */
  readonly watch: (series: Series) => void;
}

/** Metrics of the engine that stores the series, if it is not the database. */
export function seriesMetrics(registry: Registry, isBeside: boolean): SeriesMetrics {
  if (!isBeside) return { observe: () => {}, watch: () => {} };
  const requests = declareHistogram(registry, 'helioport_series_request_seconds');
  return {
    observe: (kind, seconds, failed) =>
      requests.observe({ kind, outcome: failed ? 'failed' : 'answered' }, seconds),
    watch(series) {
      declareGauge(registry, 'helioport_series_nodes', (made) => {
        const { up, down } = series.nodes();
        made.set({ state: 'up' }, up);
        made.set({ state: 'down' }, down);
      });
    },
  };
}

/** Counts what becomes of the readings that collectors report. */
export function countingReadings(registry: Registry, take: TakeReport): TakeReport {
  const readings = declareCounter(registry, 'helioport_readings_total');
  const values = declareCounter(registry, 'helioport_dropped_values_total');
  return async (...report) => {
    const outcome = await take(...report);
    values.inc(outcome.droppedCount ?? outcome.dropped?.length ?? 0);
    readings.inc({ outcome: 'accepted' }, outcome.accepted);
    readings.inc({ outcome: 'duplicate' }, outcome.duplicate);
    readings.inc({ outcome: 'refused' }, outcome.refused.length);
    return outcome;
  };
}

/** Counts the collector reports in progress or waiting. */
export function countingReports<A extends unknown[], R>(
  registry: Registry,
  take: (...report: A) => Promise<R>,
): (...report: A) => Promise<R> {
  let inWork = 0;
  declareGauge(registry, 'helioport_reports_in_work', (made) => made.set(inWork));
  return async (...report) => {
    inWork += 1;
    try {
      return await take(...report);
    } finally {
      inWork -= 1;
    }
  };
}
