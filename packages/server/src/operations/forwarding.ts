import { HOUR_MS } from '@helioport/contract/durations';
import type { Caller } from '../accounts/caller.ts';
import { invalidValue } from '../kernel/failure.ts';
import {
  findApplicationNamed,
  getApplication,
  getApplicationById,
  isActive,
  type Application,
} from '../oauth/applications.ts';
import {
  getDestination,
  insertDestination,
  pauseDestination,
  removeDestination,
  replaceCredentials,
  resumeDestination,
  rotateSigningSecret,
  type DestinationScope,
} from '../forwarding/destinations/destinations.ts';
import { beginReplays } from '../forwarding/destinations/replays.ts';
import {
  listDeadLetters,
  listDestinations,
  reportGaps,
} from '../forwarding/destinations/reports.ts';
import {
  openDestination,
  optionsOf,
  partsOf,
  unsealSecrets,
} from '../forwarding/destinations/settings.ts';
import { testDestination } from '../forwarding/destinations/test-destination.ts';
import { beginPicture } from '../forwarding/pictures/pictures.ts';
import { readTail } from '../forwarding/dispatcher/tail.ts';
import { checkDestination } from '../forwarding/sinks/check.ts';
import type { Db } from '../storage/database.ts';
import { change } from './act.ts';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';

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
  | 'forwarding/picture'
  | 'forwarding/deadLetters'
  | 'forwarding/gaps'
  | 'forwarding/tail'
>;

const OVERLAP_HOURS = 24;
const LETTERS_SHOWN = 100;

/** An application by its own credentials cares for its own destinations, its developer watches them at the portal, the operator cares for everybody's. */
export function createForwardingOperations(deps: OperationDependencies): ForwardingOperations {
  const { db, clock, credentials, outbound } = deps;

  const found = (from: Db, caller: Caller, id: string) => getDestination(from, id, scopeOf(caller));
  const secretsOf = async (destination: { readonly id: string; readonly secrets: Uint8Array }) =>
    unsealSecrets(await credentials.secretBox(), destination.id, destination.secrets);

  return {
    'forwarding/add': async (
      caller,
      { application: named, kinds, plantIds, deviceSns, picture, ...settings },
      once,
    ) => {
      const application = await subjectOf(db, caller, named);
      if (application === null)
        throw invalidValue('application', 'the name or client_id of an application');
      const parts = partsOf(settings);
      // Looks names up, so before the transaction.
      await checkDestination(
        openDestination(
          { id: '', url: settings.url, options: parts.options },
          parts.secrets,
          clock.now(),
        ),
        outbound.egress,
      );
      const box = await credentials.secretBox();
      const id = await change(deps, caller, once, async (trx, act) => {
        const added = await insertDestination(trx, act, box, application, {
          ...parts,
          url: settings.url,
          kinds,
          plantIds,
          deviceSns,
        });
        if (picture) await beginPicture(trx, act, await found(trx, caller, added), 'picture');
        return added;
      });
      return { id, secret: parts.secrets.signing[0]?.text ?? null };
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
      return testDestination(open, { ...outbound, clock });
    },

    'forwarding/pause': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) => {
        await pauseDestination(trx, act, await found(trx, caller, id));
        return { id, state: 'paused' as const };
      }),

    'forwarding/resume': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) => {
        await resumeDestination(trx, act, await found(trx, caller, id));
        return { id, state: 'active' as const };
      }),

    'forwarding/remove': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) => {
        await removeDestination(trx, act, await found(trx, caller, id));
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
        const secret = await change(deps, caller, once, async (trx, act) =>
          rotateSigningSecret(trx, act, box, await found(trx, caller, id), formerEndsAt),
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
      await checkDestination(
        openDestination(
          { id, url, options: optionsOf(options) },
          { signing: [], ...renewed },
          clock.now(),
        ),
        outbound.egress,
      );
      await change(deps, caller, once, async (trx, act) =>
        replaceCredentials(trx, act, box, await found(trx, caller, id), renewed),
      );
      return { id, secret: null, formerEndsAt: null };
    },

    'forwarding/replay': async (caller, { id, deviceSn, ...wanted }, once) =>
      change(deps, caller, once, async (trx, act) => {
        await found(trx, caller, id);
        return { replays: (await beginReplays(trx, act, id, { ...wanted, sn: deviceSn })).length };
      }),

    'forwarding/picture': async (caller, { id }, once) =>
      change(deps, caller, once, async (trx, act) => ({
        id,
        number: await beginPicture(trx, act, await found(trx, caller, id), 'id'),
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

function scopeOf(caller: Caller): DestinationScope {
  if (caller.kind === 'client') return { applicationId: caller.applicationId };
  return caller.kind === 'user' ? { developerId: caller.accountId } : null;
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
      throw invalidValue('application', 'an approved application of your own');
    return own;
  }
  if (caller.kind !== 'client') return named === undefined ? null : getApplication(db, named);
  const own = await getApplicationById(db, caller.applicationId);
  if (named !== undefined && named !== own.name && named !== own.clientId)
    throw invalidValue('application', 'your own client_id, or none');
  return own;
}
