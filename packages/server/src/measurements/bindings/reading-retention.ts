import type { Db } from '../../platform/storage/database.ts';
import { refusedNow, invalidValue } from '../../platform/kernel/failure.ts';
import {
  expiryForm,
  thinningForm,
  type ReadingRetention,
} from '@helioport/contract/reading-retention';
import type { PlantRetention } from '../../fleet/plants/plants.ts';

/** How long readings of a plant are kept: of what is said of it and of the whole installation, the stricter holds. */
export function retentionOf(plant: PlantRetention, all: ReadingRetention): ReadingRetention {
  const { readingsThinnedDays: days, readingsThinnedMinutes: minutes } = plant;
  const own = days === null || minutes === null ? null : { days, minutes };
  return {
    expiry: least(plant.readingsKeptDays, all.expiry),
    thinning:
      own && all.thinning
        ? {
            days: Math.min(own.days, all.thinning.days),
            minutes: Math.max(own.minutes, all.thinning.minutes),
          }
        : (own ?? all.thinning),
  };
}

const least = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

/** What somebody asks for, written like the settings; `off` = as the whole installation. */
export interface AskedRetention {
  readonly readingRetention?: string | undefined;
  readonly readingThinning?: string | undefined;
}

/**
 * What is to be stored of it.
 * @throws invalidValue, also if readings were kept longer or in more detail than in the whole installation
 */
export function readRetention(
  { readingRetention: kept, readingThinning: thinned }: AskedRetention,
  all: ReadingRetention,
): Partial<PlantRetention> {
  const days = ask('readingRetention', kept, expiryForm);
  if (days && all.expiry !== null && days > all.expiry)
    throw refusedNow('readingRetention', `at most ${all.expiry}d, as the operator has set`);
  const thinning = ask('readingThinning', thinned, thinningForm);
  const limit = all.thinning;
  if (thinning && limit && (thinning.days > limit.days || thinning.minutes < limit.minutes))
    throw refusedNow(
      'readingThinning',
      `at most ${limit.days}d and at least ${limit.minutes}m, as the operator has set`,
    );
  return {
    ...(days !== undefined && { readingsKeptDays: days }),
    ...(thinning !== undefined && {
      readingsThinnedDays: thinning?.days ?? null,
      readingsThinnedMinutes: thinning?.minutes ?? null,
    }),
  };
}

/** How many plants have a retention of their own. */
export async function countPlantsWithRetention(db: Db): Promise<number> {
  const { plants } = await db
    .selectFrom('plant')
    .select((eb) => eb.fn.countAll<number>().as('plants'))
    .where((eb) =>
      eb.or([eb('readingsKeptDays', 'is not', null), eb('readingsThinnedDays', 'is not', null)]),
    )
    .executeTakeFirstOrThrow();
  return plants;
}

/** The value that a text stands for; null = off, undefined = not asked for. */
function ask<T>(
  field: string,
  text: string | undefined,
  kind: { readonly expected: string; read(text: string): T | undefined },
): T | null | undefined {
  if (text === undefined) return undefined;
  if (text === 'off') return null;
  const value = kind.read(text);
  if (value === undefined) throw invalidValue(field, `off or ${kind.expected}`);
  return value;
}
