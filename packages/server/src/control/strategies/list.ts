import type { StrategyDeviceRecord, StrategyRecord, StrategyState } from '@helioport/contract';
import { sql } from 'kysely';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import {
  getPlant,
  narrow,
  reachOf,
  reachParameters,
  visible,
  type Reach,
  type ReachParameters,
} from '../../fleet/plants/access.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { contentOf } from './content.ts';
import { stateOf, type DeviceCounts } from './state.ts';
import type { Strategy } from './strategy.ts';

/** Which strategies are listed. */
export interface StrategySelection {
  readonly plantId?: string | undefined;
  readonly reference?: string | undefined;
  /** Only those that have not ended. */
  readonly current: boolean;
  /** Only those older than the one with this id. */
  readonly before?: string | undefined;
  readonly limit: number;
}

interface StrategyParameters extends ReachParameters {
  /** Of the application that asks; empty = anybody's. */
  applicationId: string;
  /** The owner who has authorized it. */
  authorizedBy: string;
  id: string;
  reference: string;
  /** 1 = only strategies for plants of the reach. */
  ofPlants: number;
  /** Only what has not ended by then; 0 = also what has. */
  currentAt: Instant;
  before: string;
  limit: number;
}

/** The devices of strategies in the plants of a reach. What a former owner had authorized is not shown to those who came later. */
const seen = (db: Db, p: ParameterOf<ReachParameters>) => {
  const every = visible(db, p).innerJoin('strategyDevice as sd', 'sd.plantId', 'plant.id');
  return p.has('everybody')
    ? every
    : every.where(({ exists, selectFrom }) =>
        exists(
          selectFrom('strategy as its')
            .select('its.id')
            .whereRef('its.id', '=', 'sd.strategyId')
            .whereRef('its.accountId', '=', 'plant.ownerId'),
        ),
      );
};

const strategies = prepareQuery((db, p: ParameterOf<StrategyParameters>) => {
  let query = db
    .selectFrom('strategy as s')
    .innerJoin('application as a', 'a.id', 's.applicationId')
    .selectAll('s')
    .select('a.name as applicationName')
    .where('s.id', '<', p('before'))
    .orderBy('s.id', 'desc')
    .limit(p('limit'));
  if (p.has('applicationId'))
    query = query
      .where('s.applicationId', '=', p('applicationId'))
      .where('s.accountId', '=', p('authorizedBy'));
  if (p.has('ofPlants')) query = query.where('s.id', 'in', seen(db, p).select('sd.strategyId'));
  if (p.has('id')) query = query.where('s.id', '=', p('id'));
  if (p.has('reference')) query = query.where('s.reference', '=', p('reference'));
  return p.has('currentAt')
    ? query.where('s.endedAt', 'is', null).where('s.endAt', '>', p('currentAt'))
    : query;
});

const counts = prepareQuery((db, p: ParameterOf<ReachParameters & { ids: unknown }>) =>
  seen(db, p)
    .where(anyOf(db, 'sd.strategyId', p('ids')))
    .select([
      'sd.strategyId',
      'sd.state',
      sql<number>`count(*)`.as('amount'),
      sql<Instant | null>`max(sd."endedAt")`.as('endedAt'),
    ])
    .select(sql<string | null>`max(sd.reason)`.as('reason'))
    .groupBy(['sd.strategyId', 'sd.state']),
);

const devices = prepareQuery(
  (
    db,
    p: ParameterOf<ReachParameters & { id: string; after: string; only: string; limit: number }>,
  ) => {
    const targets = seen(db, p)
      .innerJoin('device', 'device.id', 'sd.deviceId')
      .where('sd.strategyId', '=', p('id'))
      .where('device.sn', '>', p('after'))
      .select([
        'device.sn',
        'sd.plantId',
        'sd.state',
        'sd.reason',
        'sd.powerKw',
        'sd.appliedAt',
        'sd.endedAt',
        'sd.restoredAt',
      ])
      .orderBy('device.sn')
      .limit(p('limit'));
    return p.has('only') ? targets.where('device.sn', '=', p('only')) : targets;
  },
);

/** The reach in which a caller sees strategies: applications by the scope for control, everybody else by the right to read. */
const viewOf = (caller: Caller): Reach =>
  reachOf(caller, caller.kind === 'application' ? 'control' : 'read');

/** Beyond the id of every strategy. */
const NEWEST = '9'.repeat(19);

