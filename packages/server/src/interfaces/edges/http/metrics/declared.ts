import { Counter, Gauge, Histogram, type Aggregator, type Registry } from 'prom-client';
import { withTimeout } from '../../../../platform/kernel/within.ts';

/** What a metric is, in the terms of Prometheus. Its unit is in its name. */
export interface DeclaredMetric {
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** What becomes of the figures of several processes: those that every process reads alike are not added up. */
  readonly across: Aggregator;
  /** Upper bounds. */
  readonly buckets?: readonly number[];
}

const counter = (help: string, ...labels: string[]) =>
  ({ type: 'counter', help, labels, across: 'sum' }) as const;
/** Of what all instances have counted in the database, and every process reads alike. */
const shared = (help: string, ...labels: string[]) =>
  ({ type: 'counter', help, labels, across: 'max' }) as const;
const gauge = (across: Aggregator, help: string, ...labels: string[]) =>
  ({ type: 'gauge', help, labels, across }) as const;
const histogram = (buckets: readonly number[], help: string, ...labels: string[]) =>
  ({ type: 'histogram', help, labels, across: 'sum', buckets }) as const;

// Upper bounds in seconds. Reports: from one device to one that waits for the disk. Commands: from a collector that waits to a device that was silent for a
// while. Requests to Cassandra that are ridden out take up to half a second, those that fail up to five.
const REPORT_BUCKETS = [0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const COMMAND_BUCKETS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300, 900];
const SERIES_BUCKETS = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5];
const REQUEST_BUCKETS = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
];

/** Every metric that a server may have. docs/metrics.md is generated from it. */
export const declaredMetrics = {
  helioport_info: gauge('first', 'Version and engine', 'version', 'node', 'engine'),
  helioport_requests_total: counter(
    'Requests by listener, operation and code of the answer',
    'listener',
    'operation',
    'code',
  ),
  helioport_request_duration_seconds: histogram(
    REQUEST_BUCKETS,
    'Time from the request’s headers to the end of the answer',
    'listener',
    'operation',
  ),
  helioport_readings_total: counter('Readings that collectors reported, by outcome', 'outcome'),
  helioport_dropped_values_total: counter(
    'Values in readings of collectors that were not stored, because they are no numbers or cannot be',
  ),
  helioport_reports_in_work: gauge('sum', 'Collectors’ reports in progress or waiting'),
  helioport_report_readable_seconds: histogram(
    REPORT_BUCKETS,
    'Time from the arrival of a report until inverterDetail shows its readings; without backlogs, which are in no hurry',
  ),
  helioport_command_verified_seconds: histogram(
    COMMAND_BUCKETS,
    'Time from queueing a command until it was verified: a write read back, a read answered',
    'action',
  ),
  helioport_collectors: gauge(
    'max',
    'Collectors of all instances by state: waiting for a plant, reporting, or silent although they should report',
    'state',
  ),
  helioport_mqtt_connections: gauge('sum', 'Collectors connected to the embedded MQTT broker'),
  helioport_mqtt_broker_connected: gauge(
    'min',
    '1 if this instance is connected to the external MQTT broker and receives messages',
  ),
  helioport_log_ins_total: counter(
    'Log-ins at the portal and the authorization pages by outcome: succeeded, secondFactorRequired, or the reason of the refusal',
    'outcome',
  ),
  helioport_portal_streams: gauge('sum', 'Pages of the portal that are kept up to date'),
  helioport_oauth_issued_total: counter(
    'Codes and token pairs issued, by what was presented',
    'grant',
  ),
  helioport_oauth_refused_total: counter(
    'Refusals of the authorization endpoints',
    'endpoint',
    'reason',
  ),
  helioport_oauth_reuse_detected_total: counter(
    'Codes and refresh tokens presented again so late that the tokens from their first use were revoked',
  ),
  helioport_oauth_revoked_total: counter('Tokens ended by their application'),
  helioport_forwarding_held_seconds: gauge(
    'max',
    'Age of the oldest event that an open transaction of the database holds back; 0 if there is none',
  ),
  helioport_forwarding_delivered_total: shared(
    'Events delivered so far, by destination',
    'destination',
  ),
  helioport_forwarding_failures_total: shared(
    'Attempts that failed so far, by destination',
    'destination',
  ),
  helioport_forwarding_behind_seconds: gauge(
    'max',
    'Age of the oldest event that was not dealt with, by destination',
    'destination',
  ),
  helioport_forwarding_waiting_devices: gauge(
    'max',
    'Devices whose events wait for another attempt, by destination',
    'destination',
  ),
  helioport_forwarding_dead_letters: gauge(
    'max',
    'Events that were given up and are kept for a repetition, by destination',
    'destination',
  ),
  helioport_webhooks_failing: gauge(
    'max',
    'Webhooks for alarms and news whose messages fail, on all instances',
  ),
  helioport_recalculating_devices: gauge(
    'max',
    'Devices whose energies are being recalculated, as after some upgrades: their figures are of before',
  ),
  helioport_mails_waiting: gauge('max', 'E-mails that were not sent yet, on all instances'),
  helioport_mails_total: counter(
    'E-mails that this instance has dealt with, by outcome',
    'outcome',
  ),
  helioport_work_due: gauge(
    'max',
    'Work that is due and not yet started, on all instances, by kind; of the kind recalculate, what is left to be recalculated',
    'kind',
  ),
  helioport_work_running: gauge('max', 'Runs on all instances, by kind', 'kind'),
  helioport_work_oldest_due_seconds: gauge(
    'max',
    'How long the oldest due work has been waiting, by kind',
    'kind',
  ),
  helioport_work_failed_total: counter(
    'Runs of this instance that failed and will be tried again, by kind',
    'kind',
  ),
  helioport_work_abandoned_total: counter(
    'Runs of this instance that took longer than their lane allows, by kind',
    'kind',
  ),
  helioport_database_connections: gauge(
    'sum',
    'Connections to the database by what they are doing; the embedded database has one, which writes',
    'state',
  ),
  helioport_database_waiting: gauge(
    'sum',
    'Statements and transactions that are waiting for a connection or their turn',
  ),
  helioport_database_size_bytes: gauge(
    'max',
    'Size of the database, the log of the embedded one included',
  ),
  helioport_database_growth_bytes_per_day: gauge(
    'max',
    'Growth of the database a day, over the last month; absent until it is known for a day',
  ),
  helioport_table_size_bytes: gauge(
    'max',
    'Size of each table with its indexes; with PostgreSQL only, of the embedded database helioport doctor tells it',
    'table',
  ),
  helioport_disk_full_timestamp_seconds: gauge(
    'min',
    'Unix time at which the disk with the embedded database is full if it goes on growing as it does; absent if it does not grow',
  ),
  helioport_disk_free_bytes: gauge('min', 'Free space of the disk with the embedded database'),
  helioport_backup_timestamp_seconds: gauge(
    'max',
    'Unix time of the last backup that helioport backup has made; 0 if there was none',
  ),
  helioport_certificate_expiry_timestamp_seconds: gauge(
    'min',
    'Unix time at which a certificate for MQTT expires: that of HELIOPORT_MQTT_TLS_CERT (mqtt) or of the external broker (broker)',
    'listener',
  ),
  helioport_series_request_seconds: histogram(
    SERIES_BUCKETS,
    'How long requests to the Cassandra cluster took, by kind and outcome',
    'kind',
    'outcome',
  ),
  helioport_series_nodes: gauge(
    'sum',
    'Nodes of the Cassandra cluster by whether they answer',
    'state',
  ),
  helioport_processes: gauge('sum', 'Processes that serve the ports'),
  helioport_process_ends_total: counter('Processes that ended without being stopped'),
  process_cpu_seconds_total: counter('CPU time since the start'),
  process_resident_memory_bytes: gauge('sum', 'Resident memory'),
  process_start_time_seconds: gauge('min', 'Start of the process, Unix time'),
  nodejs_heap_used_bytes: gauge('sum', 'Memory of JavaScript objects'),
  nodejs_eventloop_utilization: gauge(
    'max',
    'Share of time that the event loop was busy or waited for the disk since the last scrape, 0 to 1; of several processes, the busiest. No measure of load: use process_cpu_seconds_total for alerts',
  ),
  nodejs_eventloop_delay_p99_seconds: gauge(
    'max',
    'Delay of the event loop since the last scrape, 99th percentile',
  ),
  nodejs_eventloop_delay_max_seconds: gauge(
    'max',
    'Longest delay of the event loop since the last scrape',
  ),
} satisfies Record<string, DeclaredMetric>;

