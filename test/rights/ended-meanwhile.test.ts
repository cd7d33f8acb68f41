import { operations, type OperationId } from '@helioport/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { openStorage, type Storage } from '../../packages/server/src/platform/storage/open.ts';
import { minimal } from '../management/fixture.ts';
import { createFleet, inputOf } from '../operations/fleet.ts';
import { describeEngines } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createRightsScene, HOUR_MS, LIMITED, type Scene as Furnished } from './scene.ts';

/** A furnished plant, and somebody who may install it. */
interface Scene extends Furnished {
  readonly installer: Account;
}

/** What ends while a write waits, and who it is whose right that was. */
type End = readonly [
  end: (scene: Scene) => readonly [OperationId, Record<string, unknown>],
  caller: (scene: Scene) => Caller,
];

const owners = ({ owner }: Scene): Caller => userCaller(owner.id);
const sold: End = [
  ({ plantId, buyer }) => ['plant/transfer', { plantId, owner: buyer.email }],
  owners,
];
const soldForApplications: End = [sold[0], ({ application }) => application];
const revoked: End = [
  ({ grantId }) => ['grant/revoke', { id: grantId }],
  ({ application }) => application,
];
/** The owner lets somebody control the plant still, but no longer install it. */
const lessened: End = [
  ({ plantId, installer }) => ['share/give', { plantId, email: installer.email, level: 'control' }],
  ({ installer }) => userCaller(installer.id),
];
const disabled: End = [({ owner }) => ['user/disable', { email: owner.email }], owners];
const demoted: End = [({ owner }) => ['company/remove', { email: owner.email }], owners];
const refusedApplication: End = [
  ({ clientId }) => ['application/disable', { application: clientId }],
  ({ client }) => client,
];
const dismissed: End = [
  ({ operator }) => ['user/disable', { email: operator.email }],
  ({ console: atConsole }) => atConsole,
];

type Row = readonly [End, (scene: Scene) => Record<string, unknown>];
const ofPlant = ({ plantId }: Scene) => ({ plantId });
const ofOwner = ({ owner }: Scene) => ({ email: owner.email });
const nothing = () => ({});
const another = () => ({ id: '1300000000000000009' });

