import { type Permission, type Scope, type Share } from '@helioport/contract';
import {
  sql,
  type Expression,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
} from 'kysely';
import type { Caller } from '../../identity/accounts/caller.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import { anyOf, listParameter } from '../../platform/storage/any-of.ts';
import type {
  Db,
  Instant,
  PlantAccessTable,
  PlantTable,
  Tables,
} from '../../platform/storage/database.ts';
import { engineOf } from '../../platform/storage/engine.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { higherOf, LEVELS, type AccessLevel } from './levels.ts';
import { zoneChanged } from './zone-changed.ts';

/** The plants that a caller may access with a permission, before any plant is read. */
export interface Reach {
  /** null = all plants: the operator's reach. */
  readonly accountId: string | null;
  readonly levels: readonly AccessLevel[];
  /** null = all plants to which the account has one of the levels. */
  readonly plantIds: readonly string[] | null;
  /** Excludes records of ammeters themselves, which only the signed interface has. interface W2 */
  readonly withoutAmmeters?: boolean;
}

// Applications neither manage plants nor install devices. interface W2
const SCOPES: Record<Permission, Scope | null> = {
  read: 'access_data',
  control: 'control_device',
  install: null,
  manage: null,
};

/** The reach of a caller for a permission. Throws noPermission if the caller cannot have it for any plant. */
export function reachOf(caller: Caller, permission: Permission): Reach {
  if (caller.kind === 'client' || caller.kind === 'console') throw new Failure('noPermission');
  const { accountId, plantIds } = caller;
  if (caller.kind === 'application') {
    const scope = SCOPES[permission];
    if (scope === null || !caller.scopes.includes(scope)) throw new Failure('noPermission');
    return { accountId, plantIds, levels: ['owner'], withoutAmmeters: true };
  }
  // Each plant has exactly one owner, so no plant appears twice.
  if (caller.kind === 'operator' && caller.accountId === null)
    return { accountId: null, plantIds, levels: ['owner'] };
  if (caller.kind === 'user') {
    if (caller.isOperator) throw new Failure('noPermission');
    if (permission !== 'read' && !caller.canControl) throw new Failure('noPermission');
    // What somebody else shares with an owner is not the owner's to show.
    if (caller.supporterId !== undefined) return { accountId, plantIds, levels: ['owner'] };
  }
  return { accountId, plantIds, levels: LEVELS[permission] };
}

/** A reach as parameters of a prepared query based on `visible`. */
export interface ReachParameters {
  accountId: string;
  /** 1 = plants of all owners. */
  everybody: number;
  levels: unknown;
  narrowed: number;
  plantIds: unknown;
  withoutAmmeters: number;
}

export function reachParameters(
  db: Db,
  { accountId, levels, plantIds, withoutAmmeters }: Reach,
): ReachParameters {
  return {
    accountId: accountId ?? '',
    everybody: accountId === null ? 1 : 0,
    levels: listParameter(db, levels),
    narrowed: plantIds ? 1 : 0,
    plantIds: listParameter(db, [...new Set(plantIds)]),
    withoutAmmeters: withoutAmmeters ? 1 : 0,
  };
}

/** Narrows a reach to the plants that a request names; undefined leaves it as it is. */
export function narrow(reach: Reach, plantIds: readonly string[] | undefined): Reach {
  if (!plantIds) return reach;
  const { plantIds: allowed } = reach;
  return { ...reach, plantIds: allowed ? plantIds.filter((id) => allowed.includes(id)) : plantIds };
}

/** Who may see which plants. Archived plants, and those of disabled owners, are visible to nobody. */
export const readers = (db: Db) =>
  ofEnabledOwners(withOwners(db.selectFrom('plantAccess as access')));

const withOwners = (
  access: SelectQueryBuilder<Tables & { access: PlantAccessTable }, 'access', object>,
) =>
  access
    .innerJoin('plant', 'plant.id', 'access.plantId')
    .innerJoin('account as owner', 'owner.id', 'plant.ownerId')
    .where('plant.archivedAt', 'is', null);

