import {
  allowSupport,
  endSupport,
  listLivingSupport,
  listSupport,
} from '../../../identity/accounts/support.ts';
import { oneSubjectOf } from '../../../identity/accounts/subject.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { oneSubject, subject } from '../rights/accounts.ts';

/** Owners let operators look, see what they looked at, and end it; so do operators. */
export function createSupportOperations(
  deps: OperationDependencies,
): HandlersOf<`support/${'allow' | 'end' | 'list' | 'open'}`> {
  const { db, clock } = deps;
  return {
    async 'support/allow'(caller, _input, once) {
      return change(deps, caller, once, oneSubject(), (trx, act, accountId) =>
        allowSupport(trx, act, accountId),
      );
    },

    async 'support/end'(caller, { id }, once) {
      return change(deps, caller, once, subject(), (trx, act, accountId) =>
        endSupport(trx, act, id, accountId),
      );
    },

    'support/list': async (caller) => listSupport(db, await oneSubjectOf(db, caller, undefined)),
    'support/open': () => listLivingSupport(db, clock.now()),
  };
}
