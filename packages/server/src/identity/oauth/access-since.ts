import { scopes } from '@helioport/contract';
import type { Instant, Json } from '../../platform/storage/database.ts';

/** Since when an authorization has given access to the data of plants without a break. */
export interface AccessSince {
  /** Of these plants. */
  readonly plants: Readonly<Record<string, Instant>>;
  /** Of all others that it covers. */
  readonly others: Instant;
}

/** What an authorization covers. */
export interface Covered {
  /** As bits. */
  readonly scopes: number;
  /** null = all plants of the owner. */
  readonly plantIds: readonly string[] | null;
}

/** An authorization before its owner decides again. */
export interface FormerAccess extends Covered {
  readonly createdAt: Instant;
  readonly accessSince: Json | null;
}

/** Since when an authorization has given access to the data of a plant that it covers. */
export function sinceOf(
  { createdAt, accessSince }: Pick<FormerAccess, 'createdAt' | 'accessSince'>,
  plantId: string,
): Instant {
  if (accessSince === null) return createdAt;
  const { plants, others } = JSON.parse(accessSince) as AccessSince;
  return Object.hasOwn(plants, plantId) ? plants[plantId]! : others;
}

/** The stored form after a new decision: what was covered before keeps its time, what is new begins now. */
export function accessAfter(former: FormerAccess, next: Covered, now: Instant): Json | null {
  if ((former.scopes & scopes.access_data.bit) === 0) return textOf({ plants: {}, others: now });
  const { plantIds: before } = former;
  const isWider =
    before !== null && (next.plantIds === null || next.plantIds.some((id) => !before.includes(id)));
  if (!isWider) return former.accessSince;
  return textOf({
    plants: Object.fromEntries(before.map((id) => [id, sinceOf(former, id)])),
    others: now,
  });
}

const textOf = (since: AccessSince): Json => JSON.stringify(since);
