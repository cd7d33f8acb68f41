import { createBoundedQueue } from '../../platform/kernel/bounded-queue.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { createTurns } from '../../platform/kernel/turns.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { reportSenderOf, type ReportingCollector, type ReportSender } from './authenticate.ts';
import type { ReportLimit } from './limit.ts';
import { atPace } from './pace.ts';
import { storeInventory } from './inventory.ts';
import { LINK_FIELDS } from './link.ts';
import { createUnfinished, type Unfinished } from './unfinished.ts';
import { UnreadableSection } from './report-sections.ts';
import type { CollectorOutcome, ReadingsOutcome } from './outcome.ts';
import { markPosted } from './presence.ts';
import { readReport, type RawReport, type ReportHead } from './read-report.ts';

/** The outcome for the readings of a report, and for its alarms and devices, if any; with the report’s id, if it has one. */
export interface TakenReport extends Pick<ReportHead, 'id'>, ReadingsOutcome {
  readonly alarms?: CollectorOutcome | undefined;
  readonly devices?: CollectorOutcome | undefined;
}

/** Checks readings as they are read, and stores them once all have arrived. */
export interface ReadingIntake {
  /** Each element should be a Reading; anything else is recorded as refused. */
  add(elements: readonly unknown[]): Promise<void>;
  /** Throws what storeAsSender throws. */
  store(
    sender: ReportSender,
    from: Pick<RawReport, 'isBacklog'> & Pick<ReportingCollector, 'ownerId'>,
  ): Promise<ReadingsOutcome>;
}

export interface ReportDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly limit: ReportLimit;
  readonly beginReadings: () => ReadingIntake;
  /** Each element should be a ReportedAlarm. Throws what storeAsSender throws. */
  readonly storeAlarms: (
    sender: ReportSender,
    alarms: readonly unknown[],
  ) => Promise<CollectorOutcome>;
  readonly unfinished?: Unfinished;
}

/**
 * Reads a collector's report to its end, and then stores it: devices, readings and alarms in separate transactions. When it resolves, everything
 * accepted is durable; if it rejects while storing, the parts that were stored until then remain. Either way, the same report may be sent again.
 * Throws tooManyRequests, malformedRequest, tooLarge, notAuthenticated, collectorRefused.
 */
export type TakeReport = (collector: ReportingCollector, report: RawReport) => Promise<TakenReport>;

/** How many backlogs are read at once: what has been read is kept in memory. One that waits is refused before its request runs out of time. */
const READ_AT_ONCE = {
  runningAtMost: 8,
  waitingAtMost: 1_000,
  waitingOfOriginAtMost: 100,
  patienceMs: 10_000,
  retryAfterSeconds: 5,
};

/** However many backlogs arrive after an outage, live reports wait for no more than two of them. */
const STORED_AT_ONCE = {
  runningAtMost: 2,
  waitingAtMost: READ_AT_ONCE.runningAtMost,
  waitingOfOriginAtMost: READ_AT_ONCE.runningAtMost,
  retryAfterSeconds: READ_AT_ONCE.retryAfterSeconds,
};

/** The single entry point for reports over all protocols. */
export function createReports({
  db,
  clock,
  limit,
  beginReadings,
  storeAlarms,
  unfinished = createUnfinished(),
}: ReportDeps): TakeReport {
  const turns = createTurns();
  const [reading, storing] = [createBoundedQueue(READ_AT_ONCE), createBoundedQueue(STORED_AT_ONCE)];

  async function read(report: RawReport) {
    const readings = beginReadings();
    let alarms: unknown[] | undefined;
    let devices: unknown[] | undefined;
    const head = await readReport(report, turns, async (part, elements) => {
      if (part === 'readings') await readings.add(elements);
      else if (part === 'alarms')
        (alarms ??= []).push(...elements.map((element) => trimmed(element, ALARM)));
      else (devices ??= []).push(...elements.map((element) => trimmed(element, DEVICE)));
    });
    return { head, readings, alarms, devices };
  }

  async function store(
    collector: ReportingCollector,
    report: RawReport,
    receivedAt: Instant,
    { head: { sentAt, ...head }, readings, alarms, devices }: Awaited<ReturnType<typeof read>>,
  ): Promise<TakenReport> {
    const sender = reportSenderOf(collector);
    // Device descriptions come first, because they determine which readings are plausible.
    const ofDevices = devices && (await storeInventory(db, sender, devices, clock.now()));
    const outcome = await readings.store(sender, { ...report, ownerId: collector.ownerId });
    const ofAlarms = alarms && (await storeAlarms(sender, alarms));
    await markPosted(db, collector, clock.now(), {
      isBacklog: report.isBacklog,
      ...(sentAt !== undefined && {
        clockOffsetSeconds: Math.round((sentAt - receivedAt) / 1000),
      }),
    });
    return { ...head, ...outcome, alarms: ofAlarms, devices: ofDevices };
  }

  return (collector, report) => {
    return limit.during(collector.id, () => {
      const receivedAt = clock.now();
      const { ownerId } = collector;
      return unfinished.during(
        ownerId,
        limit.counted(collector.id, report.chunks),
        async (chunks) => {
          if (!report.isBacklog)
            return store(collector, report, receivedAt, await read({ ...report, chunks }));
          return reading.run(
            async () => {
              const taken = await read({ ...report, chunks: atPace(chunks, reading.isWaitedFor) });
              return storing.run(() => store(collector, report, receivedAt, taken));
            },
            { origin: ownerId },
          );
        },
      );
    });
  };
}

const DEVICE = [
  'sn',
  'kind',
  'model',
  'modelCode',
  'profile',
  'firmware',
  'displayVersion',
  'ratedPowerW',
  'strings',
  'holds',
  'link',
];
/** What is used of objects in an element. */
const WITHIN: Readonly<Record<string, readonly string[]>> = { link: LINK_FIELDS };
const ALARM = ['sn', 'code', 'at', 'level', 'message', 'cleared'];

/** Removes from an element everything that is not used. Otherwise, a report of nothing but brackets would take a hundred times its size in memory. */
function trimmed(element: unknown, names: readonly string[]): unknown {
  if (typeof element !== 'object' || element === null || element instanceof UnreadableSection)
    return element;
  if (Array.isArray(element)) return [];
  const values = element as Readonly<Record<string, unknown>>;
  const kept: [string, unknown][] = [];
  for (const name of names) {
    if (!Object.hasOwn(values, name)) continue;
    const value = values[name];
    const inner = WITHIN[name];
    if (inner) kept.push([name, trimmed(value, inner)]);
    else kept.push([name, typeof value === 'object' ? null : value]);
  }
  return Object.fromEntries(kept);
}
