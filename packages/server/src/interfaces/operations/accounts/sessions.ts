import type { Caller } from '../../../identity/accounts/caller.ts';
import {
  endOtherSessions,
  endSessionOf,
  listSessions,
} from '../../../identity/accounts/sessions.ts';
import { oneSubjectOf } from '../../../identity/accounts/subject.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { oneSubject, subject } from '../rights/accounts.ts';

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
      return change(deps, caller, once, subject(), (trx, act, accountId) =>
        endSessionOf(trx, act, id, accountId),
      );
    },

    async 'session/endOthers'(caller, { email }, once) {
      return change(deps, caller, once, oneSubject(email), async (trx, act, accountId) => ({
        ended: await endOtherSessions(trx, act, accountId, currentOf(caller)),
      }));
    },
  };
}
