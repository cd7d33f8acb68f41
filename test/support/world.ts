import {
  insertAccount,
  type Account,
  type Role,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import type { Act } from '../../packages/server/src/identity/accounts/audit.ts';
import type {
  ApplicationCaller,
  UserCaller,
} from '../../packages/server/src/identity/accounts/caller.ts';
import { insertDevice, type NewDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { undescribed } from '../../packages/server/src/fleet/plants/plant-facts.ts';
import { insertPlant, type NewPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';

/** A clock that stands until it is set. */
export interface SettableClock {
  at: number;
  now(): number;
}

export function settableClock(at: number | string): SettableClock {
  return {
    at: typeof at === 'string' ? Date.parse(at) : at,
    now() {
      return this.at;
    },
  };
}

/** Makes people, plants and devices for a test; each with a name of its own, so that tests can share a database. */
export function createWorld(database: () => { db: Db }, clock: SettableClock) {
  const newId = createIdSource(clock);
  const db = (): Db => database().db;
  let made = 0;
  const act = (change: Partial<Act> = {}): Act => ({
    at: clock.now(),
    actor: 'operator',
    address: null,
    newId,
    ...change,
  });
  const write = <T>(change: (trx: Db) => Promise<T>): Promise<T> =>
    db().transaction().execute(change);
  const uniqueSn = (stem = 'SN'): string => `${stem}-${String(++made).padStart(5, '0')}`;
  return {
    clock,
    db,
    newId,
    act,
    write,
    uniqueSn,
    /** An account that nobody can log in to. */
    person: (change: { email?: string; role?: Role; timeZone?: string } = {}): Promise<Account> =>
      write((trx) =>
        insertAccount(trx, act(), {
          email: `person-${++made}@example.com`,
          role: 'owner',
          timeZone: 'UTC',
          passwordHash: '',
          legacyHash: null,
          ...change,
        }),
      ),
    plant: (ownerId: string, change: Partial<NewPlant> = {}): Promise<string> =>
      write((trx) =>
        insertPlant(trx, act(), { ...barePlant, ownerId, name: `Plant ${++made}`, ...change }),
      ),
    /** A device that stands in a plant, or nowhere. */
    device: (
      plantId: string | null,
      change: Partial<NewDevice> = {},
    ): Promise<{ id: string; sn: string }> =>
      write(async (trx) => {
        const sn = change.sn ?? uniqueSn();
        const id = await insertDevice(trx, act(), { kind: 'inverter', ...change, sn });
        if (plantId !== null) await bindDevice(trx, act(), id, plantId);
        return { id, sn };
      }),
  };
}

/** What is known of a plant at least, but for its owner and name. */
export const barePlant = { ...undescribed, capacityKwp: 10, installerId: null, timeZone: 'UTC' };

export const userCaller = (accountId: string, change: Partial<UserCaller> = {}): UserCaller => ({
  kind: 'user',
  accountId,
  keyId: null,
  canControl: true,
  plantIds: null,
  ...change,
});

export const applicationCaller = (
  accountId: string,
  change: Partial<ApplicationCaller> = {},
): ApplicationCaller => ({
  kind: 'application',
  applicationId: '1',
  grantId: '1',
  tokenFamily: '01',
  accountId,
  scopes: ['access_data', 'control_device'],
  plantIds: null,
  ...change,
});