type Table = typeof declaredMetrics;
type NameOf<T extends DeclaredMetric['type']> = {
  [Name in keyof Table]: Table[Name]['type'] extends T ? Name : never;
}[keyof Table];

const settingsOf = (name: keyof Table, registry: Registry) => {
  const { help, labels, across }: DeclaredMetric = declaredMetrics[name];
  return { name, help, labelNames: labels, aggregator: across, registers: [registry] };
};

/**
 * How long the reading of a metric may delay a scrape. While the database is busy or away, the other metrics are needed most; what is read too late
 * shows at the next scrape.
 */
const READ_LIMIT_MS = 1_000;

type Read<Made> = (made: Made) => void | Promise<void>;

function collecting<Made>(
  read: Read<Made> | undefined,
): { collect(this: Made): Promise<void> } | undefined {
  if (!read) return undefined;
  // One at a time: scrapes must not queue up where something else already waits.
  let reading: Promise<void> | undefined;
  return {
    async collect() {
      reading ??= Promise.resolve(read(this)).finally(() => {
        reading = undefined;
      });
      await withTimeout(READ_LIMIT_MS, reading);
    },
  };
}

/** `read`: sets the metric when it is scraped. */
export const declareGauge = (
  registry: Registry,
  name: NameOf<'gauge'>,
  read?: Read<Gauge>,
): Gauge => new Gauge({ ...settingsOf(name, registry), ...collecting(read) });

/** A figure that is absent while it is not known, or while whoever knows it is away: the other metrics are needed most then. */
export const declareKnownGauge = (
  registry: Registry,
  name: NameOf<'gauge'>,
  read: () => Promise<number | undefined>,
): Gauge =>
  declareGauge(registry, name, async (made) => {
    const figure = await read().catch(() => undefined);
    if (figure === undefined) made.remove();
    else made.set(figure);
  });

/** `read`: sets the metric when it is scraped, if something else counts. */
export const declareCounter = (
  registry: Registry,
  name: NameOf<'counter'>,
  read?: Read<Counter>,
): Counter => new Counter({ ...settingsOf(name, registry), ...collecting(read) });

export const declareHistogram = (registry: Registry, name: NameOf<'histogram'>): Histogram => {
  const { buckets } = declaredMetrics[name];
  return new Histogram({ ...settingsOf(name, registry), buckets: [...buckets] });
};
