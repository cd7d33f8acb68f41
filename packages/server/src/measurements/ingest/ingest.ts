import { setTimeout } from 'node:timers/promises';
import type { ReportSender } from '../../fleet/collectors/authenticate.ts';
import type { ReadingsOutcome } from '../../fleet/collectors/outcome.ts';
import type { ReadingIntake } from '../../fleet/collectors/report.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import { createTurns } from '../../platform/kernel/turns.ts';
import type { Db } from '../../platform/storage/database.ts';
import { onEngine } from '../../platform/storage/engine.ts';
import { createBoundedQueue } from '../../platform/kernel/bounded-queue.ts';
import { gather } from '../../platform/kernel/gather.ts';
import {
  createCommitGroup,
  createCommitLanes,
  sharedCommits,
  type Commits,
} from '../../platform/storage/commit-group.ts';
import {
  sumDropped,
  NOTHING_DROPPED,
  droppedAnswerOf,
  type DroppedValues,
} from './readings/dropped.ts';
import { DAY_READINGS } from './readings/day-room.ts';
import { createReadingParser, type RefusedReading, type ValidReading } from './readings/reading.ts';
import { LATE_SAMPLES, TooManyLate } from './late-bound.ts';
import { furtherDays, halves, slices } from './slices.ts';
import type { Series } from '../series/port.ts';
import type { ReportArrival } from './reports/assign.ts';
import type { Stored } from './store-batch.ts';
import {
  storeOfOperator,
  storeReport,
  storeReports,
  type StoredReport,
} from './reports/store-reports.ts';

/** The outcome of a batch, reading by reading. */
export type IngestAnswer = ReadingsOutcome;

/**
 * Stores readings for a collector's devices, or for any device if the operator provides them. When it resolves, everything
 * accepted is durable, roll-ups included; when it rejects, some slices of the batch may be stored, and the same batch may be sent again.
 * Each element should be a Reading; anything else is refused. Throws what storeAsSender throws.
 */
export interface Ingest {
  (sender: ReportSender | 'operator', readings: readonly unknown[]): Promise<IngestAnswer>;
  /** Ingests readings that arrive in chunks: all are checked before the first is stored. */
  begin(): ReadingIntake;
}

/** What was not stored of a batch because of what it contains, to be remembered with what is stored first. */
type Unwritten = Pick<StoredReport, 'refused' | 'dropped'>;
const NOTHING_UNWRITTEN: Unwritten = { refused: [], dropped: NOTHING_DROPPED };

// Number of PostgreSQL connections that storing may hold; the pool has 10.
const LANES = 4;

// Batches of reports that are stored together. Where the series are beside the database, a batch mostly waits for them and holds no connection.
const BATCHES_AT_ONCE = 1;
const BATCHES_BESIDE_AT_ONCE = 2;

// A report of more readings is stored alone: others would wait for it longer than sharing its commit saves.
const READINGS_TO_GATHER = 100;

// So is one that reaches over many days, each of which costs as much as many readings.
const FURTHER_DAYS_TO_GATHER = 10;

// On SQLite, so many large reports share a commit: some 20 ms each.
const LARGE_TOGETHER = 8;

/** Reports of many days, however many there are, are stored few at a time and in turns of their owners, so that live reports and writes come in between. */
const MANY_DAYS = { waitingAtMost: 2_000, waitingOfOriginAtMost: 200, retryAfterSeconds: 10 };

/** Between two such transactions, other processes that wait for SQLite's lock get it: they look each 25 ms. */
const LOCK_FREE_MS = 40;

