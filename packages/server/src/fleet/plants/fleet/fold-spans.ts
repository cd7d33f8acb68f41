import { sql } from 'kysely';
import { isOvertaken } from '../../../platform/storage/away.ts';
import type { Db, DeviceTable } from '../../../platform/storage/database.ts';
import { transactionsOf } from '../../../platform/storage/transact.ts';
import { plannedOnce } from '../../../platform/storage/sqlite/planned-once.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';
import { reachParameters, visible, type ReachParameters } from '../access.ts';
import { FIRST_ID, SPAN_SIZE, type PlacedKind } from './visible-spans.ts';

interface Span {
  /** Number of the span; undefined for a new one. */
  readonly no: number | undefined;
  readonly fromId: string;
  amount: number;
  ownedAmount: number;
  changed: boolean;
}

/**
 * Folds the appended changes of at most `limit` accounts into their spans, and returns the number of these accounts. Everything is read as of one
 * instant, so that readers see the same positions before, during and after, and no write has to wait.
 */
export async function foldSpans(
  db: Db,
  limit: number,
  transaction = transactionsOf(db),
): Promise<number> {
  // 0 is a literal, so that the partial index is used.
  const accounts = await db
    .selectFrom('visibleSpan')
    .select('accountId')
    .distinct()
    .where('folded', '=', sql.lit(0))
    .limit(limit)
    .execute();
  for (const { accountId } of accounts) {
    try {
      await transaction((trx) => foldAccount(trx, accountId), 'repeatable read');
    } catch (error) {
      // Another instance is folding the account.
      if (!isOvertaken(error)) throw error;
    }
  }
  return accounts.length;
}

async function foldAccount(trx: Db, accountId: string): Promise<void> {
  const rows = await trx
    .selectFrom('visibleSpan')
    .select(['no', 'kind', 'fromId', 'amount', 'ownedAmount', 'folded'])
    .where('accountId', '=', accountId)
    .orderBy('kind')
    .orderBy('fromId')
    .orderBy('folded', 'desc')
    .execute();
  await trx
    .deleteFrom('visibleSpan')
    .where('accountId', '=', accountId)
    .where('folded', '=', sql.lit(0))
    .execute();
  for (const [kind, own] of Map.groupBy(rows, (row) => row.kind)) {
    const [first] = own;
    const spans: Span[] =
      first!.folded === 1 && first!.fromId === FIRST_ID ? [] : [newSpan(FIRST_ID)];
    for (const { no, fromId, amount, ownedAmount, folded } of own) {
      if (folded === 1) spans.push({ no, fromId, amount, ownedAmount, changed: false });
      else add(spans.at(-1)!, amount, ownedAmount);
    }
    await writeSpans(trx, accountId, kind, own, await divided(trx, accountId, kind, merged(spans)));
  }
}

const newSpan = (fromId: string): Span => ({
  no: undefined,
  fromId,
  amount: 0,
  ownedAmount: 0,
  changed: true,
});

function add(span: Span, amount: number, ownedAmount: number): void {
  span.amount += amount;
  span.ownedAmount += ownedAmount;
  span.changed = true;
}

/** Merges neighbouring spans that together hold little. */
function merged(spans: readonly Span[]): Span[] {
  const left: Span[] = [];
  for (const span of spans) {
    const before = left.at(-1);
    if (before && before.amount + span.amount <= SPAN_SIZE / 2)
      add(before, span.amount, span.ownedAmount);
    else left.push(span);
  }
  return left;
}

