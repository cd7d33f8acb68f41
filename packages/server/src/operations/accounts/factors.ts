import type { Account } from '../../accounts/accounts.ts';
import { ownAccount } from '../../accounts/subject.ts';
import type { Caller } from '../../accounts/caller.ts';
import { dropIdleRecoveryCodes, firstRecoveryCodes, listFactors } from '../../accounts/factors/factors.ts';
import { checkPasskeyName, removePasskey, renamePasskey } from '../../accounts/factors/passkey-rows.ts';
import { addPasskey, beginPasskey } from '../../accounts/factors/passkeys.ts';
import { replaceRecoveryCodes } from '../../accounts/factors/recovery-codes.ts';
import { methodsOf } from '../../accounts/factors/second-factor.ts';
import { beginTotp, confirmTotp, removeTotp } from '../../accounts/factors/totp.ts';
import { verifyIdentity } from '../../accounts/log-in.ts';
import { Failure, invalidValue } from '../../kernel/failure.ts';
import { actOf, change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { factorSourcesOf } from './factor-sources.ts';

type FactorOperation = 'factor/list' | 'recovery/renew' | `totp/${'begin' | 'confirm' | 'remove'}` | `passkey/${'begin' | 'add' | 'rename' | 'remove'}`;

interface Proven {
  readonly password: string;
  readonly secondFactor?: string | undefined;
}

/** People see, add and remove their own second factors; whoever adds or removes one proves the identity first. */
export function createFactorOperations(deps: OperationDependencies): HandlersOf<FactorOperation> {
  const { db, clock } = deps;
  const sources = () => factorSourcesOf(deps);

  async function proveIdentity(caller: Caller, { password, secondFactor }: Proven, operation: FactorOperation): Promise<Account> {
    const account = await ownAccount(db, caller);
    await verifyIdentity(db, await sources(), actOf(deps, caller), account.id, { password, secondFactor }, operation);
    return account;
  }

  return {
    async 'factor/list'(caller) {
      const { id } = await ownAccount(db, caller);
      return { ...(await listFactors(db, id)), passkeysPossible: deps.credentials.passkeys !== undefined };
    },

    async 'totp/begin'(caller, proof, once) {
      const account = await proveIdentity(caller, proof, 'totp/begin');
      const { secretBox } = await sources();
      return change(deps, caller, once, (trx, act) => beginTotp(trx, act, secretBox, account));
    },

    async 'totp/confirm'(caller, { code }, once) {
      const { id } = await ownAccount(db, caller);
      const { secretBox } = await sources();
      return change(deps, caller, once, async (trx, act) => {
        await confirmTotp(trx, act, secretBox, id, code);
        return { recoveryCodes: await firstRecoveryCodes(trx, act, id) };
      });
    },

    async 'totp/remove'(caller, proof, once) {
      const { id } = await proveIdentity(caller, proof, 'totp/remove');
      return change(deps, caller, once, async (trx, act) => {
        if (!(await removeTotp(trx, act, id))) throw new Failure('noPermission', { message: 'no authenticator app is set up' });
        await dropIdleRecoveryCodes(trx, id);
      });
    },

    async 'recovery/renew'(caller, proof, once) {
      const { id } = await proveIdentity(caller, proof, 'recovery/renew');
      return change(deps, caller, once, async (trx, act) => {
        if ((await methodsOf(trx, id)).length === 0) throw invalidValue('account', 'an authenticator app or a passkey first');
        return { recoveryCodes: await replaceRecoveryCodes(trx, act, id) };
      });
    },

    async 'passkey/begin'(caller, proof) {
      const account = await proveIdentity(caller, proof, 'passkey/begin');
      return { options: await beginPasskey(db, await sources(), clock.now(), account) };
    },

    async 'passkey/add'(caller, { name, response }, once) {
      const { id: accountId } = await ownAccount(db, caller);
      const checked = checkPasskeyName(name);
      const checkedWith = await sources();
      return change(deps, caller, once, async (trx, act) => {
        const id = await addPasskey(trx, checkedWith, act, accountId, checked, response);
        return { id, recoveryCodes: await firstRecoveryCodes(trx, act, accountId) };
      });
    },

    'passkey/rename': async (caller, { id, name }, once) =>
      change(deps, caller, once, async (trx) => renamePasskey(trx, (await ownAccount(trx, caller)).id, id, name)),

    async 'passkey/remove'(caller, { id, ...proof }, once) {
      const account = await proveIdentity(caller, proof, 'passkey/remove');
      return change(deps, caller, once, async (trx, act) => {
        await removePasskey(trx, act, account.id, id);
        await dropIdleRecoveryCodes(trx, account.id);
      });
    },
  };
}
