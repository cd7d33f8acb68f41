import type { Account } from '../../../identity/accounts/accounts.ts';
import type { Caller } from '../../../identity/accounts/caller.ts';
import {
  lockOwnAccount,
  oneSubjectOf,
  ownAccount as ownAccountOf,
  subjectOf,
} from '../../../identity/accounts/subject.ts';
import {
  lockDestination,
  type Destination,
  type DestinationScope,
} from '../../../outbound/forwarding/destinations/destinations.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { lockApplication, type Application } from '../../../identity/oauth/applications.ts';
import { lockOwnApplication } from '../../../identity/oauth/developers/applying.ts';
import { reachOf } from '../../../fleet/plants/access.ts';
import {
  findMembership,
  getMembership,
  lockManaged,
  lockWithPlants,
  type Membership,
} from '../../../fleet/plants/companies/companies.ts';
import { lockAllPlants, lockPlant } from '../../../fleet/plants/lock.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { right, type Right } from './right.ts';

/** The account of the person who is logged in, locked. */
export const ownAccount: Right<Account> = right(lockOwnAccount);

/** The person who is logged in and answers or gives to a company, which is locked with its plants before it is looked at (plants/companies). */
export const invited: Right<Account> = right((trx, caller) => ownAccountOf(trx, caller));

/** As `ownAccount`, with all plants locked. */
export const ownAccountAlone: Right<Account> = right(
  async (trx, caller) => {
    await lockAllPlants(trx);
    return lockOwnAccount(trx, caller);
  },
  { ofAll: true },
);

/** The account that a request concerns: of the person who is logged in, it is their own, and locked; null = all, for the operator. */
export const subject = (email?: string): Right<string | null> =>
  right(async (trx, caller) => {
    if (caller.kind === 'user') await lockOwnAccount(trx, caller);
    return subjectOf(trx, caller, email);
  });

/** As `subject`, where it must be a single account. */
export const oneSubject = (email?: string): Right<string> =>
  right(async (trx, caller) => {
    if (caller.kind === 'user') await lockOwnAccount(trx, caller);
    return oneSubjectOf(trx, caller, email);
  });

function refuseUsers({ kind }: Caller): void {
  if (kind !== 'operator' && kind !== 'console') throw new Failure('noPermission');
}

/** The person who runs the service. */
export const operators: Right<void> = right(async (_trx, caller) => refuseUsers(caller));

/** As `operators`, with all plants locked. */
export const operatorsAlone: Right<void> = right(
  async (trx, caller) => {
    refuseUsers(caller);
    await lockAllPlants(trx);
  },
  { ofAll: true },
);

/** The membership of the person who manages a company, which is locked. */
export const manager: Right<Membership> = right(async (trx, caller) =>
  lockManaged(trx, (await lockOwnAccount(trx, caller)).id),
);

/** As `manager`; null = the operator, who may do as one in any company. */
export const managerOrOperator: Right<Membership | null> = right(async (trx, caller) =>
  caller.kind === 'operator' ? null : lockManaged(trx, (await lockOwnAccount(trx, caller)).id),
);

/** The membership of an account, its company locked with its plants. Throws noPermission. */
export const membershipOf = (
  find: (trx: Db, caller: Caller) => Promise<string>,
): Right<Membership> =>
  right(
    async (trx, caller) => {
      const accountId = await find(trx, caller);
      const { companyId } = await getMembership(trx, accountId);
      await lockWithPlants(trx, companyId);
      const membership = await findMembership(trx, accountId);
      if (membership?.companyId !== companyId)
        throw new Failure('noPermission', { message: 'no company' });
      return membership;
    },
    { locks: ({ companyId }) => [companyId] },
  );

/** A plant whose share with a company its owner or a manager of the company ends, locked. Throws noPermission. */
export const sharedWith = (plantId: string, companyId: string) =>
  right(async (trx, caller) => {
    const { accountId } = reachOf(caller, 'manage');
    const plant = await lockPlant(trx, plantId);
    if (accountId === null || accountId === plant.ownerId) return plant;
    const membership = await findMembership(trx, accountId);
    if (membership?.companyId === companyId && membership.role === 'manager') return plant;
    throw new Failure('noPermission');
  });

/** An application of the person who is logged in, locked. Throws noPermission. */
export const ownApplication = (clientId: string): Right<Application> =>
  right(async (trx, caller) =>
    lockOwnApplication(trx, (await lockOwnAccount(trx, caller)).id, clientId),
  );

export function scopeOf(caller: Caller): DestinationScope {
  if (caller.kind === 'client') return { applicationId: caller.applicationId };
  return caller.kind === 'user' ? { developerId: caller.accountId } : null;
}

/** A destination of the person it is open to, its application locked. Throws noPermission. */
export const destinationOf = (id: string): Right<Destination> =>
  right((trx, caller) => lockDestination(trx, id, scopeOf(caller)));

/** An application that is found for a caller, locked. Throws noPermission. */
export const applicationOf = (
  find: (trx: Db, caller: Caller) => Promise<Application | null>,
): Right<Application | null> =>
  right(async (trx, caller) => {
    const application = await find(trx, caller);
    if (application) await lockApplication(trx, application);
    return application;
  });
