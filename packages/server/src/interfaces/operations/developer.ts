import { DAY_MS } from '@helioport/contract/durations';
import type { Caller } from '../../identity/accounts/caller.ts';
import { oneSubjectOf } from '../../identity/accounts/subject.ts';
import { removeDestinationsOf } from '../../outbound/forwarding/destinations/destinations.ts';
import { refusedNow } from '../../platform/kernel/failure.ts';
import { listApplicationRefusals } from '../../identity/oauth/application-refusals.ts';
import { isActive, listApplications, type Application } from '../../identity/oauth/applications.ts';
import {
  endClientSecret,
  listClientSecrets,
  rotateClientSecret,
} from '../../identity/oauth/client-secrets.ts';
import {
  amendApplication,
  applyForApplication,
  getOwnApplication,
  lockOwnApplication,
  withdrawApplication,
} from '../../identity/oauth/developers/applying.ts';
import { countConsents } from '../../identity/oauth/developers/consent-counts.ts';
import type { Db } from '../../platform/storage/database.ts';
import { proveIdentity } from './accounts/proven.ts';
import { change } from './act.ts';
import { developerEmailsOf, shownApplication } from './applications.ts';
import { prepareDestination } from './new-destination.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { ownAccount, ownApplication } from './rights/accounts.ts';

type DeveloperOperation =
  `developer/${'apply' | 'amend' | 'withdraw' | 'list' | 'show' | 'addDestination' | 'rotateSecret' | 'endSecret' | 'errors'}`;

const OVERLAP_DAYS = 30;

/** What people do about the applications that they develop; those of others do not exist for them. */
export function createDeveloperOperations(
  deps: OperationDependencies,
): HandlersOf<DeveloperOperation> {
  const { db, clock } = deps;
  const developerOf = (from: Db, caller: Caller): Promise<string> =>
    oneSubjectOf(from, caller, undefined);
  const own = async (caller: Caller, clientId: string): Promise<Application> =>
    getOwnApplication(db, await developerOf(db, caller), clientId);
  const shownOwn = async (application: Application) =>
    shownApplication(application, await developerEmailsOf(db, [application]));

  return {
    'developer/apply': async (
      caller,
      { name, purpose, redirectUri, scopes, homePage, challengeRequired },
      once,
    ) =>
      change(deps, caller, once, ownAccount, async (trx, act, developer) => {
        const stated = {
          name,
          purpose,
          redirectUri,
          scopes,
          ...(homePage !== undefined && { homePage }),
          ...(challengeRequired !== undefined && { challengeRequired }),
        };
        const { application, warnings } = await applyForApplication(trx, act, developer.id, stated);
        return { clientId: application.clientId, state: 'submitted' as const, warnings };
      }),

    'developer/amend': async (
      caller,
      { clientId, purpose, redirectUri, scopes, homePage, challengeRequired },
      once,
    ) =>
      change(deps, caller, once, ownApplication(clientId), async (trx, act, { ownerId }) => {
        const warnings = await amendApplication(trx, act, ownerId!, clientId, {
          ...(purpose !== undefined && { purpose }),
          ...(redirectUri !== undefined && { redirectUri }),
          ...(scopes !== undefined && { scopes }),
          ...(homePage !== undefined && { homePage }),
          ...(challengeRequired !== undefined && { challengeRequired }),
        });
        return { clientId, state: 'submitted' as const, warnings };
      }),

    'developer/withdraw': async (caller, { clientId }, once) =>
      change(deps, caller, once, ownApplication(clientId), async (trx, act, application) => {
        const { id, ownerId, approvedAt } = application;
        if (approvedAt === null) await removeDestinationsOf(trx, act, id);
        await withdrawApplication(trx, act, ownerId!, clientId);
      }),

    async 'developer/list'(caller) {
      const applications = await listApplications(db, await developerOf(db, caller));
      const emails = await developerEmailsOf(db, applications);
      return applications.toReversed().map((application) => shownApplication(application, emails));
    },

    async 'developer/show'(caller, { clientId }) {
      const application = await own(caller, clientId);
      return {
        ...(await shownOwn(application)),
        secrets: await listClientSecrets(db, application.id),
        consents: await countConsents(db, application.id, clock.now()),
      };
    },

    async 'developer/addDestination'(
      caller,
      { clientId, password, secondFactor, brokerPassword, ...about },
      once,
    ) {
      if (!isActive(await own(caller, clientId)))
        throw refusedNow('clientId', 'an approved application');
      const proven = await proveIdentity(
        deps,
        caller,
        { password, secondFactor },
        'developer/addDestination',
      );
      const { secret, insert } = await prepareDestination(deps, proven.account.id, {
        ...about,
        password: brokerPassword,
        snapshot: true,
      });
      return proven.change(once, async (trx, act) => {
        const application = await lockOwnApplication(trx, proven.account.id, clientId);
        if (!isActive(application)) throw refusedNow('clientId', 'an approved application');
        return { id: await insert(trx, act, application), secret };
      });
    },

    async 'developer/rotateSecret'(
      caller,
      { clientId, password, secondFactor, overlapDays = OVERLAP_DAYS },
      once,
    ) {
      if (!isActive(await own(caller, clientId)))
        throw refusedNow('clientId', 'an approved application');
      const proven = await proveIdentity(
        deps,
        caller,
        { password, secondFactor },
        'developer/rotateSecret',
      );
      return proven.change(once, async (trx, act) => {
        // It may have been disabled while the password was verified.
        const application = await lockOwnApplication(trx, proven.account.id, clientId);
        if (!isActive(application)) throw refusedNow('clientId', 'an approved application');
        const earlierSecretsEndAt = act.at + overlapDays * DAY_MS;
        return {
          clientId,
          clientSecret: await rotateClientSecret(trx, act, application, earlierSecretsEndAt),
          earlierSecretsEndAt,
        };
      });
    },

    'developer/endSecret': async (caller, { clientId, secretId }, once) =>
      change(deps, caller, once, ownApplication(clientId), (trx, act, application) =>
        endClientSecret(trx, act, application, secretId),
      ),

    'developer/errors': async (caller, { clientId }) =>
      listApplicationRefusals(db, await own(caller, clientId)),
  };
}
