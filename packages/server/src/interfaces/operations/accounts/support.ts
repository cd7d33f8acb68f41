import {
  allowSupport,
  endSupport,
  listLivingSupport,
  listSupport,
} from '../../../identity/accounts/support.ts';
import { oneSubjectOf, subjectOf } from '../../../identity/accounts/subject.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** Owners let operators look, see what they looked at, and end it; so do operators. */
export function createSupportOperations(
  deps: OperationDependencies,
): HandlersOf<`support/${'allow' | 'end' | 'list' | 'open'}`> {
  const { db, clock } = deps;
  return {
    async 'support/allow'(caller, _input, once) {
      const accountId = await oneSubjectOf(db, caller, undefined);
      return change(deps, caller, once, (trx, act) => allowSupport(trx, act, accountId));
    },

    async 'support/end'(caller, { id }, once) {
      const accountId = await subjectOf(db, caller, undefined);
      return change(deps, caller, once, (trx, act) => endSupport(trx, act, id, accountId));
    },

    'support/list': async (caller) => listSupport(db, await oneSubjectOf(db, caller, undefined)),
    'support/open': () => listLivingSupport(db, clock.now()),
  };
}