const ofEnabledOwners = (plants: ReturnType<typeof withOwners>) =>
  plants.where('owner.disabledAt', 'is', null);

/** A query that selects ids of plants as `id`. */
export type PlantIds = RawBuilder<{ id: string }>;

/**
 * The plants of a reach, as `access`, `plant` and its `owner`. Every query about plants or their devices starts here. If it
 * concerns only a few plants, it passes a query of their ids as `among`, so that the database starts with those.
 */
export const visible = (db: Db, p: ParameterOf<ReachParameters>, among?: PlantIds) => {
  const narrowed = p.has('narrowed');
  const ids = among ?? (narrowed ? listedIds(db, p('plantIds')) : undefined);
  const plants = (
    p.has('everybody') ? everybodys(db, ids) : ofAccount(db, p('accountId'), ids)
  ).where(anyOf(db, 'access.level', p('levels')));
  return among && narrowed ? plants.where(anyOf(db, 'access.plantId', p('plantIds'))) : plants;
};

// The operator also manages the plants of disabled owners.
function everybodys(db: Db, ids: PlantIds | undefined) {
  const plants = withOwners(db.selectFrom('plantAccess as access'));
  return ids ? plants.where(sql<boolean>`access."plantId" in (${ids})`) : plants;
}

const ofAccount = (db: Db, accountId: string, ids: PlantIds | undefined) =>
  (ids
    ? ofEnabledOwners(withOwners(db.selectFrom(accessTo(db, accountId, ids).as('access')) as never))
    : readers(db)
  ).where('access.accountId', '=', accountId);

// The access of an account to certain plants, written so that no planner starts with everything that the account may see: planners
// assume that all accounts have similar numbers of plants.
const accessTo = (
  db: Db,
  accountId: string,
  ids: PlantIds,
): RawBuilder<Selectable<PlantAccessTable>> =>
  engineOf(db) === 'postgres'
    ? sql`(select found.* from (${ids}) as wanted
        cross join lateral (select * from "plantAccess" where "accountId" = ${accountId} and "plantId" = wanted.id offset 0) as found)`
    : sql`(select found.* from (${ids}) as wanted
        cross join "plantAccess" as found on found."accountId" = ${accountId} and found."plantId" = wanted.id)`;

const listedIds = (db: Db, plantIds: unknown): PlantIds =>
  engineOf(db) === 'postgres'
    ? sql`select unnest(${plantIds}::text[]) as id`
    : sql`select value as id from json_each(${plantIds})`;

/** The plants of the devices with certain values in a column, no matter who may see them. */
export const plantsOfDevices = (db: Db, column: 'sn' | 'collectorId', values: unknown): PlantIds =>
  sql`select distinct "plantId" as id from device where ${anyOf(db, column, values)} and "plantId" is not null`;

/** The plants with a given meter id, no matter who may see them. */
export const plantsOfMeter = (nmiCode: string): PlantIds =>
  sql`select id from plant where "nmiCode" = ${nmiCode}`;

/** A plant as stored, with the caller's access level and its installer. */
export interface VisiblePlant extends Selectable<PlantTable> {
  readonly level: AccessLevel;
  readonly installerName: string | null;
  readonly installerEmail: string | null;
  /** Whether the time zone has a history; if not, `timeZone` has always applied. */
  readonly zoneChanged: SqlBool;
  readonly pendingAlarms: number;
}

