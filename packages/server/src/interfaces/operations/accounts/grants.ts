import { oneSubjectOf, accountSubjectOf } from '../../../identity/accounts/subject.ts';
import { withForwarded } from '../../../outbound/forwarding/destinations/owner-view.ts';
import { listGrants, revokeGrant } from '../../../identity/oauth/grants.ts';
import { narrowGrant } from '../../../identity/oauth/narrow-grant.ts';
import { readScopes } from '../../../identity/oauth/scopes.ts';
import { listAudit } from '../../../identity/accounts/audit.ts';
import { activityOf } from '../../../identity/oauth/uses/activity.ts';
import { listUses } from '../../../identity/oauth/uses/list-uses.ts';
import { mayInAll } from '../../../fleet/plants/access.ts';
import { refusedNow } from '../../../platform/kernel/failure.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { subject } from '../rights/accounts.ts';

/** How much of the audit trail is looked through for what applications did. */
const EVENTS_READ = 1000;

/** Owners and the operator list, narrow and revoke authorizations, and see what they were used for. */
export function createGrantOperations(
  deps: OperationDependencies,
): HandlersOf<`grant/${'list' | 'uses' | 'activity' | 'narrow' | 'revoke'}`> {
  const { db, clock } = deps;
  return {
    'grant/list': async (caller, { email }) =>
      withForwarded(db, await listGrants(db, await oneSubjectOf(db, caller, email)), clock.now()),

    'grant/uses': async (caller, { id }) =>
      listUses(db, id, await accountSubjectOf(db, caller, undefined), clock.now()),

    async 'grant/activity'(caller, { email }) {
      const accountId = await oneSubjectOf(db, caller, email);
      const [grants, events] = await Promise.all([
        listGrants(db, accountId),
        listAudit(db, accountId, { limit: EVENTS_READ }),
      ]);
      return grants.flatMap((grant) => activityOf(events, grant, accountId));
    },

    async 'grant/narrow'(caller, { id, scopes, plantIds }, once) {
      const bits = scopes === undefined ? undefined : readScopes(scopes.join(' '));
      if (scopes !== undefined && bits === undefined)
        throw refusedNow('scopes', 'some of those that were granted');
      return change(deps, caller, once, subject(), async (trx, act, accountId, present) => {
        await narrowGrant(trx, act, id, accountId, { scopes: bits, plantIds });
        if (plantIds && !(await mayInAll(trx, present, plantIds, 'manage')))
          throw refusedNow('plantIds', 'plants of one’s own');
      });
    },

    async 'grant/revoke'(caller, { id }, once) {
      return change(deps, caller, once, subject(), (trx, act, accountId) =>
        revokeGrant(trx, act, id, accountId),
      );
    },
  };
}
