import { HOUR_MS } from '@helioport/contract/durations';
import type { Caller } from '../../identity/accounts/caller.ts';
import { admitSending } from '../../identity/accounts/sending.ts';
import { invalidValue, refusedNow } from '../../platform/kernel/failure.ts';
import {
  findApplicationNamed,
  getApplication,
  getApplicationById,
  isActive,
  type Application,
} from '../../identity/oauth/applications.ts';
import {
  getDestination,
  pauseDestination,
  removeDestination,
  replaceCredentials,
  resumeDestination,
  rotateSigningSecret,
} from '../../outbound/forwarding/destinations/destinations.ts';
import { beginReplays } from '../../outbound/forwarding/destinations/replays.ts';
import {
  listDeadLetters,
  listDestinations,
  reportGaps,
} from '../../outbound/forwarding/destinations/reports.ts';
import {
  openDestination,
  optionsOf,
  unsealSecrets,
} from '../../outbound/forwarding/destinations/settings.ts';
import { testDestination } from '../../outbound/forwarding/destinations/test-destination.ts';
import { beginSnapshot } from '../../outbound/forwarding/snapshots/snapshots.ts';
import { readTail } from '../../outbound/forwarding/dispatcher/tail.ts';
import { checkDestination } from '../../outbound/sinks/check.ts';
import type { Db } from '../../platform/storage/database.ts';
import { change } from './act.ts';
import { createTestPlaces } from './test-places.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { prepareDestination } from './new-destination.ts';
import { applicationOf, destinationOf, scopeOf } from './rights/accounts.ts';

type ForwardingOperations = HandlersOf<
  | 'forwarding/add'
  | 'forwarding/list'
  | 'forwarding/show'
  | 'forwarding/test'
  | 'forwarding/pause'
  | 'forwarding/resume'
  | 'forwarding/remove'
  | 'forwarding/rotate'
  | 'forwarding/replay'
  | 'forwarding/snapshot'
  | 'forwarding/deadLetters'
  | 'forwarding/gaps'
  | 'forwarding/tail'
>;

const OVERLAP_HOURS = 24;
const LETTERS_SHOWN = 100;

