import type { Permission } from '@helioport/contract';
import type { ApplicationCaller, Caller } from '../../../identity/accounts/caller.ts';
import { findAccount, type Account } from '../../../identity/accounts/accounts.ts';
import { accountSubjectOf } from '../../../identity/accounts/subject.ts';
import { lockAlarm, type LockedAlarm } from '../../../outbound/alarms/processing.ts';
import { findCommands } from '../../../control/commands/await-outcome.ts';
import { listWaiting } from '../../../fleet/devices/discoveries.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { isSameMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import { reachOf, type Reach, type VisiblePlant } from '../../../fleet/plants/access.ts';
import type { VisibleDevice } from '../../../fleet/plants/device-access.ts';
import { lockPlantOfInvitation, type Answerer } from '../../../fleet/plants/invitations/answers.ts';
import { holdAccess, lockDeviceRows, lockPlants } from '../../../fleet/plants/lock.ts';
import { lockVisible } from '../../../fleet/plants/lock-visible.ts';
import type { Db } from '../../../platform/storage/database.ts';
import {
  checkStrategy,
  type CheckedStrategy,
  type NewStrategy,
} from '../../../control/strategies/create.ts';
import { lockPlacesOf } from '../../../control/strategies/stop.ts';
import { lockOwn, lockOwnWithPlants, type Strategy } from '../../../control/strategies/strategy.ts';
import { getControlled } from '../control/named-inverters.ts';
import { getNamedPlant } from '../plants/plants.ts';
import { right, type Right } from './right.ts';

type Named = Parameters<typeof getNamedPlant>[2];

/** A plant that a request names, locked, for a caller with the permission for it. Throws noPermission, both for unknown plants and for those of others. */
export const plantOf = (named: Named, permission: Permission = 'manage'): Right<VisiblePlant> =>
  right(
    async (trx, caller) => {
      const { id } = await getNamedPlant({ db: trx }, caller, named, permission);
      return lockVisible(trx, caller, id, permission);
    },
    { locks: ({ id }) => [id] },
  );

/** A plant that its owner shares or somebody gives up. */
export const rightOfShare = (plantId: string, email: string): Right<VisiblePlant> =>
  right(async (trx, caller) => {
    const own = caller.kind === 'user' ? await findAccount(trx, caller.accountId) : undefined;
    reachOf(caller, 'manage');
    // Users may give up shares that they were given.
    const permission = own && isSameMailbox(own.email, email) ? 'read' : 'manage';
    return lockVisible(trx, caller, plantId, permission);
  });

/** The person who may have new plants. A key that is restricted to some would not see another one. */
export const newPlant: Right<Account> = right(async (trx, caller) => {
  const { accountId, plantIds } = reachOf(caller, 'manage');
  if (plantIds !== null || accountId === null) throw new Failure('noPermission');
  return (await findAccount(trx, accountId))!;
});

/** The account whose plants a caller manages. What is written must name it as their owner. Throws noPermission. */
export const ownPlants: Right<string> = right(async (_trx, caller) => {
  const { accountId } = reachOf(caller, 'manage');
  if (accountId === null) throw new Failure('noPermission');
  return accountId;
});

/** The plants within which something is found, for functions that lock what they find and look again (devices/placement.ts). */
export const within = (permission: Permission): Right<Reach> =>
  right(async (_trx, caller) => reachOf(caller, permission));

/** An alarm whose plant is locked. */
export const alarmOf = (id: string): Right<LockedAlarm> =>
  right<LockedAlarm>((trx, caller) => lockAlarm(trx, caller, id));

/** A serial number that waits to be bound, and the plant that it is bound to, locked. */
export const discoveryOf = (sn: string, plantId: string | undefined): Right<VisiblePlant> =>
  right(
    async (trx, caller) => {
      const reach = reachOf(caller, 'install');
      const [waiting] = await listWaiting(trx, { reach, limit: 1, sn });
      if (!waiting) throw new Failure('noPermission');
      return lockVisible(trx, caller, plantId ?? waiting.plantId, 'install');
    },
    { locks: ({ id }) => [id] },
  );

