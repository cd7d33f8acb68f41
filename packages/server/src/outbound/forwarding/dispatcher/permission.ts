import { scopes } from '@helioport/contract';
import { sql } from 'kysely';
import type { LogPosition } from '../../../platform/events/position.ts';
import type { Entry } from '../../../platform/events/read.ts';
import { sinceOf } from '../../../identity/oauth/access-since.ts';
import { livesUntil } from '../../../identity/oauth/grant-life.ts';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { listOf } from '../../../platform/storage/json-list.ts';
import { prepareQuery, type ParameterOf } from '../../../platform/storage/prepare.ts';

/** What permission depends on of a destination. */
export interface PermissionSubject {
  readonly id: string;
  readonly applicationId: string;
  readonly revision: number;
  readonly sinceAt: Instant;
}

/** Says of entries whether a destination may have them. */
export interface EventPermission {
  /** Since when it has had access to the plant of an entry, if it may have the entry; else undefined. */
  sinceOf(
    entry: Pick<Entry, 'plantId' | 'accountId' | 'applicationId' | 'recordedAt'>,
  ): Instant | undefined;
}

interface Asked {
  id: string;
  revision: number;
  applicationId: string;
  plantIds: unknown;
  now: Instant;
}

/** A row without a plant, if the destination is to be served. */
const standing = (db: Db, p: ParameterOf<Asked>) =>
  db
    .selectFrom('destination')
    .innerJoin('application', 'application.id', 'destination.applicationId')
    .select([
      sql<string | null>`null`.as('plantId'),
      'destination.applicationId as accountId',
      sql<string | null>`null`.as('plantIds'),
      'destination.createdAt',
      sql<string | null>`null`.as('accessSince'),
    ])
    .where('destination.id', '=', p('id'))
    .where('destination.revision', '=', p('revision'))
    .where('destination.state', '=', 'active')
    .where('application.status', '=', 'approved')
    .where('application.disabledAt', 'is', null);

// The same conditions as those of a token (oauth/bearer.ts), for the plants that the owner owns now (plants/access.ts).
const accessible = (db: Db, p: ParameterOf<Asked>) =>
  db
    .selectFrom('plant')
    .innerJoin('oauthGrant as g', 'g.accountId', 'plant.ownerId')
    .innerJoin('application as a', 'a.id', 'g.applicationId')
    .innerJoin('account as o', 'o.id', 'g.accountId')
    .select([
      'plant.id as plantId',
      'plant.ownerId as accountId',
      'g.plantIds',
      'g.createdAt',
      'g.accessSince',
    ])
    .where(anyOf(db, 'plant.id', p('plantIds')))
    .where('plant.archivedAt', 'is', null)
    .where('g.applicationId', '=', p('applicationId'))
    .where('g.revokedAt', 'is', null)
    .where('o.disabledAt', 'is', null)
    .where(sql<boolean>`g.scopes & a.scopes & ${sql.lit(scopes.access_data.bit)} <> 0`)
    .where(sql<boolean>`${livesUntil} > ${p('now')}`);

// One statement, since each takes a round trip.
const selectPermission = prepareQuery((db, p: ParameterOf<Asked>) =>
  standing(db, p).unionAll(accessible(db, p)),
);

/**
 * Reads what a destination may have of some plants, right now. Undefined if the destination was paused, removed or changed, or its application
 * disabled. Called before each attempt, so that nothing is sent once access has ended.
 */
export async function readPermission(
  db: Db,
  { id, applicationId, revision, sinceAt }: PermissionSubject,
  plantIds: readonly string[],
  now: Instant,
): Promise<EventPermission | undefined> {
  const rows = await selectPermission(db, {
    id,
    revision,
    applicationId,
    plantIds: listParameter(db, plantIds),
    now,
  });
  if (!rows.some(({ plantId }) => plantId === null)) return undefined;
  const plants = new Map<string, { readonly accountId: string; readonly since: Instant }>();
  for (const { plantId, accountId, plantIds: chosen, ...terms } of rows) {
    if (plantId !== null && (listOf(chosen)?.includes(plantId) ?? true))
      plants.set(plantId, { accountId, since: Math.max(sinceAt, sinceOf(terms, plantId)) });
  }
  return {
    sinceOf({ plantId, accountId, applicationId: concerned, recordedAt }) {
      if (plantId === null)
        return concerned === applicationId && recordedAt >= sinceAt ? sinceAt : undefined;
      const access = plants.get(plantId);
      return access?.accountId === accountId && recordedAt >= access.since
        ? access.since
        : undefined;
    },
  };
}

/** The plants of entries. */
export const plantsOf = (entries: Iterable<Pick<Entry, 'plantId'>>): string[] => {
  const ids = new Set<string>();
  for (const { plantId } of entries) if (plantId !== null) ids.add(plantId);
  return [...ids];
};

/** The position before an entry. */
export const before = ({ key, no }: LogPosition): LogPosition => ({ key, no: no - 1 });
