import { DAY_MS } from '@helioport/contract/durations';
import { findAccount } from '../../identity/accounts/accounts.ts';
import type { Act } from '../../identity/accounts/audit.ts';
import type { Outbox } from '../../identity/mail/outbox.ts';
import { noteTold } from '../../fleet/plants/ended-access.ts';
import { lockPlants } from '../../fleet/plants/lock.ts';
import { endShare } from '../../fleet/plants/shares.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { unsharedLetter } from './letters.ts';
import type { Step } from './step.ts';

export const SHARES_AT_ONCE = 50;
const NAMED_AT_MOST = 20;

/** The next shares that are not newer than a closing. */
const sharesUntil = (trx: Db, at: Instant) =>
  trx
    .selectFrom('plantAccess as s')
    .innerJoin('plant as p', 'p.id', 's.plantId')
    .select(['s.plantId', 's.accountId', 'p.ownerId'])
    .where('s.level', '!=', 'owner')
    // What companies give ends with their shares.
    .where('s.ownLevel', 'is not', null)
    .where('s.createdAt', '<=', at)
    .orderBy('s.accountId')
    .orderBy('s.plantId')
    .limit(SHARES_AT_ONCE);

const lockPlantsOf = (trx: Db, shares: readonly { readonly plantId: string }[]): Promise<void> =>
  lockPlants(
    trx,
    shares.map(({ plantId }) => plantId),
  );

/** Ends shares that others have given to an account. */
export const endReceived: Step = async (trx, act, { accountId, at }) => {
  const shares = await sharesUntil(trx, at).where('s.accountId', '=', accountId).execute();
  await lockPlantsOf(trx, shares);
  for (const share of shares) await endShare(trx, act, share);
  return shares.length < SHARES_AT_ONCE ? undefined : '';
};

/** Plants that somebody no longer sees, as the letter about it will say. */
export interface Lost {
  /** Names of the first plants. */
  readonly named: readonly string[];
  readonly count: number;
}

export const andLost = (name: string, { named, count }: Lost = { named: [], count: 0 }): Lost => ({
  named: count < NAMED_AT_MOST ? [...named, name] : named,
  count: count + 1,
});

/** A reader whose shares are being ended. */
interface Reader extends Lost {
  readonly accountId: string;
}

/** Ends shares that an account has given, one reader after the other. Each gets one letter, with the last share. */
export const endGiven: Step = async (trx, act, { accountId: ownerId, at, after, outbox }) => {
  const shares = await sharesUntil(trx, at).where('p.ownerId', '=', ownerId).execute();
  await lockPlantsOf(trx, shares);
  let reader = after === '' ? undefined : (JSON.parse(after) as Reader);
  for (const share of shares) {
    if (reader && reader.accountId !== share.accountId) {
      await tellOfLost(trx, act, outbox, reader.accountId, reader);
      reader = undefined;
    }
    const name = await endShare(trx, act, share);
    if (name !== undefined) reader = { accountId: share.accountId, ...andLost(name, reader) };
  }
  // They get the letter above.
  await noteTold(
    trx,
    act.at,
    shares.map(({ plantId }) => plantId),
  );
  if (shares.length === SHARES_AT_ONCE) return reader ? JSON.stringify(reader) : '';
  if (reader) await tellOfLost(trx, act, outbox, reader.accountId, reader);
  return undefined;
};

export async function tellOfLost(
  trx: Db,
  act: Act,
  outbox: Outbox | null,
  accountId: string,
  { named, count }: Lost,
): Promise<void> {
  const account = (await findAccount(trx, accountId))!;
  await outbox?.post(trx, act.at, {
    accountId,
    address: account.email,
    letter: unsharedLetter(account, named, count),
    expiresAt: act.at + DAY_MS,
  });
}
