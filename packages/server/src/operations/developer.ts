import { DAY_MS } from '@helioport/contract/durations';
import type { Caller } from '../accounts/caller.ts';
import { oneSubjectOf } from '../accounts/subject.ts';
import { removeDestinationsOf } from '../forwarding/destinations/destinations.ts';
import { invalidValue } from '../kernel/failure.ts';
import { listRefusals } from '../oauth/application-refusals.ts';
import { isActive, listApplications, type Application } from '../oauth/applications.ts';
import { endClientSecret, listClientSecrets, rotateClientSecret } from '../oauth/client-secrets.ts';
import {
  amendApplication,
  applyForApplication,
  getOwnApplication,
  lockOwnApplication,
  withdrawApplication,
} from '../oauth/developers/applying.ts';
import { countConsents } from '../oauth/developers/consent-counts.ts';
import type { Db } from '../storage/database.ts';
import { proveIdentity } from './accounts/proven.ts';
import { change } from './act.ts';
import { emailsOf, shownApplication } from './applications.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';

type DeveloperOperation =
  `developer/${'apply' | 'amend' | 'withdraw' | 'list' | 'show' | 'rotateSecret' | 'endSecret' | 'errors'}`;

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
    shownApplication(application, await emailsOf(db, [application]));

  return {
    'developer/apply': async (
      caller,
      { name, purpose, redirectUri, scopes, homePage, challengeRequired },
      once,
    ) =>
      change(deps, caller, once, async (trx, act) => {
        const stated = {
          name,
          purpose,
          redirectUri,
          scopes,
          ...(homePage !== undefined && { homePage }),
          ...(challengeRequired !== undefined && { challengeRequired }),
        };
        const { application, warnings } = await applyForApplication(
          trx,
          act,
          await developerOf(trx, caller),
          stated,
        );
        return { clientId: application.clientId, state: 'submitted' as const, warnings };
      }),

    'developer/amend': async (
      caller,
      { clientId, purpose, redirectUri, scopes, homePage, challengeRequired },
      once,
    ) =>
      change(deps, caller, once, async (trx, act) => {
        const warnings = await amendApplication(
          trx,
          act,
          await developerOf(trx, caller),
          clientId,
          {
            ...(purpose !== undefined && { purpose }),
            ...(redirectUri !== undefined && { redirectUri }),
            ...(scopes !== undefined && { scopes }),
            ...(homePage !== undefined && { homePage }),
            ...(challengeRequired !== undefined && { challengeRequired }),
          },
        );
        return { clientId, state: 'submitted' as const, warnings };
      }),

    'developer/withdraw': async (caller, { clientId }, once) =>
      change(deps, caller, once, async (trx, act) => {
        const ownerId = await developerOf(trx, caller);
        const { id, approvedAt } = await lockOwnApplication(trx, ownerId, clientId);
        if (approvedAt === null) await removeDestinationsOf(trx, act, id);
        await withdrawApplication(trx, act, ownerId, clientId);
      }),

    async 'developer/list'(caller) {
      const applications = await listApplications(db, await developerOf(db, caller));
      const emails = await emailsOf(db, applications);
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

    async 'developer/rotateSecret'(
      caller,
      { clientId, password, secondFactor, overlapDays = OVERLAP_DAYS },
      once,
    ) {
      if (!isActive(await own(caller, clientId)))
        throw invalidValue('clientId', 'an approved application');
      const proven = await proveIdentity(
        deps,
        caller,
        { password, secondFactor },
        'developer/rotateSecret',
      );
      return proven.change(once, async (trx, act) => {
        // It may have been disabled while the password was verified.
        const application = await lockOwnApplication(trx, proven.account.id, clientId);
        if (!isActive(application)) throw invalidValue('clientId', 'an approved application');
        const earlierSecretsEndAt = act.at + overlapDays * DAY_MS;
        return {
          clientId,
          clientSecret: await rotateClientSecret(trx, act, application, earlierSecretsEndAt),
          earlierSecretsEndAt,
        };
      });
    },

    'developer/endSecret': async (caller, { clientId, secretId }, once) =>
      change(deps, caller, once, async (trx, act) =>
        endClientSecret(
          trx,
          act,
          await lockOwnApplication(trx, await developerOf(trx, caller), clientId),
          secretId,
        ),
      ),

    'developer/errors': async (caller, { clientId }) =>
      listRefusals(db, await own(caller, clientId)),
  };
}
