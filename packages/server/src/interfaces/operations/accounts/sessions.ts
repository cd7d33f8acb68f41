import type { Caller } from '../../../identity/accounts/caller.ts';
import {
  endOtherSessions,
  endSessionOf,
  listSessions,
} from '../../../identity/accounts/sessions.ts';
import { oneSubjectOf, subjectOf } from '../../../identity/accounts/subject.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

/** The id of the session in which a call was made; undefined = in none. */
export const currentOf = (caller: Caller): string | undefined =>
  caller.kind === 'user' ? caller.sessionId : undefined;

/** Users see where they are logged in and end what they do not know; so does the operator for them. */
export function createSessionOperations(
  deps: OperationDependencies,
): HandlersOf<'session/list' | 'session/end' | 'session/endOthers'> {
  const { db, clock } = deps;
  return {
    async 'session/list'(caller, { email }) {
      const sessions = await listSessions(db, clock.now(), await oneSubjectOf(db, caller, email));
      return sessions.map((session) => ({ ...session, current: session.id === currentOf(caller) }));
    },

    async 'session/end'(caller, { id }, once) {
      const accountId = await subjectOf(db, caller, undefined);
      return change(deps, caller, once, (trx, act) => endSessionOf(trx, act, id, accountId));
    },

    async 'session/endOthers'(caller, { email }, once) {
      const accountId = await oneSubjectOf(db, caller, email);
      return change(deps, caller, once, async (trx, act) => ({
        ended: await endOtherSessions(trx, act, accountId, currentOf(caller)),
      }));
    },
  };
}
