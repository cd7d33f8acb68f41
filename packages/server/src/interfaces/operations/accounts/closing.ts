import type { Account } from '../../../identity/accounts/accounts.ts';
import { getNamedAccount, ownAccount } from '../../../identity/accounts/subject.ts';
import { closeAccount } from '../../../data-rights/closing/close.ts';
import { readConsequences } from '../../../data-rights/closing/consequences.ts';
import { reopenAccount } from '../../../data-rights/closing/reopen.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { operatorsAlone, ownAccountAlone } from '../rights/accounts.ts';
import { proveIdentity } from './proven.ts';

type ClosingOperation = 'account/closing' | 'account/close' | 'user/close' | 'user/reopen';

/** People close their accounts, after they have seen what that means; the operator does so for them, and takes it back. */
export function createClosingOperations(deps: OperationDependencies): HandlersOf<ClosingOperation> {
  const { db, clock, closedRetention, notifications } = deps;
  const closing = { outbox: notifications.outbox, closedRetention };
  const named = ({ id, email }: Account) => ({ id, email });
  return {
    async 'account/closing'(caller) {
      return {
        ...(await readConsequences(db, await ownAccount(db, caller), clock.now())),
        retentionDays: closedRetention,
      };
    },

    async 'account/close'(caller, proof, once) {
      const proven = await proveIdentity(deps, caller, proof, 'account/close', ownAccountAlone);
      return proven.change(once, async (trx, act, account) => ({
        removeAt: await closeAccount(trx, act, closing, account),
      }));
    },

    'user/close': async (caller, { email }, once) =>
      change(deps, caller, once, operatorsAlone, async (trx, act) => {
        const account = await getNamedAccount(trx, caller, email);
        return { ...named(account), removeAt: await closeAccount(trx, act, closing, account) };
      }),

    'user/reopen': async (caller, { email }, once) =>
      change(deps, caller, once, operatorsAlone, async (trx, act) => {
        const account = await getNamedAccount(trx, caller, email);
        await reopenAccount(trx, act, account.id);
        return named(account);
      }),
  };
}
