import { DAY_MS } from '@helioport/contract/durations';
import type { ApplicationShown } from '@helioport/contract';
import { findEmails, getAccountByEmail } from '../../identity/accounts/accounts.ts';
import type { Act } from '../../identity/accounts/audit.ts';
import type { Caller } from '../../identity/accounts/caller.ts';
import type { Once } from '../../identity/accounts/once.ts';
import { listApplicationRefusals } from '../../identity/oauth/application-refusals.ts';
import {
  changeApplication,
  decideApplication,
  disableApplication,
  enableApplication,
  getApplication,
  insertApplication,
  listApplications,
  type Application,
} from '../../identity/oauth/applications.ts';
import {
  insertClientSecret,
  listClientSecrets,
  rotateClientSecret,
} from '../../identity/oauth/client-secrets.ts';
import { ALL_SCOPES, scopesOf } from '../../identity/oauth/scopes.ts';
import type { Db } from '../../platform/storage/database.ts';
import { change } from './act.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { operators } from './rights/accounts.ts';

type ApplicationOperation =
  `application/${'create' | 'list' | 'show' | 'approve' | 'reject' | 'disable' | 'enable' | 'change' | 'rotateSecret' | 'errors'}`;

const OVERLAP_DAYS = 30;

/** Registration, approval and management of third-party applications by the operator. */
export function createApplicationOperations(
  deps: OperationDependencies,
): HandlersOf<ApplicationOperation> {
  const { db } = deps;

  const decided =
    <Input extends { readonly application: string }>(
      decide: (trx: Db, act: Act, id: string, input: Input) => Promise<unknown>,
    ) =>
    (caller: Caller, input: Input, once?: Once) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const { id, clientId } = await getApplication(trx, input.application);
        await decide(trx, act, id, input);
        const decidedUpon = await getApplication(trx, clientId);
        return { name: decidedUpon.name, clientId, state: stateOf(decidedUpon) };
      });

  return {
    'application/create': async (
      caller,
      { owner, purpose, homePage, scopes, pending = false, ...given },
      once,
    ) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const developer = owner === undefined ? null : await getAccountByEmail(trx, owner);
        const { application, warnings } = await insertApplication(trx, act, {
          name: given.name,
          redirectUri: given.redirectUri,
          ownerId: developer?.id ?? null,
          scopes: scopes ?? scopesOf(ALL_SCOPES),
          challengeRequired: given.challengeRequired ?? false,
          resourceServer: given.resourceServer ?? false,
          ...(purpose !== undefined && { purpose }),
          ...(homePage !== undefined && { homePage }),
        });
        if (!pending) await decideApplication(trx, act, application.id, 'approved');
        return {
          clientId: application.clientId,
          clientSecret: await insertClientSecret(trx, act, application),
          warnings,
        };
      }),

    async 'application/list'() {
      const applications = await listApplications(db);
      const emails = await developerEmailsOf(db, applications);
      return applications.map((application) => shownApplication(application, emails));
    },

    async 'application/show'(_caller, { application }) {
      const found = await getApplication(db, application);
      return {
        ...shownApplication(found, await developerEmailsOf(db, [found])),
        secrets: await listClientSecrets(db, found.id),
      };
    },

    'application/approve': decided((trx, act, id, { scopes, submittedAt }) =>
      decideApplication(trx, act, id, 'approved', { scopes, submittedAt }),
    ),
    'application/reject': decided((trx, act, id, { reason, submittedAt }) =>
      decideApplication(trx, act, id, 'rejected', { reason, submittedAt }),
    ),
    'application/disable': decided(disableApplication),
    'application/enable': decided(enableApplication),

    'application/change': async (
      caller,
      { application, redirectUri, scopes, challengeRequired },
      once,
    ) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const { id } = await getApplication(trx, application);
        const warnings = await changeApplication(trx, act, id, {
          ...(redirectUri !== undefined && { redirectUri }),
          ...(scopes && { scopes }),
          ...(challengeRequired !== undefined && { challengeRequired }),
        });
        return { warnings };
      }),

    'application/rotateSecret': async (caller, { application, overlapDays = OVERLAP_DAYS }, once) =>
      change(deps, caller, once, operators, async (trx, act) => {
        const found = await getApplication(trx, application);
        const earlierSecretsEndAt = act.at + overlapDays * DAY_MS;
        return {
          clientId: found.clientId,
          clientSecret: await rotateClientSecret(trx, act, found, earlierSecretsEndAt),
          earlierSecretsEndAt,
        };
      }),

    'application/errors': async (_caller, { application }) =>
      listApplicationRefusals(db, await getApplication(db, application)),
  };
}

const stateOf = ({ status, disabledAt }: Application): ApplicationShown['state'] =>
  disabledAt === null ? status : 'disabled';

/** The e-mail addresses of the developers of applications, by account. */
export const developerEmailsOf = (
  db: Db,
  applications: readonly Application[],
): Promise<ReadonlyMap<string, string>> =>
  findEmails(
    db,
    applications.flatMap(({ ownerId }) => ownerId ?? []),
  );

/** An application as answers show it. */
export const shownApplication = (
  a: Application,
  emails: ReadonlyMap<string, string>,
): ApplicationShown => ({
  clientId: a.clientId,
  name: a.name,
  state: stateOf(a),
  reason: a.reason,
  owner: a.ownerId === null ? null : (emails.get(a.ownerId) ?? null),
  redirectUri: a.redirectUri,
  scopes: scopesOf(a.scopes),
  askedScopes: scopesOf(a.askedScopes),
  homePage: a.homePage,
  purpose: a.purpose,
  requirePkce: a.challengeRequired === 1,
  resourceServer: a.resourceServer === 1,
  createdAt: a.createdAt,
  submittedAt: a.submittedAt,
  decidedAt: a.decidedAt,
});
