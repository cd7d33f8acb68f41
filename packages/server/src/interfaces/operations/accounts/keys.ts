import type { OperatorCaller } from '../../../identity/accounts/caller.ts';
import {
  disableKeyPair,
  insertKeyPair,
  insertWaitingKeyPair,
  listKeyPairs,
} from '../../../identity/accounts/key-pairs.ts';
import { oneSubjectOf, accountSubjectOf } from '../../../identity/accounts/subject.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { mayInAll } from '../../../fleet/plants/access.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { operators, subject } from '../rights/accounts.ts';
import { proveIdentity } from './proven.ts';

/** Users and the operator create, list and disable key pairs. */
export function createKeyOperations(
  deps: OperationDependencies,
): HandlersOf<'key/create' | 'key/list' | 'key/disable'> {
  const { db, credentials } = deps;
  return {
    async 'key/create'(
      caller,
      {
        email,
        password,
        label = '',
        canControl = true,
        plantIds,
        networks,
        expiresAt,
        secondFactor,
      },
      once,
    ) {
      const accountId = await oneSubjectOf(db, caller, email);
      const asFar: OperatorCaller = { kind: 'operator', accountId, plantIds: null };
      // Costs more the more plants are named: only for somebody who has proven who it is.
      const requirePlants = async (trx: Db): Promise<void> => {
        if (plantIds && !(await mayInAll(trx, asFar, plantIds, 'read')))
          throw new Failure('noPermission');
      };
      const terms = {
        label,
        canControl,
        plantIds: plantIds ?? null,
        cidrs: networks ?? null,
        expiresAt: expiresAt ?? null,
      };
      const box = await credentials.secretBox();
      if (caller.kind === 'operator')
        return change(deps, caller, once, operators, async (trx, act) => {
          await requirePlants(trx);
          return insertKeyPair(trx, act, box, accountId, terms);
        });
      if (password === undefined)
        throw new Failure('missingParameter', { data: { field: 'password' } });
      const proven = await proveIdentity(deps, caller, { password, secondFactor }, 'key/create');
      return proven.change(once, async (trx, act) => {
        await requirePlants(trx);
        return insertWaitingKeyPair(trx, act, box, accountId, terms);
      });
    },

    'key/list': async (caller, { email }) =>
      listKeyPairs(db, (await accountSubjectOf(db, caller, email)) ?? undefined),

    async 'key/disable'(caller, { keyId }, once) {
      return change(deps, caller, once, subject(), (trx, act, accountId) =>
        disableKeyPair(trx, act, keyId, accountId ?? undefined),
      );
    },
  };
}
