import { expect, test } from 'vitest';
import { insertPasskey } from '../../packages/server/src/identity/accounts/factors/passkey-rows.ts';
import { rememberBrowser } from '../../packages/server/src/identity/accounts/known-browsers.ts';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { insertTicket } from '../../packages/server/src/identity/oauth/consent/consent-tickets.ts';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import {
  allowSupport,
  listLivingSupport,
} from '../../packages/server/src/identity/accounts/support.ts';
import { issueToken } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { settings } from '../../packages/server/src/platform/config/schema.ts';
import { beginExport } from '../../packages/server/src/data-rights/exports/rows.ts';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { beginReplays } from '../../packages/server/src/outbound/forwarding/destinations/replays.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { subscribe } from '../../packages/server/src/outbound/notifications/settings/subscriptions.ts';
import { insertWebhook } from '../../packages/server/src/outbound/notifications/settings/webhooks.ts';
import {
  amendApplication,
  applyForApplication,
} from '../../packages/server/src/identity/oauth/developers/applying.ts';
import { decideApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { insertClientSecret } from '../../packages/server/src/identity/oauth/client-secrets.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import {
  acceptCompany,
  inviteToCompany,
} from '../../packages/server/src/fleet/plants/companies/invitations.ts';
import {
  foundCompany,
  lockManaged,
} from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { shareWithCompany } from '../../packages/server/src/fleet/plants/companies/plants.ts';
import { inTransaction } from '../../packages/server/src/platform/storage/transactions/transaction.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import {
  archivePlant,
  insertPlant,
  transferPlant,
} from '../../packages/server/src/fleet/plants/plants.ts';
import { changeTimeZone } from '../../packages/server/src/fleet/plants/zones.ts';
import {
  bounds,
  kept,
  type Bound,
  type BoundName,
  type BoundedRows,
  type KeptName,
} from '../../packages/server/src/platform/storage/bounds/bounds.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { setBounds } from '../../packages/server/src/platform/storage/bounds/within.ts';
import {
  checkStrategy,
  insertStrategy,
} from '../../packages/server/src/control/strategies/create.ts';
import { createCollectorOfOwner } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { createControlScene } from '../commands/scene.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { applicationCaller, barePlant } from '../support/world.ts';

/** So many at once, from none; the bound is a few. */
const AT_ONCE = 14;
const MOST = 3;

/** When the scene plays. */
const NOW = Date.parse('2026-06-15T12:00:00Z');

const box = createSecretBox(Buffer.alloc(32, 7));
const REDIRECT_URI = 'https://platform.example/callback';

/** Adds one row; the number tells those apart that are added at once. */
type Add = (trx: Db, i: number) => Promise<unknown>;
/** Whose rows are counted, and how one is added. */
interface Race {
  readonly owner: readonly string[];
  readonly add: Add;
  /** How many remain of those at once, if not as many as the bound. */
  readonly remaining?: number;
}