/** Adds the columns that are read for each plant. */
export const withPlantColumns = (
  db: Db,
  p: ParameterOf<ReachParameters>,
  query: ReturnType<typeof visible>,
) =>
  query
    .leftJoin('account as installer', 'installer.id', 'plant.installerId')
    .selectAll('plant')
    .select([
      'access.level',
      'installer.name as installerName',
      'installer.email as installerEmail',
    ])
    .select(zoneChanged(db).as('zoneChanged'))
    .select((eb) =>
      eb
        .selectFrom('alarm')
        .select(sql<number>`count(*)`.as('amount'))
        .whereRef('alarm.plantId', '=', 'plant.id')
        // 0 = pending
        .where('alarm.state', '=', sql.lit(0))
        .$if(p.has('withoutAmmeters'), (alarms) =>
          alarms.where('alarm.kind', '!=', sql.lit('ammeter')),
        )
        .$asScalar()
        .$notNull()
        .as('pendingAlarms'),
    );

const plantById = prepareQuery((db, p: ParameterOf<ReachParameters & { plantId: string }>) =>
  withPlantColumns(db, p, visible(db, p)).where('access.plantId', '=', p('plantId')),
);

/** Finds a plant; undefined if it is foreign, unknown or archived. */
export async function findPlant(
  db: Db,
  caller: Caller,
  plantId: string,
  permission: Permission,
): Promise<VisiblePlant | undefined> {
  const [plant] = await plantById(db, {
    ...reachParameters(db, reachOf(caller, permission)),
    plantId,
  });
  return plant;
}

/** Finds a plant as `findPlant` does. Throws noPermission if there is none. */
export async function getPlant(
  db: Db,
  caller: Caller,
  plantId: string,
  permission: Permission,
): Promise<VisiblePlant> {
  const plant = await findPlant(db, caller, plantId, permission);
  if (!plant) throw new Failure('noPermission');
  return plant;
}

const idsWithin = prepareQuery((db, p: ParameterOf<ReachParameters>) =>
  visible(db, p).select('access.plantId'),
);

/** Whether a caller has a permission for each of some plants, which are looked up at once. Throws noPermission if it cannot have it for any plant. */
export async function mayInAll(
  db: Db,
  caller: Caller,
  plantIds: readonly string[],
  permission: Permission,
): Promise<boolean> {
  const wanted = [...new Set(plantIds)];
  const within = narrow(reachOf(caller, permission), wanted);
  return (await idsWithin(db, reachParameters(db, within))).length === wanted.length;
}

const plantByNmi = prepareQuery((db, p: ParameterOf<ReachParameters & { nmiCode: string }>) =>
  withPlantColumns(db, p, visible(db, p, plantsOfMeter(p('nmiCode'))))
    .orderBy('access.plantId')
    .limit(1),
);

/** A plant by its Australian meter id. Throws noPermission. */
export async function getPlantByNmi(
  db: Db,
  caller: Caller,
  nmiCode: string,
  permission: Permission,
): Promise<VisiblePlant> {
  const [plant] = await plantByNmi(db, {
    ...reachParameters(db, reachOf(caller, permission)),
    nmiCode,
  });
  if (!plant) throw new Failure('noPermission');
  return plant;
}

/** Gives an account itself a level on a plant, replacing any other of its own; returns whether it had none at all. The plant must be locked. */
export async function grantAccess(
  trx: Db,
  grant: { plantId: string; accountId: string; level: AccessLevel; at: Instant },
): Promise<boolean> {
  const { plantId, accountId, level, at } = grant;
  const { numUpdatedRows } = await trx
    .updateTable('plantAccess')
    .set((eb) => ({
      ownLevel: level,
      level: higherOf(eb.val(level), eb.ref('companyLevel')),
      raisedAt: raisedAt(eb.val(at)),
    }))
    .where('accountId', '=', accountId)
    .where('plantId', '=', plantId)
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return false;
  await trx
    .insertInto('plantAccess')
    .values({ plantId, accountId, level, ownLevel: level, createdAt: at })
    .execute();
  return true;
}

/** `plantAccess.raisedAt` after a change of its level at a time. */
export const raisedAt = (at: Expression<Instant>): RawBuilder<Instant | null> =>
  sql`case when "plantAccess".level = 'read' then cast(${at} as bigint) else "plantAccess"."raisedAt" end`;

