import type { Act } from '../../identity/accounts/audit.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import type { LinkHome } from './collector-links.ts';
import { placeDevices } from './placement.ts';

/** What became of the devices that a plant had until it was archived. */
export interface BroughtBack {
  /** Devices (device.id) that are in the plant again. */
  readonly bound: readonly string[];
  /** Devices that have been in another plant since, or are somebody else's now. */
  readonly elsewhere: number;
}

/** Binds the devices that a plant had until it was archived, except those that have been elsewhere since. The plant must be locked, and back. */
export async function bringBackDevices(
  trx: Db,
  act: Act,
  home: LinkHome,
  archivedAt: Instant,
): Promise<BroughtBack> {
  const former = await trx
    .selectFrom('binding')
    .innerJoin('device', 'device.id', 'binding.deviceId')
    .select(['device.id', 'device.sn', 'device.plantId', 'device.accountId'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('binding as later')
          .select('later.no')
          .whereRef('later.deviceId', '=', 'device.id')
          .whereRef('later.no', '>', 'binding.no'),
      ).as('hasMoved'),
    )
    .where('binding.plantId', '=', home.id)
    .where('binding.toAt', '=', archivedAt)
    .orderBy('binding.no')
    .execute();
  const free = former.filter(
    ({ plantId, accountId, hasMoved }) =>
      plantId === null && !hasMoved && (accountId === null || accountId === home.ownerId),
  );
  if (free.length > 0) {
    await placeDevices(
      trx,
      act,
      home,
      free.map(({ sn }) => sn),
    );
  }
  return { bound: free.map(({ id }) => id), elsewhere: former.length - free.length };
}