function parametersOf(db: Db, caller: Caller, reach: Reach): StrategyParameters {
  const isApplication = caller.kind === 'application';
  const whose = {
    applicationId: isApplication ? caller.applicationId : '',
    authorizedBy: caller.accountId ?? '',
    ofPlants: isApplication ? 0 : 1,
  };
  return {
    ...reachParameters(db, reach),
    ...whose,
    id: '',
    reference: '',
    currentAt: 0,
    before: NEWEST,
    limit: 1,
  };
}

/** The strategies that a caller sees, newest first: an application its own, everybody else those for plants within reach. Throws noPermission. */
export async function listStrategies(
  db: Db,
  caller: Caller,
  { plantId, reference = '', current, before = NEWEST, limit }: StrategySelection,
  now: Instant,
) {
  const view = viewOf(caller);
  if (plantId !== undefined)
    await getPlant(db, caller, plantId, caller.kind === 'application' ? 'control' : 'read');
  const reach = plantId === undefined ? view : narrow(view, [plantId]);
  const selection = {
    reference,
    before,
    limit,
    currentAt: current ? now : 0,
    ...(plantId !== undefined && { ofPlants: 1 }),
  };
  return toRecords(
    db,
    view,
    await strategies(db, { ...parametersOf(db, caller, reach), ...selection }),
    now,
  );
}

/** A strategy that a caller sees. Throws noPermission, alike for a foreign and an unknown one. */
export async function getStrategy(
  db: Db,
  caller: Caller,
  id: string,
  now: Instant,
): Promise<StrategyRecord> {
  const view = viewOf(caller);
  const found = await strategies(db, { ...parametersOf(db, caller, view), id });
  if (found.length === 0) throw new Failure('noPermission');
  return (await toRecords(db, view, found, now))[0]!;
}

/** The devices of a strategy that a caller sees, by serial number; with `only`, none but that one. */
export function listTargets(
  db: Db,
  caller: Caller,
  id: string,
  page: { readonly after: string; readonly limit: number; readonly only?: string },
): Promise<StrategyDeviceRecord[]> {
  return devices(db, { ...reachParameters(db, viewOf(caller)), id, only: '', ...page });
}

type Listed = Strategy & { readonly applicationName: string };

async function toRecords(
  db: Db,
  reach: Reach,
  found: readonly Listed[],
  now: Instant,
): Promise<StrategyRecord[]> {
  const ids = listParameter(
    db,
    found.map(({ id }) => id),
  );
  const byId = new Map<string, DeviceCounts>();
  const ends = new Map<string, End>();
  for (const { strategyId, state, amount, endedAt, reason } of found.length === 0
    ? []
    : await counts(db, { ...reachParameters(db, reach), ids })) {
    byId.set(strategyId, { ...byId.get(strategyId), [state]: amount });
    if (endedAt !== null && endedAt > (ends.get(strategyId)?.endedAt ?? 0))
      ends.set(strategyId, { endedAt, reason });
  }
  return found.map((strategy) =>
    recordOf(strategy, byId.get(strategy.id) ?? {}, ends.get(strategy.id), now),
  );
}

/** How a strategy ended on the devices that a caller sees: it may go on for others. */
interface End {
  readonly endedAt: Instant;
  readonly reason: string | null;
}

function recordOf(
  strategy: Listed,
  amounts: DeviceCounts,
  end: End | undefined,
  now: Instant,
): StrategyRecord {
  const {
    id,
    reference,
    name,
    program,
    priority,
    applicationName,
    startAt,
    endAt,
    heartbeatSeconds,
    heartbeatAt,
  } = strategy;
  const { createdAt, dispatchedAt, endedAt } = strategy;
  const content = contentOf(strategy);
  const what =
    content.kind === 'dayPlan'
      ? { intervals: content.intervals, powerKw: null }
      : { intervals: null, powerKw: content.powerKw };
  const state: StrategyState = stateOf(strategy, amounts);
  const seenEnd = state === 'cancelled' || state === 'failed' ? end : undefined;
  const times = {
    startAt,
    endAt,
    heartbeatSeconds,
    heartbeatAt,
    createdAt,
    dispatchedAt,
    endedAt: endedAt ?? seenEnd?.endedAt ?? (dispatchedAt !== null && endAt <= now ? endAt : null),
  };
  const reason = strategy.reason ?? seenEnd?.reason ?? null;
  return {
    id,
    reference,
    name,
    program,
    priority,
    applicationName,
    state,
    reason,
    ...times,
    ...what,
    devices: amounts,
  };
}
