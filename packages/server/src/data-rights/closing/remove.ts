import type { Act } from '../../identity/accounts/audit.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import { inTransaction } from '../../platform/storage/transactions/transaction.ts';
import { forgetInvitations } from '../../fleet/plants/companies/invitations.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { beginSteps } from './step.ts';

interface RemovalDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
}

/**
 * Begins to remove the personal data of one closed account whose time has come; returns how many it found. An account that cannot be removed keeps none of
 * the others: the error is thrown once it alone is left. Parts of exports are deleted first, by their own sweep.
 */
export async function removeClosed({ db, clock, ids: newId }: RemovalDeps): Promise<number> {
  const now = clock.now();
  const failures = new Map<string, unknown>();
  for (let id; (id = await findDue(db, now, [...failures.keys()])) !== undefined;) {
    const accountId = id;
    try {
      await inTransaction(db, (trx) =>
        beginRemoval(trx, { at: now, actor: 'service', address: null, newId }, accountId),
      );
      return 1;
    } catch (error) {
      failures.set(accountId, error);
    }
  }
  for (const error of failures.values()) throw error;
  return 0;
}

/** The account that waits longest for its removal, except some. */
async function findDue(
  db: Db,
  now: Instant,
  except: readonly string[],
): Promise<string | undefined> {
  const due = db
    .selectFrom('account')
    .select('id')
    .where('removeAt', '<=', now)
    .where('id', 'not in', db.selectFrom('accountExport').select('accountId'))
    // What is left to do of its closing comes first.
    .where('id', 'not in', db.selectFrom('accountClosing').select('accountId'))
    .orderBy('removeAt')
    .limit(1);
  return (await (except.length > 0 ? due.where('id', 'not in', except) : due).executeTakeFirst())
    ?.id;
}

/**
 * Begins to remove what is personal in an account: its id stays as a pseudonym, to which the audit trail, readings and authorizations refer. From now on its
 * closing cannot be taken back. Does nothing if it was taken back meanwhile.
 */
async function beginRemoval(trx: Db, act: Act, id: string): Promise<void> {
  const { email } = await trx
    .selectFrom('account')
    .select('email')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const { numUpdatedRows } = await trx
    .updateTable('account')
    .set({
      email: `${id}@removed.invalid`,
      name: '',
      passwordHash: '',
      legacyHash: null,
      timeZone: 'UTC',
      language: null,
      removeAt: null,
    })
    .where('id', '=', id)
    .where('removeAt', '<=', act.at)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await trx.deleteFrom('mail').where('address', '=', email).execute();
  for (const table of ['mailToken', 'mailTokenRequest'] as const)
    await trx.deleteFrom(table).where('email', '=', email).execute();
  await forgetInvitations(trx, { id, email });
  await trx
    .deleteFrom('invitation')
    .where((eb) =>
      eb.or([eb('fromAccountId', '=', id), eb('accountId', '=', id), eb('email', '=', email)]),
    )
    .execute();
  await beginSteps(trx, act, id, 'remove');
}
