import { sql, type SelectQueryBuilder } from 'kysely';
import type { Db, Instant, Tables } from '../../platform/storage/database.ts';
import { contains } from '../../platform/storage/text-search.ts';

/** `waiting`: nobody has bound it; `silent`: it should report and does not. */
export type SearchedCollectorState = 'waiting' | 'reporting' | 'silent';

export interface CollectorSearch {
  readonly search?: string | undefined;
  readonly state?: SearchedCollectorState | undefined;
  readonly pageNo: number;
  readonly pageSize: number;
}

export interface CollectorMatch {
  readonly id: string;
  readonly sn: string;
  readonly model: string | null;
  readonly state: SearchedCollectorState;
  readonly lastReportAt: Instant | null;
  readonly clockOffsetSeconds: number | null;
  /** Valid tokens. */
  readonly tokens: number;
  /** Devices for which it reports. */
  readonly devices: number;
  /** Serial numbers in its reports that are refused. */
  readonly refused: number;
  readonly createdAt: Instant;
}

/** device.state of a device that is offline. */
const OFFLINE = 2;

const collectors = (db: Db) => db.selectFrom('device').where('kind', '=', 'collector');

function inState<O>(
  query: SelectQueryBuilder<Tables, 'device', O>,
  state: SearchedCollectorState,
): SelectQueryBuilder<Tables, 'device', O> {
  if (state === 'waiting') return query.where('plantId', 'is', null);
  return query
    .where('plantId', 'is not', null)
    .where('state', state === 'silent' ? '=' : '!=', OFFLINE);
}

const stateOf = ({
  plantId,
  state,
}: {
  readonly plantId: string | null;
  readonly state: number;
}): SearchedCollectorState =>
  plantId === null ? 'waiting' : state === OFFLINE ? 'silent' : 'reporting';

/** A page of the collectors that are searched for, by serial number, and how many there are in all. Nothing tells where they stand. */
export async function searchCollectors(
  db: Db,
  now: Instant,
  { search, state, pageNo, pageSize }: CollectorSearch,
) {
  let found = collectors(db);
  if (search !== undefined) found = found.where(contains(['sn'], search));
  if (state !== undefined) found = inState(found, state);
  const { total } = await found
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await found
    .select([
      'id',
      'sn',
      'model',
      'plantId',
      'state',
      'reportedAt as lastReportAt',
      'clockOffsetSeconds',
      'createdAt',
    ])
    .select((eb) => {
      const amount = sql<number>`count(*)`.as('amount');
      return [
        eb
          .selectFrom('collectorToken as token')
          .select(amount)
          .whereRef('token.collectorId', '=', 'device.id')
          .where((one) =>
            one.or([one('token.expiresAt', 'is', null), one('token.expiresAt', '>', now)]),
          )
          .$asScalar()
          .$notNull()
          .as('tokens'),
        eb
          .selectFrom('device as behind')
          .select(amount)
          .whereRef('behind.collectorId', '=', 'device.id')
          .$asScalar()
          .$notNull()
          .as('devices'),
        eb
          .selectFrom('collectorRefusal as refusal')
          .select(amount)
          .whereRef('refusal.collectorId', '=', 'device.id')
          .$asScalar()
          .$notNull()
          .as('refused'),
      ];
    })
    .orderBy('sn')
    .limit(pageSize)
    .offset((pageNo - 1) * pageSize)
    .execute();
  const records = rows.map(({ plantId, state: code, ...row }): CollectorMatch => ({
    ...row,
    state: stateOf({ plantId, state: code }),
  }));
  return { records, total, pageNo, pageSize };
}

/** `lately`: those that reported within this time. */
const LATELY_MS = 15 * 60_000;

/** How many collectors there are in each state, and how many have reported lately. */
export async function countCollectors(
  db: Db,
  now: Instant,
): Promise<Record<SearchedCollectorState | 'lately', number>> {
  const count = async (query: ReturnType<typeof collectors>): Promise<number> =>
    (await query.select((eb) => eb.fn.countAll<number>().as('amount')).executeTakeFirstOrThrow())
      .amount;
  const [waiting, reporting, silent, lately] = await Promise.all([
    count(inState(collectors(db), 'waiting')),
    count(inState(collectors(db), 'reporting')),
    count(inState(collectors(db), 'silent')),
    count(collectors(db).where('reportedAt', '>=', now - LATELY_MS)),
  ]);
  return { waiting, reporting, silent, lately };
}