function races(
  database: () => TestDatabase,
  scene: ReturnType<typeof createControlScene>,
): { readonly [Name in BoundName]: () => Promise<Race> } {
  const { act, write, clock } = scene;
  let made = 0;

  const application = (ownerId: string) =>
    write(async (trx) => {
      const stated = {
        redirectUri: REDIRECT_URI,
        scopes: ['access_data', 'control_device'],
      } as const;
      const { application: added } = await applyForApplication(trx, act(), ownerId, {
        ...stated,
        name: `Bounded ${++made}`,
      });
      await decideApplication(trx, act(), added.id, 'approved');
      return added;
    });
  const consent = (accountId: string, applicationId: string) =>
    write((trx) =>
      recordConsent(trx, act(), {
        accountId,
        applicationId,
        asked: 3,
        approved: 3,
        plantIds: null,
      }),
    );
  const apply =
    (ownerId: string): Add =>
    (trx) =>
      applyForApplication(trx, act(), ownerId, {
        name: `Bounded ${++made}`,
        redirectUri: REDIRECT_URI,
        scopes: ['access_data'],
      });
  const company = async () => {
    const { id, email } = await scene.person();
    const companyId = await write((trx) => foundCompany(trx, act(), id, `Company ${++made}`));
    return { companyId, accountId: id, email };
  };

  async function raiseAlarm(trx: Db, deviceId: string): Promise<string> {
    const code = `E${++made}`;
    const raise = { code, level: 2, message: 'fault', beginAt: clock.at } as const;
    const [outcome] = await changeAlarms(trx, { now: clock.at, newId: scene.newId }, deviceId, [
      { raise },
    ]);
    if (outcome instanceof Failure) throw outcome;
    return code;
  }

  return {
    plants: async () => {
      const { id: ownerId } = await scene.person();
      const { id: other } = await scene.person();
      const others = await Promise.all(Array.from({ length: AT_ONCE }, () => scene.plant(other)));
      return {
        owner: [ownerId],
        add: (trx, i) =>
          i % 2 === 0
            ? transferPlant(trx, act(), others[i]!, ownerId)
            : insertPlant(trx, act(), { ...barePlant, ownerId, name: `Plant ${++made}` }),
      };
    },
    keptPlants: async () => {
      const { id: ownerId } = await scene.person();
      return {
        owner: [ownerId],
        // Each is archived at once, which makes no room.
        add: async (trx) => {
          const plant = { ...barePlant, ownerId, name: `Plant ${++made}` };
          await archivePlant(trx, act(), await insertPlant(trx, act(), plant));
        },
      };
    },
    keyPairs: async () => {
      const { id } = await scene.person();
      const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
      return { owner: [id], add: (trx) => insertKeyPair(trx, act(), box, id, terms) };
    },
    collectors: async () => {
      const { id: ownerId } = await scene.person();
      const id = await scene.plant(ownerId);
      return {
        owner: [ownerId],
        add: (trx) => createCollectorOfOwner(trx, act(), { id, ownerId }),
      };
    },
    openCommands: async () => {
      const { owner, deviceId, plantId } = await scene.home();
      const wanted = { deviceId, plantId, parameter: '157', expiresAt: clock.at + 60_000 };
      return { owner: [deviceId], add: (trx) => queueCommands(trx, act(), owner, [wanted]) };
    },
    openAlarms: async () => {
      const { deviceId } = await scene.home();
      return { owner: [deviceId], add: (trx) => raiseAlarm(trx, deviceId) };
    },
    newAlarms: async () => {
      const { deviceId, sn } = await scene.home();
      return {
        owner: [sn],
        // Each ends at once, which makes no room.
        add: async (trx) => {
          const code = await raiseAlarm(trx, deviceId);
          await changeAlarms(trx, { now: clock.at, newId: scene.newId }, deviceId, [
            { clear: { code, endAt: clock.at } },
          ]);
        },
      };
    },
    passkeys: async () => {
      const { id: accountId } = await scene.person();
      return {
        owner: [accountId],
        add: (trx) =>
          insertPasskey(trx, act(), {
            accountId,
            credentialId: Buffer.from(`credential ${++made}`),
            publicKey: Buffer.from('key'),
            counter: 0,
            transports: [],
            name: 'Phone',
          }),
      };
    },
    supportPermissions: async () => {
      const { id } = await scene.person();
      // A new one ends the one before it.
      return { owner: [id], add: (trx) => allowSupport(trx, act(), id), remaining: 1 };
    },
    exports: async () => {
      const { id } = await scene.person();
      // One that is underway is answered instead.
      return { owner: [id], add: (trx) => beginExport(trx, act(), id, 'csv'), remaining: 1 };
    },
    applications: async () => {
      const { id } = await scene.person();
      return { owner: [id], add: apply(id) };
    },
    waitingApplications: async () => {
      const { id } = await scene.person();
      // One was rejected and is submitted again meanwhile.
      const { id: rejected, clientId } = await write((trx) => apply(id)(trx, 0)).then(
        (added) => (added as Awaited<ReturnType<typeof applyForApplication>>).application,
      );
      await write((trx) => decideApplication(trx, act(), rejected, 'rejected', { reason: 'no' }));
      const again = {
        purpose: 'more',
        redirectUri: REDIRECT_URI,
        scopes: ['access_data'] as const,
      };
      return {
        owner: [id],
        add: (trx, i) =>
          i === 0 ? amendApplication(trx, act(), id, clientId, again) : apply(id)(trx, i),
      };
    },
    clientSecrets: async () => {
      const added = await application((await scene.person()).id);
      return { owner: [added.id], add: (trx) => insertClientSecret(trx, act(), added) };
    },
    destinations: async () => {
      const added = await application((await scene.person()).id);
      const url = 'https://receiver.example/events';
      return {
        owner: [added.id],
        add: (trx) =>
          insertDestination(trx, act(), box, added, { ...settingPartsOf({ url }), url }),
      };
    },
    runningReplays: async () => {
      const { ownerId, plantId } = await scene.home();
      const added = await application(ownerId);
      const url = 'https://receiver.example/events';
      const id = await write((trx) =>
        insertDestination(trx, act(), box, added, { ...settingPartsOf({ url }), url }),
      );
      await consent(ownerId, added.id);
      // The log has an entry from which to begin.
      await write((trx) => changeTimeZone(trx, act(), plantId, 'Asia/Tokyo'));
      return { owner: [id], add: (trx) => beginReplays(trx, act(), id, { from: 0 }) };
    },
    strategies: async () => {
      const { ownerId, sn } = await scene.home();
      const { id: applicationId } = await application(ownerId);
      const grantId = await consent(ownerId, applicationId);
      const caller = applicationCaller(ownerId, { applicationId, grantId });
      return {
        owner: [applicationId, ownerId],
        add: async (trx) => {
          const about = {
            reference: `reference ${++made}`,
            name: 'Evening',
            serialNumbers: [sn],
            end: clock.at + 86_400_000,
            intervals: [
              { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1 } },
            ],
          } as const;
          const checked = await checkStrategy(trx, caller, about, clock.at);
          return insertStrategy(trx, act(), caller, about, checked);
        },
      };
    },
    pushSubscriptions: async () => {
      const { id } = await scene.person();
      return {
        owner: [id],
        add: (trx) => {
          const endpoint = `https://push.example/${++made}`;
          return subscribe(trx, act(), box, id, { endpoint, p256dh: 'k', auth: 'a' }, 'Browser');
        },
      };
    },
    webhooks: async () => {
      const { id } = await scene.person();
      return {
        owner: [id],
        add: (trx) => insertWebhook(trx, act(), box, id, 'https://receiver.example/news'),
      };
    },
    openInvitations: async () => {
      const { id: fromAccountId } = await scene.person();
      const plantId = await scene.plant(fromAccountId);
      return {
        owner: [fromAccountId],
        add: (trx) =>
          invite(trx, act(), {
            plantId,
            fromAccountId,
            to: { email: `invited-${++made}@example.com` },
            kind: 'share',
            level: 'read',
          }),
      };
    },
    companyMembers: async () => {
      const { companyId, accountId } = await company();
      const invited = await Promise.all(Array.from({ length: AT_ONCE }, () => scene.person()));
      const at = clock.at;
      const ids = await Promise.all(
        invited.map(async ({ email }) => {
          const id = scene.newId();
          await database()
            .db.insertInto('companyInvitation')
            .values({
              id,
              companyId,
              fromAccountId: accountId,
              email,
              role: 'member',
              createdAt: at,
              expiresAt: at + 86_400_000,
            })
            .execute();
          return id;
        }),
      );
      return {
        owner: [companyId],
        add: (trx, i) => acceptCompany(trx, act(), invited[i]!, ids[i]!),
      };
    },
    companyInvitations: async () => {
      const { companyId, accountId } = await company();
      return {
        owner: [companyId],
        add: async (trx) =>
          inviteToCompany(
            trx,
            act(),
            await lockManaged(trx, accountId),
            `invited-${++made}@example.com`,
            'member',
          ),
      };
    },
    companyPlants: async () => {
      const { companyId, accountId } = await company();
      const owners = await Promise.all(Array.from({ length: AT_ONCE }, () => scene.person()));
      const plantIds = await Promise.all(owners.map(({ id }) => scene.plant(id)));
      return {
        owner: [companyId],
        add: async (trx, i) =>
          shareWithCompany(trx, act(), await lockPlant(trx, plantIds[i]!), {
            companyId,
            accountId,
            level: 'read',
          }),
      };
    },
    plantDevices: async () => {
      const plantId = await scene.plant((await scene.person()).id);
      const devices = await Promise.all(Array.from({ length: AT_ONCE }, () => scene.device(null)));
      return { owner: [plantId], add: (trx, i) => bindDevice(trx, act(), devices[i]!.id, plantId) };
    },
    collectorTokens: async () => {
      const { collectorId: id, collectorSn: sn } = await scene.home();
      return { owner: [id], add: (trx) => issueToken(trx, act(), { id, sn }) };
    },
    plantZones: async () => {
      const plantId = await scene.plant((await scene.person()).id);
      const at = clock.at;
      return {
        owner: [plantId],
        add: (trx, i) =>
          changeTimeZone(trx, act({ at: at + i }), plantId, i % 2 ? 'UTC' : 'Asia/Tokyo'),
      };
    },
  };
}

