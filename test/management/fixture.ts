import { operations, type Envelope, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll } from 'vitest';
import type { Account, Role } from '../../packages/server/src/identity/accounts/accounts.ts';
import type { NewKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { createFleet } from '../operations/fleet.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { settableClock, type SettableClock } from '../support/world.ts';
import { addKey, signed, startUserApi, type TestUserApi } from '../user-api/fixture.ts';
import { operationsOn } from '../support/operations.ts';

/** Somebody with a key pair. */
export interface Person extends Account {
  readonly key: NewKeyPair;
}

export interface Management {
  readonly clock: SettableClock;
  readonly fleet: ReturnType<typeof createFleet>;
  readonly database: () => TestDatabase;
  /** Available inside tests and hooks. */
  readonly api: TestUserApi;
  person(change?: { role?: Role; timeZone?: string }): Promise<Person>;
  /** Signs a call over the real listener; each a second later than the one before. */
  call(
    who: { readonly key: NewKeyPair },
    id: OperationId,
    body?: Record<string, unknown>,
  ): Promise<Envelope<any>>;
  /** A collector that stands nowhere. */
  collector(): Promise<{ id: string; sn: string }>;
  /** Where a device stands, and its bindings. */
  whereabouts(sn: string): Promise<{
    plantId: string | null;
    collectorId: string | null;
    bindings: { plantId: string; fromAt: number; toAt: number | null }[];
  }>;
  /** Kinds of the events that concern an account, oldest first, without log-ins and keys. */
  trail(accountId: string): Promise<{ kind: string; actor: string; address: string | null }[]>;
}

/** What addStation cannot do without. */
export const minimal = {
  stationName: 'Meadow Lane 4',
  capacity: 9.84,
  money: 'EUR',
  addr: 'Meadow Lane 4, Berlin',
  price: 0.082,
};

/** A suite over the signed interface with all operations, on both engines. The clock stands at 2026-06-01T12:00:00Z and moves with each call. */
export function describeManagement(name: string, suite: (management: Management) => void): void {
  describeEngines(name, (database) => {
    const clock = settableClock('2026-06-01T12:00:00Z');
    const fleet = createFleet(database, clock);
    let api: TestUserApi;
    beforeAll(async () => {
      const { db } = database();
      const handlers = operationsOn(db, clock, fleet.newId) as never;
      api = await startUserApi({ db }, clock, { operations: Object.values(operations), handlers });
    });
    afterAll(() => api.close());
    suite({
      clock,
      fleet,
      database,
      get api() {
        return api;
      },
      async person(change) {
        const account = await fleet.person(change);
        return { ...account, key: await addKey(fleet, { accountId: account.id }) };
      },
      async call({ key }, id, body = {}) {
        clock.at += 1000;
        return (
          await api.send(
            signed({ key, at: clock.at, path: `/v1/api/${id}`, body: JSON.stringify(body) }),
          )
        ).body;
      },
      async collector() {
        const sn = fleet.uniqueSn('COL');
        const { id } = await fleet.write((trx) => insertCollector(trx, fleet.act(), { sn }));
        return { id, sn };
      },
      async whereabouts(sn) {
        const { db } = database();
        const { id, plantId, collectorId } = await db
          .selectFrom('device')
          .select(['id', 'plantId', 'collectorId'])
          .where('sn', '=', sn)
          .executeTakeFirstOrThrow();
        const bindings = await db
          .selectFrom('binding')
          .select(['plantId', 'fromAt', 'toAt'])
          .where('deviceId', '=', id)
          .orderBy('no')
          .execute();
        return { plantId, collectorId, bindings };
      },
      async trail(accountId) {
        const events = await database()
          .db.selectFrom('auditEvent')
          .select(['kind', 'actor', 'address'])
          .where('accountId', '=', accountId)
          .orderBy('id')
          .execute();
        return events.filter(({ kind }) => /^(plant|device)\./.test(kind));
      },
    });
  });
}