/** Every operation that changes something; a new one without a row here, or below, fails. */
const rows: Readonly<Partial<Record<OperationId, Row>>> = {
  'alarm/process': [sold, ({ alarm }) => ({ id: alarm })],
  'alarm/reopen': [sold, ({ alarm }) => ({ id: alarm })],
  'alarm/note': [sold, ({ alarm }) => ({ id: alarm, note: 'Fuse' })],
  control: [sold, ({ sn }) => ({ inverterSn: sn, cid: '157', value: '20' })],
  'command/send': [sold, ({ sn }) => ({ sn, cid: '158', value: '30' })],
  'command/cancel': [sold, ({ command }) => ({ id: command })],
  'command/undo': [sold, ({ sn }) => ({ sn })],
  'command/seen': [sold, ({ command }) => ({ id: command })],
  'control/stop': [sold, ofPlant],
  'control/release': [sold, ofPlant],
  'strategy/create': [
    soldForApplications,
    ({ sn }) => ({ reference: 'next', name: 'Next', sn, end: LATER, intervals: LIMITED }),
  ],
  'strategy/dispatch': [soldForApplications, ({ strategy }) => ({ id: strategy })],
  'strategy/amend': [soldForApplications, ({ strategy }) => ({ id: strategy, end: LATER })],
  'strategy/heartbeat': [revoked, ({ strategy }) => ({ id: strategy })],
  'strategy/cancel': [revoked, ({ strategy }) => ({ id: strategy })],
  'strategy/resume': [sold, ({ strategy }) => ({ id: strategy })],
  'strategy/stop': [sold, ({ strategy }) => ({ id: strategy })],
  'strategy/setLimits': [sold, ({ plantId }) => ({ plantId, reserveSocPercent: 30 })],
  addStation: [disabled, () => minimal],
  addStationBindCollector: [disabled, () => minimal],
  stationUpdate: [sold, ({ plantId }) => ({ ...minimal, id: plantId })],
  addDevice: [sold, ({ plantId, free }) => ({ id: plantId, sn: free })],
  delCollector: [sold, ({ collector }) => ({ sn: collector })],
  unbindDevice: [sold, ({ sn }) => ({ sn })],
  archiveStation: [sold, ({ plantId }) => ({ id: plantId })],
  'collector/create': [lessened, ofPlant],
  'collector/replaceToken': [sold, ({ plantId, collector }) => ({ plantId, sn: collector })],
  'discovery/bind': [lessened, ({ waiting }) => ({ sn: waiting })],
  'device/edit': [lessened, ({ plantId, sn }) => ({ plantId, sn, name: 'Garage' })],
  'device/replace': [lessened, ({ plantId, sn, waiting }) => ({ plantId, sn, by: waiting })],
  'invitation/accept': [disabled, ({ received }) => ({ id: received })],
  'invitation/decline': [disabled, ({ received }) => ({ id: received })],
  'invitation/withdraw': [disabled, ({ sent }) => ({ id: sent })],
  'share/give': [sold, ({ plantId }) => ({ plantId, email: 'new@example.com' })],
  'share/withdraw': [sold, ({ plantId, colleague }) => ({ plantId, email: colleague.email })],
  'company/found': [disabled, () => ({ name: 'Sun & Sons' })],
  'company/rename': [demoted, () => ({ name: 'Taken over' })],
  'company/logo': [demoted, nothing],
  'company/invite': [demoted, () => ({ email: 'new@example.com' })],
  'company/accept': [disabled, ({ companyOffer }) => ({ id: companyOffer })],
  'company/decline': [disabled, ({ companyOffer }) => ({ id: companyOffer })],
  'company/withdraw': [demoted, ({ companyInvitation }) => ({ id: companyInvitation })],
  'company/role': [demoted, ({ colleague }) => ({ email: colleague.email, role: 'manager' })],
  'company/remove': [demoted, ({ colleague }) => ({ email: colleague.email })],
  'company/dissolve': [demoted, nothing],
  'company/give': [sold, ({ plantId }) => ({ plantIds: [plantId] })],
  'company/end': [sold, ({ plantId, companyId }) => ({ plantId, companyId })],
  'tariff/set': [sold, ({ plantId }) => ({ plantId, use: 'import', pricePerKwh: 0.3 })],
  'tariff/remove': [sold, ({ plantId }) => ({ plantId, use: 'import', from: 'beginning' })],
  'plant/offer': [sold, ({ plantId }) => ({ plantId, email: 'new@example.com' })],
  'plant/restore': [sold, ofPlant],
  'plant/setArrays': [
    lessened,
    ({ plantId }) => ({
      plantId,
      arrays: [{ tiltDegrees: 30, azimuthDegrees: 180, capacityKwp: 4 }],
    }),
  ],
  'plant/edit': [sold, ({ plantId }) => ({ plantId, name: 'Taken over' })],
  'account/language': [disabled, () => ({ language: 'de' })],
  'account/timeZone': [disabled, () => ({ timeZone: 'Europe/Madrid' })],
  'support/allow': [disabled, nothing],
  'support/end': [disabled, another],
  'session/end': [disabled, another],
  'session/endOthers': [disabled, nothing],
  'export/start': [disabled, nothing],
  'export/cancel': [disabled, another],
  'key/disable': [disabled, () => ({ keyId: '1300000000000000009' })],
  'grant/narrow': [disabled, ({ grantId, plantId }) => ({ id: grantId, plantIds: [plantId] })],
  'grant/revoke': [disabled, ({ grantId }) => ({ id: grantId })],
  'developer/apply': [
    disabled,
    () => ({
      name: 'New',
      purpose: 'Yields',
      redirectUri: 'https://new.example/callback',
      scopes: 'access_data',
    }),
  ],
  'developer/amend': [disabled, ({ clientId }) => ({ clientId, purpose: 'Other' })],
  'developer/withdraw': [disabled, ({ clientId }) => ({ clientId })],
  'developer/endSecret': [disabled, ({ clientId }) => ({ clientId, secretId: '1' })],
  'forwarding/add': [refusedApplication, () => ({ url: 'https://93.184.215.14/events' })],
  'forwarding/pause': [refusedApplication, ({ destination }) => ({ id: destination })],
  'forwarding/resume': [refusedApplication, ({ destination }) => ({ id: destination })],
  'forwarding/remove': [refusedApplication, ({ destination }) => ({ id: destination })],
  'forwarding/rotate': [refusedApplication, ({ destination }) => ({ id: destination })],
  'forwarding/replay': [
    refusedApplication,
    ({ destination, sn }) => ({ id: destination, deviceSn: sn, from: 1 }),
  ],
  'forwarding/snapshot': [refusedApplication, ({ destination }) => ({ id: destination })],
  'notifications/set': [disabled, nothing],
  'push/subscribe': [
    disabled,
    () => ({
      ...operations['push/subscribe'].example.request,
      endpoint: 'https://93.184.215.14/send/1',
    }),
  ],
  'push/remove': [disabled, another],
  'webhook/add': [disabled, () => ({ url: 'https://93.184.215.14/alarms' })],
  'webhook/rotate': [disabled, another],
  'webhook/remove': [disabled, another],
  'passkey/rename': [disabled, () => ({ id: '1300000000000000009', name: 'Phone' })],
  'user/disable': [dismissed, ofOwner],
  'user/enable': [dismissed, ofOwner],
  'user/resetFactors': [dismissed, ofOwner],
  'application/approve': [dismissed, ({ clientId }) => ({ application: clientId })],
  'application/reject': [dismissed, ({ clientId }) => ({ application: clientId })],
  'application/disable': [dismissed, ({ clientId }) => ({ application: clientId })],
  'application/enable': [dismissed, ({ clientId }) => ({ application: clientId })],
  'collector/revoke': [dismissed, ({ collector }) => ({ sn: collector })],
};

