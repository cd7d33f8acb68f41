import { auditKinds, type AuditKind, type ForwardingHealth } from '@helioport/contract';
import { getAccountByEmail } from '../../identity/accounts/accounts.ts';
import type { Actor } from '../../identity/accounts/audit.ts';
import { searchAudit } from '../../identity/accounts/audit-search.ts';
import { countAccounts, searchAccounts } from '../../identity/accounts/search.ts';
import { countCollectors, searchCollectors } from '../../fleet/collectors/search.ts';
import { listDestinations } from '../../outbound/forwarding/destinations/reports.ts';
import { invalidValue } from '../../platform/kernel/failure.ts';
import { VERSION } from '../../platform/kernel/version.ts';
import { readOutbox } from '../../identity/mail/outbox.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { readHealth } from '../../platform/work/health.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';

const EVENTS_SHOWN = 50;

/** What the service's operators see of it: accounts, collectors, health and the trail. None of this tells of a plant. */
export function createConsoleOperations(
  deps: OperationDependencies,
): HandlersOf<`service/${'accounts' | 'collectors' | 'health' | 'trail'}`> {
  const { db, clock, instance } = deps;
  return {
    'service/accounts': (_caller, search) => searchAccounts(db, clock.now(), search),
    'service/collectors': (_caller, search) => searchCollectors(db, clock.now(), search),

    async 'service/health'() {
      const now = clock.now();
      const mails = await readOutbox(db);
      return {
        version: VERSION,
        ...(await readHealth(db, now)),
        freeBytes: instance?.freeBytes?.() ?? null,
        mailsWaiting: mails.waiting,
        oldestMailAt: mails.oldestAt,
        mailFault: mails.fault,
        forwarding: await forwardingHealth(db, now),
        collectors: await countCollectors(db, now),
        accounts: await countAccounts(db, now),
        limits: instance?.limits ?? [],
      };
    },

    async 'service/trail'(caller, { actor, email, kind, limit = EVENTS_SHOWN, ...page }) {
      return searchAudit(db, {
        ...page,
        kind: kindOf(kind),
        limit,
        actor: actor === undefined ? undefined : await actorOf(db, actor),
        accountId: email === undefined ? undefined : (await getAccountByEmail(db, email)).id,
        withoutPlants: caller.kind !== 'operator',
      });
    },
  };
}

/** Throws invalidValue. */
function kindOf(kind: string | undefined): AuditKind | undefined {
  if (kind === undefined || Object.hasOwn(auditKinds, kind)) return kind as AuditKind | undefined;
  throw invalidValue('kind', 'a kind of event such as account.created');
}

/** Throws accountUnknown. */
const actorOf = async (db: Db, named: string): Promise<Actor> =>
  named === 'operator' || named === 'service'
    ? named
    : `account:${(await getAccountByEmail(db, named)).id}`;

/** All destinations together; the one that is furthest behind counts. */
async function forwardingHealth(db: Db, now: Instant): Promise<ForwardingHealth> {
  const all = await listDestinations(db, now, {});
  const failing = all.filter(({ failingSince }) => failingSince !== null);
  const sum = (numbers: readonly number[]): number =>
    numbers.reduce((total, one) => total + one, 0);
  return {
    destinations: all.length,
    failing: failing.length,
    failingApplications: [...new Set(failing.map(({ application }) => application))],
    behindSeconds: Math.round(Math.max(0, ...all.map(({ behindSeconds }) => behindSeconds))),
    waitingDevices: sum(all.map(({ waitingDevices }) => waitingDevices)),
    deadLetters: sum(all.map(({ deadLetters }) => deadLetters)),
  };
}
