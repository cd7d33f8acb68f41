import type { Act } from '../../identity/accounts/audit.ts';
import type { Outbox } from '../../identity/mail/outbox.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { forChange } from '../../platform/storage/lock.ts';
import { armTasks } from '../../platform/work/arm.ts';

/** The kind of work that does what is left to do of a closed account; the key of a task is the account's id. */
export const CLOSING = 'closing';

/** What becomes of an account, in many steps each. */
export type ClosingAccount = 'close' | 'remove';

/** What a step ends a part of. */
export interface Closing {
  readonly accountId: string;
  /** When it began: what is newer stays. */
  readonly at: Instant;
  /** Where the step before it in the same stage has left off; '' = this is the first one. */
  readonly after: string;
  /** null = no e-mails are sent. */
  readonly outbox: Outbox | null;
}

/** Ends a limited part, in a transaction. Returns where the next step of the stage goes on; undefined = nothing is left. */
export type Step = (trx: Db, act: Act, closing: Closing) => Promise<string | undefined>;

/** Where a closing goes on: column `accountClosing.place`. */
export interface ClosingPosition {
  readonly ending: ClosingAccount;
  readonly stage: number;
  readonly after: string;
}

/** Begins the steps of an ending. Those of an earlier one that are not done begin anew, with it. */
export async function beginSteps(
  trx: Db,
  act: Act,
  accountId: string,
  ending: ClosingAccount,
): Promise<void> {
  const place: ClosingPosition = { ending, stage: 0, after: '' };
  const begun = {
    at: act.at,
    actor: act.actor,
    address: act.address,
    place: JSON.stringify(place),
  };
  await trx
    .insertInto('accountClosing')
    .values({ accountId, ...begun })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(begun))
    .execute();
  await armTasks(trx, CLOSING, [accountId], act.at);
}

/**
 * What is left to do of an account, which nobody else goes on with until the transaction ends; undefined = nothing. Locked before plants and the account.
 */
export const lockSteps = (trx: Db, accountId: string) =>
  forChange(
    trx,
    trx.selectFrom('accountClosing').selectAll().where('accountId', '=', accountId),
  ).executeTakeFirst();