/** Those that are not asked here, and why. */
const PROVEN = 'asks for the password first; test/accounts/proven.test.ts';
const elsewhere: Readonly<Partial<Record<OperationId, string>>> = {
  'password/change': PROVEN,
  'account/close': PROVEN,
  'totp/begin': PROVEN,
  'totp/confirm': PROVEN,
  'totp/remove': PROVEN,
  'recovery/renew': PROVEN,
  'passkey/add': PROVEN,
  'passkey/remove': PROVEN,
  'key/create': PROVEN,
  'developer/rotateSecret': PROVEN,
  'developer/addDestination': PROVEN,
  'user/resetLink': 'without e-mail, it is refused at once; it rests on what user/disable rests on',
};

const NOW = '2026-06-01T12:00:00Z';
const LATER = Date.parse(NOW) + 2 * HOUR_MS;
const AT_ONCE = 12;

test('every operation by which somebody changes something whose right to it can end is asked', () => {
  const writes = Object.values(operations).filter(
    ({ write, doors }) => write && (doors as readonly string[]).some((door) => door !== 'operator'),
  );
  expect([...Object.keys(rows), ...Object.keys(elsewhere)].toSorted()).toEqual(
    writes.map(({ id }) => id as string).toSorted(),
  );
});

describeEngines('a right that ends while a write waits', (database, engine) => {
  const clock = settableClock(NOW);
  const fleet = createFleet(database, clock);
  /** Connections of its own: those of the writes wait. */
  let others: Storage;
  beforeAll(() => {
    others = openStorage(database().address);
  });
  afterAll(() => others.close());

  const withInstaller = async (scene: Furnished): Promise<Scene> => {
    const installer = await fleet.person();
    await fleet.write((trx) =>
      sharePlant(trx, fleet.act(), scene.plantId, installer.email, 'install'),
    );
    return { ...scene, installer };
  };
  const isWaitedFor = async (): Promise<boolean> =>
    (await sql`select 1 from pg_locks where not granted`.execute(others.db)).rows.length > 0;
  /** Until the writes wait, or are over. SQLite does not tell, so there they get the time to come as far as they can. */
  const letThemCome = async (areOver: () => boolean): Promise<void> => {
    if (engine === 'PostgreSQL')
      return expect
        .poll(async () => areOver() || (await isWaitedFor()), { timeout: 30_000, interval: 5 })
        .toBe(true);
    for (let turn = 0; turn < 50; turn++)
      await new Promise((resolve) => void setImmediate(resolve));
  };

  test.each(Object.entries(rows) as [OperationId, Row][])(
    '%s',
    async (id, [[end, callerOf], bodyOf]) => {
      const scene = await withInstaller(await createRightsScene(fleet));
      const [caller, body] = [callerOf(scene), bodyOf(scene)];
      const trail = async (): Promise<unknown> =>
        (
          await database()
            .db.selectFrom('auditEvent')
            .select('id')
            .where(
              'actor',
              'in',
              [scene.owner, scene.operator, scene.installer].map(({ id: one }) => `account:${one}`),
            )
            .execute()
        ).length;
      const before = await trail();
      const came: Promise<string>[] = [];
      await others.db.transaction().execute(async (trx) => {
        const operator = { kind: 'operator', accountId: null, plantIds: null } as const;
        const [ending, terms] = end(scene);
        const handlers = operationsOn(trx, clock, fleet.newId);
        await handlers[ending](operator, inputOf(ending, terms) as never);
        let over = 0;
        for (let i = 0; i < AT_ONCE; i++)
          came.push(
            fleet
              .wire(id, caller, body)
              .then(
                () => 'done',
                ({ code, message }: { code?: string; message: string }) => code ?? message,
              )
              .finally(() => (over += 1)),
          );
        await letThemCome(() => over === AT_ONCE);
      });
      const codes = [...new Set(await Promise.all(came))];
      expect(codes).toHaveLength(1);
      expect(REFUSALS).toContain(codes[0]);
      expect(await trail()).toBe(before);
    },
  );
});

/** How somebody learns that there is nothing for them. */
const REFUSALS = ['noPermission', 'notAuthenticated', 'deviceUnknown', 'collectorUnknown'];