/** An application by its own credentials cares for its own destinations, its developer watches them at the portal, the operator cares for everybody's. */
export function createForwardingOperations(deps: OperationDependencies): ForwardingOperations {
  const { db, clock, credentials, outbound } = deps;
  const tests = createTestPlaces();

  /** Checks of addresses count as sent: they look names up. */
  const admitCheck = (caller: Caller): Promise<void> =>
    admitSending(db, clock.now(), 'addressCheck', { by: testerOf(caller), to: [] });
  const found = (from: Db, caller: Caller, id: string) => getDestination(from, id, scopeOf(caller));
  const secretsOf = async (destination: { readonly id: string; readonly secrets: Uint8Array }) =>
    unsealSecrets(await credentials.secretBox(), destination.id, destination.secrets);

  return {
    'forwarding/add': async (caller, { application: named, ...about }, once) => {
      const application = await subjectOf(db, caller, named);
      if (application === null)
        throw refusedNow('application', 'the name or client_id of an application');
      const { secret, insert } = await prepareDestination(deps, testerOf(caller), about);
      const held = applicationOf((from, by) => subjectOf(from, by, named));
      const id = await change(deps, caller, once, held, (trx, act, owner) =>
        insert(trx, act, owner!),
      );
      return { id, secret };
    },

    async 'forwarding/list'(caller, { application: named }) {
      const application = await subjectOf(db, caller, named);
      return listDestinations(db, clock.now(), {
        scope: application ? { applicationId: application.id } : scopeOf(caller),
      });
    },

    async 'forwarding/show'(caller, { id }) {
      await found(db, caller, id);
      const [shown] = await listDestinations(db, clock.now(), { id });
      return shown!;
    },

    async 'forwarding/test'(caller, { id }) {
      const destination = await found(db, caller, id);
      const { url, options } = destination;
      const open = openDestination(
        { id, url, options: optionsOf(options) },
        await secretsOf(destination),
        clock.now(),
      );
      const by = testerOf(caller);
      await admitSending(db, clock.now(), 'destinationTest', { by, to: [new URL(url).host] });
      const test = () => testDestination(open, { ...outbound, clock });
      return by === null ? test() : tests.during(by, test);
    },

    'forwarding/pause': async (caller, { id }, once) =>
      change(deps, caller, once, destinationOf(id), async (trx, act, destination) => {
        await pauseDestination(trx, act, destination);
        return { id, state: 'paused' as const };
      }),

    'forwarding/resume': async (caller, { id }, once) =>
      change(deps, caller, once, destinationOf(id), async (trx, act, destination) => {
        await resumeDestination(trx, act, destination);
        return { id, state: 'active' as const };
      }),

    'forwarding/remove': async (caller, { id }, once) =>
      change(deps, caller, once, destinationOf(id), async (trx, act, destination) => {
        await removeDestination(trx, act, destination);
        return { id };
      }),

    async 'forwarding/rotate'(
      caller,
      { id, overlapHours = OVERLAP_HOURS, username, password },
      once,
    ) {
      const destination = await found(db, caller, id);
      const secrets = await secretsOf(destination);
      const box = await credentials.secretBox();
      if (secrets.signing.length > 0) {
        if (username !== undefined || password !== undefined)
          throw invalidValue('password', 'none: an HTTP destination has a signing secret');
        const formerEndsAt = clock.now() + overlapHours * HOUR_MS;
        const secret = await change(deps, caller, once, destinationOf(id), (trx, act, present) =>
          rotateSigningSecret(trx, act, box, present, formerEndsAt),
        );
        return { id, secret, formerEndsAt };
      }
      if (username === undefined && password === undefined)
        throw invalidValue('password', 'the new password');
      const renewed = {
        username: username ?? secrets.username,
        password: password ?? secrets.password,
      };
      const { url, options } = destination;
      await admitCheck(caller);
      await checkDestination(
        openDestination(
          { id, url, options: optionsOf(options) },
          { signing: [], ...renewed },
          clock.now(),
        ),
        outbound.egress,
      );
      await change(deps, caller, once, destinationOf(id), (trx, act, present) =>
        replaceCredentials(trx, act, box, present, renewed),
      );
      return { id, secret: null, formerEndsAt: null };
    },

    'forwarding/replay': async (caller, { id, deviceSn, ...wanted }, once) =>
      change(deps, caller, once, destinationOf(id), async (trx, act) => {
        return { replays: (await beginReplays(trx, act, id, { ...wanted, sn: deviceSn })).length };
      }),

    'forwarding/snapshot': async (caller, { id }, once) =>
      change(deps, caller, once, destinationOf(id), async (trx, act, destination) => ({
        id,
        number: await beginSnapshot(trx, act, destination, 'id'),
      })),

    async 'forwarding/deadLetters'(caller, { id, limit = LETTERS_SHOWN }) {
      await found(db, caller, id);
      return listDeadLetters(db, id, limit);
    },

    async 'forwarding/gaps'(caller, { id }) {
      await found(db, caller, id);
      return reportGaps(db, id, clock.now());
    },

    'forwarding/tail': async (caller, { id, after }) =>
      readTail(db, await found(db, caller, id), after, clock.now()),
  };
}

/** By whom tests are counted; null = the person at the command line. */
function testerOf(caller: Caller): string | null {
  if (caller.kind === 'client') return caller.applicationId;
  return caller.kind === 'console' ? caller.operatorId : caller.accountId;
}

/** The application that is meant: the caller's own, or the one that is named; null if people name none. Throws invalidValue. */
async function subjectOf(
  db: Db,
  caller: Caller,
  named: string | undefined,
): Promise<Application | null> {
  if (caller.kind === 'user') {
    if (named === undefined) return null;
    const own = await findApplicationNamed(db, named);
    if (own?.ownerId !== caller.accountId || !isActive(own))
      throw refusedNow('application', 'an approved application of your own');
    return own;
  }
  if (caller.kind !== 'client') return named === undefined ? null : getApplication(db, named);
  const own = await getApplicationById(db, caller.applicationId);
  if (named !== undefined && named !== own.name && named !== own.clientId)
    throw refusedNow('application', 'your own client_id, or none');
  return own;
}