/** Splits spans that have grown too large. */
async function divided(
  trx: Db,
  accountId: string,
  kind: PlacedKind,
  spans: readonly Span[],
): Promise<Span[]> {
  const left: Span[] = [];
  const total = spans.reduce((sum, { amount }) => sum + amount, 0);
  for (const [i, span] of spans.entries()) {
    if (span.amount <= 2 * SPAN_SIZE) {
      left.push(span);
      continue;
    }
    const things = await listThings(
      trx,
      { accountId, kind, fromId: span.fromId, toId: spans[i + 1]?.fromId ?? LAST_ID },
      span.amount,
      total,
    );
    for (let at = 0; at < things.length; at += SPAN_SIZE) {
      const part = newSpan(at === 0 ? span.fromId : things[at]!.id);
      for (const { level } of things.slice(at, at + SPAN_SIZE))
        add(part, 1, level === 'owner' ? 1 : 0);
      left.push(part);
    }
  }
  return left;
}

async function writeSpans(
  trx: Db,
  accountId: string,
  kind: PlacedKind,
  rows: readonly { no: number; folded: number }[],
  spans: readonly Span[],
): Promise<void> {
  const kept = new Set(spans.filter(({ changed }) => !changed).map(({ no }) => no));
  const ended = rows.filter(({ no, folded }) => folded === 1 && !kept.has(no)).map(({ no }) => no);
  for (const no of ended) await trx.deleteFrom('visibleSpan').where('no', '=', no).execute();
  for (const { fromId, amount, ownedAmount, changed } of spans) {
    if (changed)
      await trx
        .insertInto('visibleSpan')
        .values({ accountId, kind, fromId, amount, ownedAmount, folded: 1 })
        .execute();
  }
}

const LAST_ID = '9'.repeat(19);

interface RangeParameters extends ReachParameters {
  kind: PlacedKind;
  fromId: string;
  toId: string;
}
type P = ParameterOf<RangeParameters>;
type Thing = { id: string; level: string | null };

const plantsOf = prepareQuery<RangeParameters, Thing>((db, p) =>
  visible(db, p)
    .select(['access.plantId as id', 'access.level'])
    .where('access.plantId', '>=', p('fromId'))
    .where('access.plantId', '<', p('toId'))
    .orderBy('access.plantId'),
);
const devicesOf = prepareQuery<RangeParameters, Thing>((db, p) =>
  visible(db, p)
    .innerJoin('device', 'device.plantId', 'plant.id')
    .select(['device.id', 'access.level'])
    .where('device.kind', '=', plannedOnce(db, p('kind') as DeviceTable['kind']))
    .where('device.id', '>=', p('fromId'))
    .where('device.id', '<', p('toId'))
    .orderBy('device.id'),
);
// Tests device by device, for the reason given in fleet-pages.ts.
const devicesOfAll = prepareQuery<RangeParameters, Thing>((db, p: P) =>
  db
    .selectFrom('device')
    .select([
      'device.id',
      sql<
        string | null
      >`(${visible(db, p).select('access.level').where('access.plantId', '=', sql.ref<string>('device.plantId')).limit(sql.lit(1))})`.as(
        'level',
      ),
    ])
    .where('device.kind', '=', plannedOnce(db, p('kind') as DeviceTable['kind']))
    .where('device.plantId', 'is not', null)
    .where('device.id', '>=', p('fromId'))
    .where('device.id', '<', p('toId'))
    .orderBy('device.id'),
);

interface Range {
  readonly accountId: string;
  readonly kind: PlacedKind;
  readonly fromId: string;
  readonly toId: string;
}

/** The things of a span. It holds `amount` of the `total` that the account sees. */
async function listThings(
  trx: Db,
  { accountId, ...range }: Range,
  amount: number,
  total: number,
): Promise<Thing[]> {
  const parameters = {
    ...reachParameters(trx, { accountId, levels: ['owner', 'control', 'read'], plantIds: null }),
    ...range,
  };
  if (range.kind === 'plant') return plantsOf(trx, parameters);
  const { series } = await trx
    .selectFrom('device')
    .select((eb) => eb.fn.max('series').as('series'))
    .executeTakeFirstOrThrow();
  // If the account sees a large share of all devices, going through everybody's is faster.
  const isDense = (amount / total) * series < total;
  return isDense
    ? (await devicesOfAll(trx, parameters)).filter(({ level }) => level !== null)
    : devicesOf(trx, parameters);
}