describeEngines('every bound', (database) => {
  const scene = createControlScene(database);
  const all = races(database, scene);

  for (const name of Object.keys(bounds) as BoundName[])
    test(`holds for ${name} if many are added at once`, { timeout: 300_000 }, async () => {
      const { db } = database();
      setBounds(db, {});
      const { owner, add, remaining } = await all[name]();
      const { table, per, counted }: Bound = bounds[name];
      const most = name in { supportPermissions: 0, exports: 0 } ? 1 : MOST;
      setBounds(db, { [name]: most });
      const outcomes = await Promise.allSettled(
        Array.from({ length: AT_ONCE }, (_, i) => inTransaction(db, (trx) => add(trx, i))),
      );
      setBounds(db, {});
      let rows = db.selectFrom(table as 'passkey').select((eb) => eb.fn.countAll().as('number'));
      for (const [i, column] of per.entries()) rows = rows.where(column as 'id', '=', owner[i]!);
      if (counted) rows = rows.where(counted(NOW));
      const { number } = await rows.executeTakeFirstOrThrow();
      expect(Number(number)).toBe(remaining ?? most);
      const refused = outcomes.flatMap((one) =>
        one.status === 'rejected' ? [one.reason as unknown] : [],
      );
      for (const reason of refused) {
        expect(reason).toBeInstanceOf(Failure);
        expect((reason as Failure).code).toMatch(/^(invalidValue|tooManyRequests)$/);
      }
      if (remaining === undefined) expect(refused.length).toBeGreaterThan(0);
    });

  for (const name of Object.keys(kept) as KeptName[])
    test(`of ${name}, the newest are kept, and another account keeps its own`, async () => {
      const { db } = database();
      const [{ id: accountId }, { id: other }] = [await scene.person(), await scene.person()];
      const add: { readonly [Name in KeptName]: (by: string, i: number) => Promise<unknown> } = {
        sessions: (by) =>
          inTransaction(db, (trx) =>
            insertSession(trx, scene.act(), {
              accountId: by,
              entrance: 'portal',
              freshFor: null,
              userAgent: null,
            }),
          ),
        knownBrowsers: (by, i) =>
          inTransaction(db, (trx) => rememberBrowser(trx, NOW + i, by, undefined)),
        consentTickets: (by, i) =>
          insertTicket(db, NOW + i, { sessionHash: Buffer.from(by), request: Buffer.from('r') }),
      };
      const { table, per, newest }: BoundedRows = kept[name];
      const rowsOf = async (by: string): Promise<unknown[]> => {
        const column = per[0] as 'accountId';
        const value = name === 'consentTickets' ? (Buffer.from(by) as never) : by;
        const rows = await db
          .selectFrom(table as 'session')
          .select(newest as 'id')
          .where(column, '=', value)
          .orderBy(newest as 'id')
          .execute();
        return rows.map((row) => row[newest as 'id']);
      };
      setBounds(db, { [name]: MOST });
      await add[name](other, 0);
      await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => add[name](accountId, i)));
      const before = await rowsOf(accountId);
      await add[name](accountId, AT_ONCE);
      setBounds(db, {});
      const after = await rowsOf(accountId);
      expect(after).toHaveLength(MOST);
      // The last one is among them, and the two newest of those before.
      expect(after.slice(0, -1)).toEqual(before.slice(1 - MOST));
      expect(await rowsOf(other)).toHaveLength(1);
    });

  test('of permissions for operators that are given at once, one counts', async () => {
    const { owner, add } = await all.supportPermissions();
    const { db } = database();
    await Promise.allSettled(
      Array.from({ length: AT_ONCE }, (_, i) => inTransaction(db, (trx) => add(trx, i))),
    );
    const living = await listLivingSupport(db, NOW);
    expect(living.filter(({ accountId }) => accountId === owner[0])).toHaveLength(1);
  });
});

test('the bounds that are settings have the defaults of the settings', () => {
  expect(Number(settings.accountPlants.fallback)).toBe(bounds.plants.most);
  expect(Number(settings.accountKeys.fallback)).toBe(bounds.keyPairs.most);
  expect(Number(settings.deviceCommands.fallback)).toBe(bounds.openCommands.most);
});