/** Since when an account has had the level that it has of a plant, and more than to read it; undefined = it has none. */
export async function accessSince(
  db: Db,
  plantId: string,
  accountId: string,
): Promise<Instant | undefined> {
  const access = await db
    .selectFrom('plantAccess')
    .select(['createdAt', 'raisedAt'])
    .where('plantId', '=', plantId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  return access && (access.raisedAt ?? access.createdAt);
}

/** What an account may by itself and by its company; undefined = nothing. */
export const findAccess = (
  db: Db,
  plantId: string,
  accountId: string,
): Promise<Pick<Selectable<PlantAccessTable>, 'ownLevel' | 'companyLevel'> | undefined> =>
  db
    .selectFrom('plantAccess')
    .select(['ownLevel', 'companyLevel'])
    .where('plantId', '=', plantId)
    .where('accountId', '=', accountId)
    .executeTakeFirst();

/** Ends what an account itself may with plants, from the next request on; what it may by a company stays, and so does an owner's level. */
export async function withdrawAccess(
  trx: Db,
  plantIds: readonly string[],
  accountId: string,
): Promise<void> {
  const these = anyOf(trx, 'plantId', listParameter(trx, plantIds));
  await trx
    .updateTable('plantAccess')
    .where('accountId', '=', accountId)
    .where(these)
    .set((eb) => ({ ownLevel: null, level: eb.ref('companyLevel').$notNull() }))
    .where('companyLevel', 'is not', null)
    .where('ownLevel', '!=', 'owner')
    .execute();
  await trx
    .deleteFrom('plantAccess')
    .where('accountId', '=', accountId)
    .where(these)
    .where('companyLevel', 'is', null)
    .where('level', '!=', 'owner')
    .execute();
}

/** Ends everybody's access, including the owner's and that of companies, before a new owner gets the plant. */
export async function withdrawAllAccess(trx: Db, plantId: string): Promise<void> {
  for (const table of ['plantAccess', 'companyPlant'] as const)
    await trx.deleteFrom(table).where('plantId', '=', plantId).execute();
}

/** Who may see a plant, by themselves or by a company. */
export const listAccess = (db: Db, plantId: string): Promise<Share[]> =>
  accesses(db).where('access.plantId', '=', plantId).execute();

/** Who may see the plants of an owner, except those that are archived. */
export const listAccessOfOwner = (db: Db, ownerId: string): Promise<Share[]> =>
  accesses(db)
    .innerJoin('plant', 'plant.id', 'access.plantId')
    .where('plant.ownerId', '=', ownerId)
    .where('plant.archivedAt', 'is', null)
    .orderBy('plant.id')
    .execute();

const accesses = (db: Db) =>
  db
    .selectFrom('plantAccess as access')
    .innerJoin('account', 'account.id', 'access.accountId')
    .leftJoin('companyMember as membership', (join) =>
      join
        .onRef('membership.accountId', '=', 'account.id')
        .on('access.companyLevel', 'is not', null),
    )
    .leftJoin('company', 'company.id', 'membership.companyId')
    .select([
      'access.plantId',
      'account.id as accountId',
      'account.email',
      'access.ownLevel as level',
      'access.createdAt',
    ])
    .select(['company.id as companyId', 'company.name as companyName', 'access.companyLevel'])
    .orderBy('account.id');

/** Which of some accounts may see which of some plants, at this moment. */
export const listReaders = (
  db: Db,
  accountIds: readonly string[],
  plantIds: readonly string[],
): Promise<{ accountId: string; plantId: string }[]> =>
  readers(db)
    .select(['access.accountId', 'access.plantId'])
    .where(anyOf(db, 'access.accountId', listParameter(db, accountIds)))
    .where(anyOf(db, 'access.plantId', listParameter(db, plantIds)))
    .execute();
