import { storeAsSender, type Sender } from '../collectors/authenticate.ts';
import { rememberRefusals } from '../collectors/refusals.ts';
import type { ReadingIntake } from '../collectors/report.ts';
import type { Clock } from '../kernel/clock.ts';
import { createTurns } from '../kernel/turns.ts';
import type { Db, Trx } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
import { attempt } from './attempt.ts';
import { createCommitLanes, sharedCommits, type Commits } from '../storage/commit-group.ts';
import { FieldListsWanted } from './merge-sample.ts';
import { createReadingParser, type Refused, type ValidReading } from './reading.ts';
import type { Series } from '../series/port.ts';
import { storeBatch, type Arrival, type Stored } from './store-batch.ts';

/** The outcome of a batch, reading by reading. */
export interface IngestAnswer {
  /** Readings that were new or changed something. */
  readonly accepted: number;
  /** Readings that were already known. */
  readonly duplicate: number;
  /** Readings that were not stored, by index in the batch. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/**
 * Stores readings for a collector's devices, or for any device if the operator provides them. When it resolves, everything
 * accepted is durable, roll-ups included; when it rejects, some slices of the batch may be stored, and the same batch may be sent again.
 * Each element should be a Reading; anything else is refused. Throws what storeAsSender throws.
 */
export interface Ingest {
  (sender: Sender | 'operator', readings: readonly unknown[]): Promise<IngestAnswer>;
  /** Ingests readings that arrive in chunks: all are checked before the first is stored. */
  begin(): ReadingIntake;
}

// Number of PostgreSQL connections that storing may hold; the pool has 10.
const LANES = 4;

// Number of devices that one PostgreSQL transaction may lock: all connections share a table of some 6,400 locks.
const DEVICES_AT_ONCE = 500;

// On SQLite, a transaction holds the event loop: some 20 ms for this many readings.
const READINGS_AT_ONCE = 2_000;

/** What is needed to store a collector's readings. */
type AsSender = [trx: Trx, from: { readonly ownerId: string }];

export function createIngest({ db, clock, series }: { db: Db; clock: Clock; series: Series }): Ingest {
  const parse = createReadingParser(series.fieldLists);
  const turns = createTurns();
  // If one request of a shared commit fails, the others are repeated. This is safe only if the rollback undoes everything that they wrote the first
  // time.
  const commits: Commits = engineOf(db) === 'sqlite' && series.sharesTransaction ? sharedCommits(db) : createCommitLanes(db, LANES);

  const store = async (sender: Sender | 'operator', readings: readonly ValidReading[], refused: readonly Refused[], arrival: Arrival): Promise<Stored> => {
    const { now } = arrival;
    for (;;) {
      try {
        if (sender === 'operator') {
          return await attempt<[trx: Trx], Stored, Stored>(series, commits, (own, trx) => storeBatch(trx, own, sender, readings, arrival));
        }
        const asSender = (body: (...given: AsSender) => Promise<Stored>): Promise<Stored> => storeAsSender(db, commits<Stored>, { sender, now }, body);
        return await attempt<AsSender, Stored, Stored>(series, asSender, async (own, trx, { ownerId }) => {
          const stored = await storeBatch(trx, own, { ...sender, ownerId }, readings, arrival);
          const all = [...refused, ...stored.refused];
          if (all.length > 0) await rememberRefusals(trx, sender.collectorId, all, now);
          return stored;
        });
      } catch (error) {
        // Merging two readings of one instant has produced a combination of quantities that has no field list yet.
        if (!(error instanceof FieldListsWanted)) throw error;
        await series.fieldLists.ensure([error.names]);
      }
    }
  };

  const storeAll = async (
    sender: Sender | 'operator',
    valid: readonly ValidReading[],
    refused: readonly Refused[],
    arrival: Arrival,
  ): Promise<IngestAnswer> => {
    const all: Refused[] = [...refused];
    let [accepted, duplicate] = [0, 0];
    let unwritten: readonly Refused[] = refused;
    for (const [i, readings] of slices(valid).entries()) {
      if (i > 0) await turns();
      if (readings.length === 0 && unwritten.length === 0) continue;
      const stored = await store(sender, readings, unwritten, arrival);
      unwritten = [];
      accepted += stored.accepted;
      duplicate += stored.duplicate;
      all.push(...stored.refused);
    }
    return { accepted, duplicate, refused: all.toSorted((a, b) => a.index - b.index).map(({ index, reason }) => ({ index, reason })) };
  };

  const begin = (): ReadingIntake => {
    const [valid, refused]: [ValidReading[], Refused[]] = [[], []];
    const now = clock.now();
    let count = 0;
    return {
      async add(elements) {
        const checked = await parse(elements, now, count);
        count += elements.length;
        for (const reading of checked.valid) valid.push(reading);
        for (const reading of checked.refused) refused.push(reading);
      },
      store: (sender, { isBacklog }) => storeAll(sender, valid, refused, { now, isBacklog }),
    };
  };
  const ingest = async (sender: Sender | 'operator', raw: readonly unknown[]): Promise<IngestAnswer> => {
    const now = clock.now();
    const { valid, refused } = await parse(raw, now);
    return storeAll(sender, valid, refused, { now });
  };
  return Object.assign(ingest, { begin });
}

/** Usually a single slice, which may be empty. There are more only if there are very many devices or readings. */
function slices(readings: readonly ValidReading[]): (readonly ValidReading[])[] {
  return byDevices(readings).flatMap((slice) => {
    if (slice.length <= READINGS_AT_ONCE) return [slice];
    // In order of time. Otherwise, a slice could change a day that an earlier slice has already continued from.
    const ordered = slice.toSorted((a, b) => a.at - b.at);
    return Array.from({ length: Math.ceil(ordered.length / READINGS_AT_ONCE) }, (_, i) => ordered.slice(i * READINGS_AT_ONCE, (i + 1) * READINGS_AT_ONCE));
  });
}

function byDevices(readings: readonly ValidReading[]): (readonly ValidReading[])[] {
  if (readings.length <= DEVICES_AT_ONCE) return [readings];
  const sns = [...new Set(readings.map(({ sn }) => sn))];
  if (sns.length <= DEVICES_AT_ONCE) return [readings];
  const sliceOf = new Map(sns.map((sn, i) => [sn, Math.floor(i / DEVICES_AT_ONCE)]));
  return [...Map.groupBy(readings, ({ sn }) => sliceOf.get(sn)!).values()];
}