/** Inverters that are found for a caller who may control them, locked, and with them the caller's access to their plants. */
export const controlled = (
  find: (db: Db, caller: Caller) => Promise<readonly VisibleDevice[]>,
): Right<readonly VisibleDevice[]> =>
  right(
    async (trx, caller) => {
      const inverters = await find(trx, caller);
      await lockDeviceRows(
        trx,
        inverters.map(({ id }) => id),
      );
      if (caller.accountId !== null)
        await holdAccess(
          trx,
          caller.accountId,
          inverters.map(({ plantId }) => plantId),
        );
      return inverters;
    },
    { locks: (inverters) => inverters.flatMap(({ id, plantId }) => [id, plantId]) },
  );

/** As `controlled`, for a single one. */
export const controlledInverter = (named: Parameters<typeof getControlled>[2]) =>
  controlled(async (db, caller) => [await getControlled(db, caller, named)]);

/** The plant of a command, locked. Throws noPermission, alike for foreign and unknown ones. */
export const commandOf = (id: string, permission: Permission): Right<VisiblePlant> =>
  right(async (trx, caller) => {
    reachOf(caller, permission);
    const [command] = await findCommands(trx, [id]);
    if (!command) throw new Failure('noPermission');
    return lockVisible(trx, caller, command.plantId, permission);
  });

/**
 * The person who answers an invitation, with its plant locked. A key that is restricted to some plants, or to reading, may neither accept nor decline: it
 * would not see the result.
 */
export const answererOf = (id: string): Right<Answerer> =>
  right<Answerer>(async (trx, caller) => {
    if (reachOf(caller, 'manage').plantIds !== null) throw new Failure('noPermission');
    const account = await partyOf(trx, caller);
    await lockPlantOfInvitation(trx, id, account);
    return account ?? 'operator';
  });

/** The person who withdraws an invitation (null = the operator), with its plant locked. A key for other plants may not. */
export const rightOfSender = (id: string): Right<string | null> =>
  right(async (trx, caller) => {
    reachOf(caller, 'manage');
    const account = await partyOf(trx, caller);
    const { id: plantId } = await lockPlantOfInvitation(trx, id, account);
    if (caller.plantIds !== null) await lockVisible(trx, caller, plantId, 'manage');
    return account?.id ?? null;
  });

async function partyOf(trx: Db, caller: Caller): Promise<Account | null> {
  const accountId = await accountSubjectOf(trx, caller, undefined);
  return accountId === null ? null : (await findAccount(trx, accountId))!;
}

/** A strategy in plants that a caller manages, which are locked. */
export const strategyWithin = (id: string, plantId: string | undefined): Right<Reach> =>
  right(async (trx, caller) => {
    const reach = reachOf(caller, 'manage');
    if (plantId !== undefined) await lockVisible(trx, caller, plantId, 'manage');
    if ((await lockPlacesOf(trx, reach, id, plantId)).length === 0)
      throw new Failure('noPermission');
    return reach;
  });

/** Strategies are dispatched by applications alone. Throws noPermission. */
export function controllerOf(caller: Caller): ApplicationCaller {
  if (caller.kind !== 'application' || !caller.scopes.includes('control_device'))
    throw new Failure('noPermission');
  return caller;
}

interface OwnStrategy {
  readonly strategy: Strategy;
  readonly application: ApplicationCaller;
}

/** An application's own strategy, locked. */
export const ownStrategy = (id: string): Right<OwnStrategy> =>
  right(async (trx, caller) => {
    const application = controllerOf(caller);
    return { application, strategy: await lockOwn(trx, application, id) };
  });

/** As `ownStrategy`, with the plants of its devices, for what rests on the owner's plants. */
export const ownStrategyWithPlants = (id: string): Right<OwnStrategy> =>
  right(async (trx, caller) => {
    const application = controllerOf(caller);
    return { application, strategy: await lockOwnWithPlants(trx, application, id) };
  });

/** A strategy as an application asks for it, which is found to be possible while its plants are locked. */
export const newStrategy = (
  given: NewStrategy,
): Right<{ readonly application: ApplicationCaller; readonly checked: CheckedStrategy }> =>
  right(
    async (trx, caller, { at }) => {
      const application = controllerOf(caller);
      const checked = await checkStrategy(trx, application, given, at);
      await lockPlants(trx, [...new Set(checked.targets.map(({ plantId }) => plantId))]);
      return { application, checked };
    },
    { locks: ({ checked }) => checked.targets.map(({ plantId }) => plantId) },
  );
