import type { Act } from '../../../identity/accounts/audit.ts';
import { namedAccount } from '../../../identity/accounts/subject.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import {
  dropIdleRecoveryCodes,
  firstRecoveryCodes,
  listFactors,
} from '../../../identity/accounts/factors/factors.ts';
import {
  checkPasskeyName,
  removePasskey,
  renamePasskey,
} from '../../../identity/accounts/factors/passkey-rows.ts';
import { addPasskey, beginPasskey } from '../../../identity/accounts/factors/passkeys.ts';
import { replaceRecoveryCodes } from '../../../identity/accounts/factors/recovery-codes.ts';
import { admitFactor, methodsOf } from '../../../identity/accounts/factors/second-factor.ts';
import { beginTotp, confirmTotp, removeTotp } from '../../../identity/accounts/factors/totp.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import { endOtherSessions } from '../../../identity/accounts/sessions.ts';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { factorSourcesOf } from './factor-sources.ts';
import { changeInSession, proveIdentity } from './proven.ts';
import { currentOf } from './sessions.ts';
import { ownAccount as heldAccount } from '../rights/accounts.ts';

type FactorOperation =
  | 'factor/list'
  | 'recovery/renew'
  | `totp/${'begin' | 'confirm' | 'remove'}`
  | `passkey/${'begin' | 'add' | 'rename' | 'remove'}`;

/** People see, add and remove their own second factors; a person who adds or removes one proves the identity first. */
export function createFactorOperations(deps: OperationDependencies): HandlersOf<FactorOperation> {
  const { db, clock } = deps;
  const sources = () => factorSourcesOf(deps);

  /** Adds a factor. The first one ends the other sessions: they began with the password alone, and what asks for a factor must not open to them. */
  const addFactor = <Added extends object>(
    caller: Caller,
    once: Once | undefined,
    add: (trx: Db, act: Act, accountId: string) => Promise<Added>,
  ) =>
    changeInSession(deps, caller, once, async (trx, act, { id: accountId }) => {
      const isFirst = (await methodsOf(trx, accountId)).length === 0;
      const added = await add(trx, act, accountId);
      if (isFirst) await endOtherSessions(trx, act, accountId, currentOf(caller));
      return { ...added, recoveryCodes: await firstRecoveryCodes(trx, act, accountId) };
    });

  return {
    async 'factor/list'(caller) {
      const { id } = await namedAccount(db, caller);
      return {
        ...(await listFactors(db, id)),
        passkeysPossible: deps.credentials.passkeys !== undefined,
      };
    },

    async 'totp/begin'(caller, proof, once) {
      const proven = await proveIdentity(deps, caller, proof, 'totp/begin');
      const { secretBox } = await sources();
      return proven.change(once, (trx, act) => beginTotp(trx, act, secretBox, proven.account));
    },

    async 'totp/confirm'(caller, { code }, once) {
      const { secretBox } = await sources();
      // Nobody guesses codes in a stolen session.
      const counted = await admitFactor(
        db,
        clock.now(),
        (await namedAccount(db, caller)).id,
        code,
        {
          known: 'set-up',
          address: null,
        },
      );
      const added = await addFactor(caller, once, async (trx, act, id) => {
        await confirmTotp(trx, act, secretBox, id, code);
        return {};
      });
      await counted.succeeded();
      return added;
    },

    async 'totp/remove'(caller, proof, once) {
      const proven = await proveIdentity(deps, caller, proof, 'totp/remove');
      const { id } = proven.account;
      return proven.change(once, async (trx, act) => {
        if (!(await removeTotp(trx, act, id)))
          throw new Failure('noPermission', { message: 'no authenticator app is set up' });
        await dropIdleRecoveryCodes(trx, id);
      });
    },

    async 'recovery/renew'(caller, proof, once) {
      const proven = await proveIdentity(deps, caller, proof, 'recovery/renew');
      const { id } = proven.account;
      return proven.change(once, async (trx, act) => {
        if ((await methodsOf(trx, id)).length === 0)
          throw refusedNow('account', 'an authenticator app or a passkey first');
        return { recoveryCodes: await replaceRecoveryCodes(trx, act, id) };
      });
    },

    async 'passkey/begin'(caller, proof) {
      const { account } = await proveIdentity(deps, caller, proof, 'passkey/begin');
      return { options: await beginPasskey(db, await sources(), clock.now(), account) };
    },

    async 'passkey/add'(caller, { name, response }, once) {
      const checked = checkPasskeyName(name);
      const checkedWith = await sources();
      return addFactor(caller, once, async (trx, act, accountId) => ({
        id: await addPasskey(trx, checkedWith, act, accountId, checked, response),
      }));
    },

    'passkey/rename': async (caller, { id, name }, once) =>
      change(deps, caller, once, heldAccount, (trx, _, account) =>
        renamePasskey(trx, account.id, id, name),
      ),

    async 'passkey/remove'(caller, { id, ...proof }, once) {
      const proven = await proveIdentity(deps, caller, proof, 'passkey/remove');
      const { id: accountId } = proven.account;
      return proven.change(once, async (trx, act) => {
        await removePasskey(trx, act, accountId, id);
        await dropIdleRecoveryCodes(trx, accountId);
      });
    },
  };
}
