import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { TakeReport } from '../../../../fleet/collectors/report.ts';
import type { Series } from '../../../../measurements/series/port.ts';
import type { PoolLoad } from '../../../../platform/storage/postgres/watched-pool.ts';

interface Sources {
  load(): PoolLoad;
  /** Free space on the disk of the embedded database; undefined with a separate database. */
  readonly freeBytes: (() => number) | undefined;
}

/** Metrics of the database's remaining capacity, read when scraped. */
export function registerStorageMetrics(registry: Registry, { load, freeBytes }: Sources): void {
  const registers = [registry];
  const connections: Gauge<'state'> = new Gauge({
    name: 'helioport_database_connections',
    help: 'Connections to the database by what they are doing; the embedded database has one, which writes',
    labelNames: ['state'],
    registers,
    collect() {
      const { busy, idle } = load();
      connections.set({ state: 'busy' }, busy);
      connections.set({ state: 'idle' }, idle);
    },
  });
  const waiting: Gauge = new Gauge({
    name: 'helioport_database_waiting',
    help: 'Statements and transactions that are waiting for a connection or their turn',
    registers,
    collect: () => waiting.set(load().waiting),
  });
  if (!freeBytes) return;
  const free: Gauge = new Gauge({
    name: 'helioport_disk_free_bytes',
    help: 'Free space of the disk with the embedded database',
    registers,
    aggregator: 'min',
    collect: () => free.set(freeBytes()),
  });
}

/** Requests that are ridden out take up to half a second, those that fail up to five. */
const BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];

interface SeriesMetrics {
  /** Learns of each request to the engine. */
  readonly observe: (kind: 'read' | 'write', seconds: number, failed: boolean) => void;
  /** Begins to count the engine's nodes. */
  readonly watch: (series: Series) => void;
}

/** Metrics of the engine that stores the series, if it is not the database. */
export function seriesMetrics(registry: Registry, isBeside: boolean): SeriesMetrics {
  if (!isBeside) return { observe: () => {}, watch: () => {} };
  const registers = [registry];
  const requests = new Histogram({
    name: 'helioport_series_request_seconds',
    help: 'How long requests to the Cassandra cluster took, by kind and outcome',
    labelNames: ['kind', 'outcome'],
    buckets: BUCKETS,
    registers,
  });
  return {
    observe: (kind, seconds, failed) =>
      requests.observe({ kind, outcome: failed ? 'failed' : 'answered' }, seconds),
    watch(series) {
      const nodes: Gauge<'state'> = new Gauge({
        name: 'helioport_series_nodes',
        help: 'Nodes of the Cassandra cluster by whether they answer',
        labelNames: ['state'],
        registers,
        collect() {
          const { up, down } = series.nodes();
          nodes.set({ state: 'up' }, up);
          nodes.set({ state: 'down' }, down);
        },
      });
    },
  };
}

/** Counts what becomes of the readings that collectors report. */
export function countingReadings(registry: Registry, take: TakeReport): TakeReport {
  const readings = new Counter({
    name: 'helioport_readings_total',
    help: 'Readings that collectors reported, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  const values = new Counter({
    name: 'helioport_dropped_values_total',
    help: 'Values in readings of collectors that were not stored, because they are no numbers or cannot be',
    registers: [registry],
  });
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
  const reports: Gauge = new Gauge({
    name: 'helioport_reports_in_work',
    help: 'Collectors’ reports in progress or waiting',
    registers: [registry],
    collect: () => reports.set(inWork),
  });
  return async (...report) => {
    inWork += 1;
    try {
      return await take(...report);
    } finally {
      inWork -= 1;
    }
  };
}
