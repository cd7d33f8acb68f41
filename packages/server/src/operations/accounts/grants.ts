import { oneSubjectOf, subjectOf } from '../../accounts/subject.ts';
import { listGrants, revokeGrant } from '../../oauth/grants.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** Owners and the operator list and revoke authorizations. */
export function createGrantOperations(deps: OperationDependencies): HandlersOf<'grant/list' | 'grant/revoke'> {
  const { db } = deps;
  return {
    'grant/list': async (caller, { email }) => listGrants(db, await oneSubjectOf(db, caller, email)),

    async 'grant/revoke'(caller, { id }, once) {
      const accountId = await subjectOf(db, caller, undefined);
      return change(deps, caller, once, (trx, act) => revokeGrant(trx, act, id, accountId));
    },
  };
}
