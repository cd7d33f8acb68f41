import { shareLevels, type Permission, type ShareLevel } from '@helioport/contract';
import { sql, type Expression, type RawBuilder } from 'kysely';
import type { PlantAccessTable } from '../../platform/storage/database.ts';

/** An account's relation to a plant. */
export type AccessLevel = PlantAccessTable['level'];

/** The levels that have a permission. */
export const LEVELS: Readonly<Record<Permission, readonly AccessLevel[]>> = {
  read: ['owner', 'install', 'control', 'read'],
  control: ['owner', 'install', 'control'],
  install: ['owner', 'install'],
  manage: ['owner'],
};

/** The higher of an account's own level and its company's, either of which may be null. */
export const higherOf = (
  own: Expression<AccessLevel | null>,
  company: Expression<AccessLevel | null>,
): RawBuilder<AccessLevel> =>
  sql`case when ${own} = 'owner' or ${company} is null then ${own} when ${own} = 'install' or ${company} = 'install' then 'install'
    when ${own} = 'control' then ${own} else ${company} end`;

/** The share that allows more; null = none. */
export const higherShare = (one: ShareLevel, other: ShareLevel | null | undefined): ShareLevel =>
  other && shareLevels.indexOf(other) > shareLevels.indexOf(one) ? other : one;
