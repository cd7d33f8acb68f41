import { DAY_MS } from '@helioport/contract/durations';
import { createLocalZone } from '../../../platform/calendar/local-zone.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { ApplicationUseTable, Db, Instant } from '../../../platform/storage/database.ts';

/** What applications do, counted in memory: a request costs an addition, and the database is written once a minute. */
export interface UseCounts {
  /** Counts a request that an application has made on behalf of an account. */
  request(
    application: { readonly accountId: string; readonly applicationId: string },
    isWrite: boolean,
  ): void;
  /** Counts an event of an account's plants that an application has taken. */
  forwarded(applicationId: string, accountId: string): void;
  /** Stores what has been counted. If the database is away, that stays counted. */
  flush(): Promise<void>;
  /** Stores what has been counted, for the last time. */
  close(): Promise<void>;
}

interface Counted {
  reads: number;
  writes: number;
  forwarded: number;
  lastAt: Instant | null;
}

/** By application and account. */
type Batch = Map<string, Map<string, Counted>>;

const FLUSH_MS = 60_000;
const ROWS_AT_ONCE = 500;

/** The day of a calendar, in days since 1970-01-01. */
export const dayIn = (timeZone: string, at: Instant): number =>
  Math.floor((at + createLocalZone(timeZone).offsetAt(at)) / DAY_MS);

export function createUseCounts({
  db,
  clock,
}: {
  readonly db: Db;
  readonly clock: Clock;
}): UseCounts {
  let batch: Batch = new Map();
  let timer: NodeJS.Timeout | undefined;
  let flushing: Promise<void> = Promise.resolve();
  let isClosed = false;

  function countedOf(applicationId: string, accountId: string): Counted {
    let accounts = batch.get(applicationId);
    if (!accounts) batch.set(applicationId, (accounts = new Map()));
    let counted = accounts.get(accountId);
    if (!counted)
      accounts.set(accountId, (counted = { reads: 0, writes: 0, forwarded: 0, lastAt: null }));
    if (!isClosed) timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
    return counted;
  }

  async function store(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const taken = batch;
    batch = new Map();
    try {
      await storeBatch(db, taken, clock.now());
    } catch {
      // The database is away: this goes with the next batch.
      for (const [applicationId, accounts] of taken)
        for (const [accountId, counted] of accounts)
          add(countedOf(applicationId, accountId), counted);
    }
  }

  /** One after the other, so that what the last one brings is there when it ends. */
  const flush = (): Promise<void> => (flushing = flushing.then(store));

  return {
    request({ accountId, applicationId }, isWrite) {
      const counted = countedOf(applicationId, accountId);
      if (isWrite) counted.writes += 1;
      else counted.reads += 1;
      counted.lastAt = clock.now();
    },
    forwarded(applicationId, accountId) {
      countedOf(applicationId, accountId).forwarded += 1;
    },
    flush,
    close() {
      isClosed = true;
      return flush();
    },
  };
}

function add(to: Counted, { reads, writes, forwarded, lastAt }: Counted): void {
  to.reads += reads;
  to.writes += writes;
  to.forwarded += forwarded;
  to.lastAt ??= lastAt;
}

/** Adds a batch to the rows of its day: that of each owner's calendar, of which a batch reaches at most a minute into the next. */
async function storeBatch(db: Db, batch: Batch, now: Instant): Promise<void> {
  const accountIds = [...new Set([...batch.values()].flatMap((accounts) => [...accounts.keys()]))];
  if (accountIds.length === 0) return;
  const owners = await db
    .selectFrom('account')
    .select(['id', 'timeZone'])
    .where(anyOf(db, 'id', listParameter(db, accountIds)))
    .execute();
  const days = new Map(owners.map(({ id, timeZone }) => [id, timeZone]));
  const rows = [...batch].flatMap(([applicationId, accounts]) =>
    [...accounts].flatMap(([accountId, counted]): ApplicationUseTable[] => {
      const timeZone = days.get(accountId);
      return timeZone === undefined
        ? []
        : [{ accountId, applicationId, day: dayIn(timeZone, counted.lastAt ?? now), ...counted }];
    }),
  );
  // In one order, so that two instances do not wait for each other.
  rows.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  await db.transaction().execute(async (trx) => {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      await addRows(trx, rows.slice(from, from + ROWS_AT_ONCE));
  });
}

const keyOf = ({ accountId, applicationId }: ApplicationUseTable): string =>
  `${accountId} ${applicationId}`;

const addRows = (trx: Db, rows: readonly ApplicationUseTable[]): Promise<unknown> =>
  trx
    .insertInto('applicationUse')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'applicationId', 'day']).doUpdateSet((eb) => ({
        reads: eb('applicationUse.reads', '+', eb.ref('excluded.reads')),
        writes: eb('applicationUse.writes', '+', eb.ref('excluded.writes')),
        forwarded: eb('applicationUse.forwarded', '+', eb.ref('excluded.forwarded')),
        lastAt: eb.fn.coalesce('excluded.lastAt', 'applicationUse.lastAt'),
      })),
    )
    .execute();