export function createIngest({
  db,
  clock,
  series,
  dayReadings = DAY_READINGS,
  lateSamples = LATE_SAMPLES,
}: {
  db: Db;
  clock: Clock;
  series: Series;
  /** How many readings of a device in a plant are stored of one local day. */
  dayReadings?: number;
  /** How many stored samples late readings may have folded anew in one transaction. */
  lateSamples?: number;
}): Ingest {
  const parse = createReadingParser(series.fieldLists);
  const turns = createTurns();
  // Beside another engine, there are two transactions for a batch, and what takes time is done between them.
  const [shared, lanes] = [sharedCommits(db), createCommitLanes(db, LANES)];
  const own = onEngine(db, { sqlite: () => shared, postgres: () => lanes });
  const ownLarge = onEngine(db, {
    sqlite: () => createCommitGroup(db, LARGE_TOGETHER),
    postgres: () => lanes,
  });
  const commits: Commits = (work) => (series.sharesTransaction ? own : lanes)(work);
  const commitsOfLarge: Commits = (work) => (series.sharesTransaction ? ownLarge : lanes)(work);
  const runningAtMost = onEngine<number>(db, { sqlite: () => 1, postgres: () => 2 });
  const manyDays = createBoundedQueue({ runningAtMost, ...MANY_DAYS });
  const restMs = onEngine(db, { sqlite: () => LOCK_FREE_MS, postgres: () => 0 });

  const stores = { db, series, dayReadings, lateSamples, commits };
  const gathered = gather<StoredReport, Stored>({
    atOnce: () => (series.sharesTransaction ? BATCHES_AT_ONCE : BATCHES_BESIDE_AT_ONCE),
    run: (reports) => storeReports(stores, reports),
    sizeOf: ({ readings }) => readings.length,
  });

  const store = (
    sender: ReportSender | 'operator',
    readings: readonly ValidReading[],
    unwritten: Unwritten,
    arrival: ReportArrival,
    { origin, isParted }: { readonly origin: string; readonly isParted: boolean },
  ): Promise<Stored> => {
    if (sender === 'operator') return storeOfOperator(stores, readings, arrival);
    const report = { sender, readings, ...unwritten, arrival };
    if (isParted || furtherDays(readings) > FURTHER_DAYS_TO_GATHER)
      return manyDays.run(() => storeSlowly(report), { origin });
    return readings.length <= READINGS_TO_GATHER
      ? gathered(report)
      : storeReport({ ...stores, commits: commitsOfLarge }, report);
  };

  async function storeSlowly(report: StoredReport): Promise<Stored> {
    const alone: Commits = (work) => db.transaction().execute(work);
    const slow = { ...stores, commits: alone };
    try {
      return await storeReport(slow, report).catch((error: unknown) => {
        // What cannot be parted is stored as it is.
        if (!(error instanceof TooManyLate) || halves(report.readings)) throw error;
        return storeReport({ ...slow, lateSamples: Infinity }, report);
      });
    } finally {
      await setTimeout(restMs);
    }
  }

  const storeAll = async (
    sender: ReportSender | 'operator',
    valid: readonly ValidReading[],
    before: Unwritten,
    arrival: ReportArrival,
    origin = sender === 'operator' ? '' : sender.collectorId,
  ): Promise<IngestAnswer> => {
    const all: RefusedReading[] = [...before.refused];
    const dropped: DroppedValues[] = [before.dropped];
    let [accepted, duplicate] = [0, 0];
    let unwritten = before;
    const waiting = slices(valid).toReversed();
    let isParted = false;
    for (let readings = waiting.pop(); readings; readings = waiting.pop()) {
      if (readings.length === 0 && unwritten.refused.length === 0) continue;
      const stored = await store(sender, readings, unwritten, arrival, { origin, isParted }).catch(
        (error: unknown) => {
          if (!(error instanceof TooManyLate)) throw error;
          isParted = true;
          // In two parts, of which the earlier one comes first; one that cannot be parted comes again, to be stored slowly.
          waiting.push(...(halves(readings)?.toReversed() ?? [readings]));
        },
      );
      if (waiting.length > 0) await turns();
      if (!stored) continue;
      unwritten = NOTHING_UNWRITTEN;
      accepted += stored.accepted;
      duplicate += stored.duplicate;
      for (const one of stored.refused) all.push(one);
      dropped.push(stored.dropped);
    }
    return {
      accepted,
      duplicate,
      refused: all
        .toSorted((a, b) => a.index - b.index)
        .map(({ index, reason }) => ({ index, reason })),
      ...droppedAnswerOf(sumDropped(dropped)),
    };
  };

  const begin = (): ReadingIntake => {
    const [valid, refused]: [ValidReading[], RefusedReading[]] = [[], []];
    let dropped = NOTHING_DROPPED;
    const now = clock.now();
    let count = 0;
    return {
      async add(elements) {
        const checked = parse(elements, now, count);
        count += elements.length;
        for (const reading of checked.valid) valid.push(reading);
        for (const reading of checked.refused) refused.push(reading);
        dropped = sumDropped([dropped, checked.dropped]);
      },
      store: (sender, { isBacklog, ownerId }) =>
        storeAll(sender, valid, { refused, dropped }, { now, isBacklog }, ownerId),
    };
  };
  const ingest = async (
    sender: ReportSender | 'operator',
    raw: readonly unknown[],
  ): Promise<IngestAnswer> => {
    const now = clock.now();
    const { valid, ...unwritten } = parse(raw, now);
    return storeAll(sender, valid, unwritten, { now });
  };
  return Object.assign(ingest, { begin });
}
