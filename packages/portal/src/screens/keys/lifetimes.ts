import { DAY_MS } from '@helioport/contract/durations';
import { addDays, dayAsDate, localDay } from '../../i18n/plant-time.ts';
import type { Key } from './key-state.ts';

/** How long a new key pair lasts: so many days, `never` = without end, `until` = up to a day of one's choice. */
export const LIFETIMES = ['30', '90', '182', '365', 'until', 'never'] as const;
export type Lifetime = (typeof LIFETIMES)[number];

/** The choice that makes a key pair last from today on as long as another one from its creation on. `lastDay` is a local day, for `until`. */
export function lifetimeLike(
  { createdAt, expiresAt }: Pick<Key, 'createdAt' | 'expiresAt'>,
  today: string,
  zone: string,
): { readonly lifetime: Lifetime; readonly lastDay?: string } {
  if (expiresAt === undefined || createdAt === undefined) return { lifetime: 'never' };
  const days = Math.max(
    1,
    Math.round(
      (dayAsDate(localDay(expiresAt, zone)).getTime() -
        dayAsDate(localDay(createdAt, zone)).getTime()) /
        DAY_MS,
    ),
  );
  return LIFETIMES.find((lifetime) => lifetime === String(days))
    ? { lifetime: String(days) as Lifetime }
    : { lifetime: 'until', lastDay: addDays(today, days) };
}
