import { hasDoor, operations, type Door, type OperationId } from '@helioport/contract';
import { beforeAll, expect, test } from 'vitest';
import type { Caller } from '../../packages/server/src/identity/accounts/caller.ts';
import {
  insertSession,
  listSessions,
} from '../../packages/server/src/identity/accounts/sessions.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import {
  foundCompany,
  lockManaged,
} from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { inviteToCompany } from '../../packages/server/src/fleet/plants/companies/invitations.ts';
import { joinCompany } from '../../packages/server/src/fleet/plants/companies/members.ts';
import { givePlants } from '../../packages/server/src/fleet/plants/companies/giving.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { insertApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import {
  checkStrategy,
  insertStrategy,
} from '../../packages/server/src/control/strategies/create.ts';
import { createFleet } from '../operations/fleet.ts';
import { plantOperations } from '../operations/plant-operations.ts';
import { SCENE_NOW } from '../operations/scene.ts';
import { credentials } from '../support/credentials.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, settableClock, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';

/** What each operation may be asked about; made anew for each question. */
interface Place {
  readonly owner: string;
  readonly ownerEmail: string;
  readonly otherEmail: string;
  readonly plantId: string;
  readonly deviceId: string;
  readonly sn: string;
  readonly collector: string;
  readonly free: string;
  readonly keyId: string;
  readonly session: string;
  readonly grantId: string;
  readonly application: string;
  /** client_id of the application, which is the owner's and waits. */
  readonly clientId: string;
  /** Invitations that the owner has sent and received. */
  readonly sent: string;
  readonly received: string;
  /** The owner manages a company, to which the plant is shared; somebody else in it, and an invitation of a third. */
  readonly colleagueEmail: string;
  readonly companyId: string;
  readonly companyInvitation: string;
  /** A command that waits for the inverter. */
  readonly command: string;
  /** A strategy for the inverter, not dispatched. */
  readonly strategy: string;
  /** A serial number that the collector has reported. */
  readonly waiting: string;
  /** The application's id, and a destination of it. */
  readonly applicationId: string;
  readonly destination: string;
}

/** How an operation is asked, and what an owner's stranger is answered by the doors of people: a refusal's code, or 'own' where it is about one's own. */
type Row = readonly [request: (place: Place) => Record<string, unknown>, stranger: string];

const SOON = Date.parse(SCENE_NOW) + 3_600_000;
const LIMITED = [
  { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1 } },
] as const;

const anything = (): Record<string, unknown> => ({});
const notThePassword = (): Record<string, unknown> => ({ password: 'not the password' });

/** Every operation that the access matrix of plants does not ask; one without a row fails. */
const rows: { readonly [id: string]: Row } = {
  'invitation/list': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'invitation/open': [anything, 'own'],
  'invitation/accept': [({ received }) => ({ id: received }), 'noPermission'],
  'invitation/decline': [({ received }) => ({ id: received }), 'noPermission'],
  'invitation/withdraw': [({ sent }) => ({ id: sent }), 'noPermission'],
  'share/list': [({ plantId }) => ({ plantId }), 'noPermission'],
  'share/give': [({ plantId, otherEmail }) => ({ plantId, email: otherEmail }), 'noPermission'],
  'share/withdraw': [({ plantId }) => ({ plantId, email: 'guest@example.com' }), 'noPermission'],
  // test/companies/companies.test.ts: what people in a company may.
  'company/show': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'company/found': [() => ({ name: 'Sun & Sons' }), 'own'],
  'company/rename': [() => ({ name: 'Taken over' }), 'noPermission'],
  'company/logo': [anything, 'noPermission'],
  'company/invite': [() => ({ email: 'guest@example.com' }), 'noPermission'],
  'company/accept': [({ companyInvitation }) => ({ id: companyInvitation }), 'noPermission'],
  'company/decline': [({ companyInvitation }) => ({ id: companyInvitation }), 'noPermission'],
  'company/withdraw': [({ companyInvitation }) => ({ id: companyInvitation }), 'noPermission'],
  'company/role': [
    ({ colleagueEmail }) => ({ email: colleagueEmail, role: 'manager' }),
    'noPermission',
  ],
  'company/remove': [({ colleagueEmail }) => ({ email: colleagueEmail }), 'noPermission'],
  'company/dissolve': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'company/give': [({ plantId }) => ({ plantIds: [plantId] }), 'noPermission'],
  'company/end': [({ plantId, companyId }) => ({ plantId, companyId }), 'noPermission'],
  'company/plants': [anything, 'noPermission'],
  'company/list': [anything, 'noPermission'],
  'tariff/list': [({ plantId }) => ({ plantId }), 'noPermission'],
  'tariff/set': [({ plantId }) => ({ plantId, use: 'import', pricePerKwh: 0.3 }), 'noPermission'],
  'tariff/remove': [
    ({ plantId }) => ({ plantId, use: 'production', from: 'beginning' }),
    'noPermission',
  ],
  'plant/recalculate': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/edit': [({ plantId }) => ({ plantId, name: 'Taken over' }), 'noPermission'],
  'plant/transfer': [({ plantId, otherEmail }) => ({ plantId, owner: otherEmail }), 'noPermission'],
  'plant/add': [
    ({ ownerEmail }) => ({ owner: ownerEmail, name: 'New', capacityKwp: 1 }),
    'noPermission',
  ],
  'plant/list': [anything, 'noPermission'],
  'plant/offer': [({ plantId, otherEmail }) => ({ plantId, email: otherEmail }), 'noPermission'],
  'plant/restore': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/archived': [anything, 'own'],
  'plant/zone': [() => ({ latitude: 52.5, longitude: 13.4 }), 'own'],
  'plant/overview': [anything, 'own'],
  'plant/ranking': [anything, 'own'],
  'plant/positions': [anything, 'own'],
  'plant/curves': [({ plantId }) => ({ plantIds: plantId }), 'own'],
  'plant/yearBefore': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/ended': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/arrays': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/setArrays': [({ plantId }) => ({ plantId, arrays: [] }), 'noPermission'],
  'device/show': [({ deviceId }) => ({ id: deviceId }), 'noPermission'],
  'plant/show': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/day': [({ plantId }) => ({ plantId }), 'noPermission'],
  'plant/energy': [({ plantId }) => ({ plantId, each: 'year' }), 'noPermission'],
  'device/day': [({ deviceId }) => ({ id: deviceId }), 'noPermission'],
  'device/ranking': [({ plantId }) => ({ plantId }), 'noPermission'],
  'device/list': [anything, 'noPermission'],
  'device/add': [({ plantId, free }) => ({ plantId, kind: 'inverter', sn: free }), 'noPermission'],
  'discovery/list': [({ plantId }) => ({ plantId }), 'noPermission'],
  'device/edit': [({ plantId, sn }) => ({ plantId, sn, name: 'Garage' }), 'noPermission'],
  'device/replace': [({ plantId, sn, waiting }) => ({ plantId, sn, by: waiting }), 'noPermission'],
  'discovery/bind': [({ waiting }) => ({ sn: waiting }), 'noPermission'],
  'device/move': [({ plantId, sn }) => ({ plantId, sn }), 'noPermission'],
  'collector/list': [anything, 'noPermission'],
  'collector/show': [({ collector }) => ({ sn: collector }), 'noPermission'],
  'collector/add': [({ plantId, free }) => ({ plantId, sn: `${free}-C` }), 'noPermission'],
  'collector/create': [({ plantId }) => ({ plantId }), 'noPermission'],
  'collector/replaceToken': [
    ({ plantId, collector }) => ({ plantId, sn: collector }),
    'noPermission',
  ],
  'collector/rotate': [({ collector }) => ({ sn: collector }), 'noPermission'],
  'collector/revoke': [({ collector }) => ({ sn: collector }), 'noPermission'],
  'user/resetFactors': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'user/resetLink': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'user/role': [({ ownerEmail }) => ({ email: ownerEmail, role: 'installer' }), 'noPermission'],
  'factor/list': [anything, 'own'],
  'totp/begin': [notThePassword, 'own'],
  'totp/confirm': [() => ({ code: '000000' }), 'own'],
  'totp/remove': [notThePassword, 'own'],
  'recovery/renew': [notThePassword, 'own'],
  'passkey/begin': [notThePassword, 'own'],
  'passkey/add': [() => ({ name: 'Phone', response: '{}' }), 'own'],
  'passkey/rename': [() => ({ id: '1300386381676644900', name: 'Phone' }), 'noPermission'],
  'passkey/remove': [() => ({ id: '1300386381676644900', ...notThePassword() }), 'own'],
  'support/allow': [anything, 'own'],
  'support/end': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'support/list': [anything, 'own'],
  'support/open': [anything, 'noPermission'],
  'session/list': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'session/end': [({ session }) => ({ id: session }), 'noPermission'],
  'session/endOthers': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'key/create': [
    ({ ownerEmail }) => ({ email: ownerEmail, password: 'meadow lane in june' }),
    'noPermission',
  ],
  'key/list': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'key/disable': [({ keyId }) => ({ keyId }), 'noPermission'],
  'grant/list': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'grant/activity': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'grant/uses': [({ grantId }) => ({ id: grantId }), 'noPermission'],
  'grant/narrow': [
    ({ grantId, plantId }) => ({ id: grantId, plantIds: [plantId] }),
    'noPermission',
  ],
  'grant/revoke': [({ grantId }) => ({ id: grantId }), 'noPermission'],
  'user/add': [({ free }) => ({ email: `${free}@example.com` }), 'noPermission'],
  'user/list': [anything, 'noPermission'],
  'user/disable': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'user/enable': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'user/password': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'user/events': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'account/language': [() => ({ language: 'de' }), 'own'],
  'account/timeZone': [() => ({ timeZone: 'Europe/Madrid' }), 'own'],
  'account/closing': [anything, 'own'],
  'account/close': [notThePassword, 'own'],
  'user/close': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'user/reopen': [({ ownerEmail }) => ({ email: ownerEmail }), 'noPermission'],
  'password/change': [
    () => ({ password: 'not the password', newPassword: 'meadow lane in july' }),
    'own',
  ],
  'export/start': [anything, 'own'],
  'export/list': [anything, 'own'],
  'export/cancel': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'application/create': [
    ({ free }) => ({ name: `App ${free}`, redirectUri: 'https://app.example/callback' }),
    'noPermission',
  ],
  'application/list': [anything, 'noPermission'],
  'application/show': [({ application }) => ({ application }), 'noPermission'],
  'application/approve': [({ application }) => ({ application }), 'noPermission'],
  'application/reject': [({ application }) => ({ application }), 'noPermission'],
  'application/disable': [({ application }) => ({ application }), 'noPermission'],
  'application/enable': [({ application }) => ({ application }), 'noPermission'],
  'application/change': [
    ({ application }) => ({ application, challengeRequired: 1 }),
    'noPermission',
  ],
  'application/rotateSecret': [({ application }) => ({ application }), 'noPermission'],
  'application/errors': [({ application }) => ({ application }), 'noPermission'],
  'developer/apply': [
    ({ free }) => ({
      name: `Applied ${free}`,
      purpose: 'Yields',
      redirectUri: 'https://app.example/callback',
      scopes: 'access_data',
    }),
    'own',
  ],
  'developer/amend': [({ clientId }) => ({ clientId, purpose: 'Taken over' }), 'noPermission'],
  'developer/withdraw': [({ clientId }) => ({ clientId }), 'noPermission'],
  'developer/list': [anything, 'own'],
  'developer/show': [({ clientId }) => ({ clientId }), 'noPermission'],
  'developer/addDestination': [
    ({ clientId }) => ({ clientId, url: 'https://93.184.215.14/e', ...notThePassword() }),
    'noPermission',
  ],
  'developer/rotateSecret': [({ clientId }) => ({ clientId, ...notThePassword() }), 'noPermission'],
  'developer/endSecret': [({ clientId }) => ({ clientId, secretId: '1' }), 'noPermission'],
  'developer/errors': [({ clientId }) => ({ clientId }), 'noPermission'],
  // test/forwarding/destinations.test.ts: what an application sees of another's; developers.test.ts: what its developer may do.
  'forwarding/add': [
    ({ application }) => ({ application, url: 'https://93.184.215.14/events' }),
    'noPermission',
  ],
  'forwarding/list': [({ application }) => ({ application }), 'invalidValue'],
  'forwarding/show': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/test': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/pause': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/resume': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/remove': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/rotate': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/replay': [
    ({ destination }) => ({ id: destination, deviceSn: 'SN-1' }),
    'noPermission',
  ],
  'forwarding/snapshot': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/deadLetters': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/gaps': [({ destination }) => ({ id: destination }), 'noPermission'],
  'forwarding/tail': [({ destination }) => ({ id: destination }), 'noPermission'],
  // About one's own account, for a person who is signed in; test/notifications says what is refused.
  'notifications/settings': [anything, 'own'],
  'notifications/set': [anything, 'own'],
  'notifications/test': [anything, 'own'],
  'notifications/week': [anything, 'own'],
  'plant/report': [({ plantId }) => ({ plantId }), 'noPermission'],
  'push/subscribe': [() => operations['push/subscribe'].example.request, 'own'],
  'push/list': [anything, 'own'],
  'push/remove': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'webhook/add': [() => ({ url: 'https://93.184.215.14/alarms' }), 'own'],
  'webhook/list': [anything, 'own'],
  'webhook/rotate': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'webhook/remove': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'service/accounts': [anything, 'noPermission'],
  'service/collectors': [anything, 'noPermission'],
  'service/health': [anything, 'noPermission'],
  'service/trail': [anything, 'noPermission'],
  'quantity/list': [anything, 'own'],
  control: [({ sn }) => ({ inverterSn: sn, cid: '157', value: '20' }), 'deviceUnknown'],
  atRead: [({ sn }) => ({ inverterSn: sn, cid: '157' }), 'deviceUnknown'],
  atReadBatch: [({ sn }) => ({ inverterSn: sn, cids: '157,158' }), 'deviceUnknown'],
  atReadSAPN: [({ sn }) => ({ inverterSn: sn, cid: '157' }), 'deviceUnknown'],
  login: [({ ownerEmail }) => ({ userInfo: ownerEmail, passWord: '0'.repeat(32) }), 'wrongLogin'],
  result: [({ command }) => ({ orderId: command }), 'deviceUnknown'],
  'command/send': [({ sn }) => ({ sn, cid: '158', value: '20' }), 'deviceUnknown'],
  'command/list': [({ sn }) => ({ sn }), 'noPermission'],
  'command/show': [({ command }) => ({ id: command }), 'noPermission'],
  'command/cancel': [({ command }) => ({ id: command }), 'noPermission'],
  'command/undo': [({ sn }) => ({ sn }), 'deviceUnknown'],
  'command/byOthers': [({ plantId }) => ({ plantId }), 'noPermission'],
  'command/seen': [({ command }) => ({ id: command }), 'noPermission'],
  'command/parameters': [({ sn }) => ({ sn }), 'noPermission'],
  'control/stop': [({ plantId }) => ({ plantId }), 'noPermission'],
  'control/release': [({ plantId }) => ({ plantId }), 'noPermission'],
  'control/powerLimits': [({ plantId }) => ({ plantId }), 'noPermission'],
  'control/state': [({ plantId }) => ({ plantId }), 'noPermission'],
  'strategy/create': [
    ({ sn, free }) => ({ reference: free, name: 'Evening', sn, end: SOON, intervals: LIMITED }),
    'noPermission',
  ],
  'strategy/validate': [
    ({ sn, free }) => ({ reference: free, name: 'Evening', sn, end: SOON, intervals: LIMITED }),
    'noPermission',
  ],
  'strategy/dispatch': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/list': [({ plantId }) => ({ plantId }), 'noPermission'],
  'strategy/detail': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/delivery': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/amend': [({ strategy }) => ({ id: strategy, end: SOON }), 'noPermission'],
  'strategy/heartbeat': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/cancel': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/resume': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/stop': [({ strategy }) => ({ id: strategy }), 'noPermission'],
  'strategy/limits': [({ plantId }) => ({ plantId }), 'noPermission'],
  'strategy/setLimits': [({ plantId }) => ({ plantId, reserveSocPercent: 30 }), 'noPermission'],
  'alarm/list': [({ plantId }) => ({ plantId }), 'noPermission'],
  'alarm/process': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'alarm/reopen': [() => ({ id: '1300000000000000009' }), 'noPermission'],
  'alarm/note': [() => ({ id: '1300000000000000009', note: 'Fuse ordered' }), 'noPermission'],
};

const asked = new Set<string>(plantOperations.map(({ id }) => id));
const all = Object.values(operations);

test('every operation has rows: in the access matrix of plants, or here', () => {
  expect(all.map(({ id }) => id as string).filter((id) => !asked.has(id) && !(id in rows))).toEqual(
    [],
  );
  expect(Object.keys(rows).filter((id) => !(id in operations))).toEqual([]);
});

describeEngines('operations about accounts, and those of the operator', (database) => {
  const clock = settableClock(SCENE_NOW);
  const fleet = createFleet(database, clock);

  const place = async (): Promise<Place> => {
    const [owner, other, colleague] = [
      await fleet.person(),
      await fleet.person(),
      await fleet.person(),
    ];
    const plantId = await fleet.plant(owner.id, { pricePerKwh: 0.1 });
    const elsewhere = await fleet.plant(other.id);
    const { id: deviceId, sn } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
    const collector = fleet.uniqueSn('COL');
    const free = fleet.uniqueSn('FREE');
    const { keyId } = await addKey(fleet, { accountId: owner.id });
    return fleet.write(async (trx) => {
      const act = fleet.act();
      const { id: collectorId } = await insertCollector(trx, act, { sn: collector });
      await bindDevice(trx, act, collectorId, plantId);
      await rememberRefusals(trx, collectorId, [{ sn: `${free}-W`, reason: 'unknown' }], act.at);
      const requester: Caller = { kind: 'operator', accountId: null, plantIds: null };
      const wanted = {
        deviceId,
        plantId,
        parameter: '157',
        value: '20',
        expiresAt: clock.at + 300_000,
      };
      const [command] = await queueCommands(trx, act, requester, [wanted]);
      const { application } = await insertApplication(trx, act, {
        name: `Yield ${free}`,
        redirectUri: 'https://app.example/cb',
        scopes: ['access_data'],
        ownerId: owner.id,
      });
      const url = 'https://192.0.2.1/events';
      const destination = await insertDestination(
        trx,
        act,
        await credentials.secretBox(),
        application,
        { ...settingPartsOf({ url }), url },
      );
      await insertSession(trx, act, {
        accountId: owner.id,
        entrance: 'portal',
        freshFor: null,
        userAgent: null,
      });
      const [session] = await listSessions(trx, act.at, owner.id);
      const grantId = await recordConsent(trx, act, {
        accountId: owner.id,
        applicationId: application.id,
        asked: 1,
        approved: 1,
        plantIds: null,
      });
      const sent = await invite(trx, act, {
        plantId,
        fromAccountId: owner.id,
        to: { email: `guest-${free.toLowerCase()}@example.com` },
        kind: 'share',
        level: 'read',
      });
      const received = await invite(trx, act, {
        plantId: elsewhere,
        fromAccountId: other.id,
        to: { accountId: owner.id },
        kind: 'share',
        level: 'read',
      });
      const companyId = await foundCompany(trx, act, owner.id, 'Sun & Sons');
      await joinCompany(trx, act, { accountId: colleague.id, companyId, role: 'member' }, owner.id);
      const membership = await lockManaged(trx, owner.id);
      const companyInvitation = await inviteToCompany(
        trx,
        act,
        membership,
        `third-${free.toLowerCase()}@example.com`,
        'member',
      );
      await givePlants(trx, act, { ...membership, level: 'control', plantIds: [plantId] });
      const applicant = applicationCaller(owner.id, { applicationId: application.id, grantId });
      const about = {
        reference: free,
        name: 'Evening',
        serialNumbers: [sn],
        end: SOON,
        intervals: LIMITED,
      };
      const { id: strategy } = await insertStrategy(
        trx,
        act,
        applicant,
        about,
        await checkStrategy(trx, applicant, about, clock.at),
      );
      const names = {
        strategy,
        ownerEmail: owner.email,
        otherEmail: other.email,
        application: application.name,
      };
      return {
        owner: owner.id,
        plantId,
        deviceId,
        sn,
        collector,
        free,
        keyId,
        session: session!.id,
        grantId,
        sent,
        received,
        colleagueEmail: colleague.email,
        companyId,
        companyInvitation,
        command: command!,
        waiting: `${free}-W`,
        applicationId: application.id,
        clientId: application.clientId,
        destination,
        ...names,
      };
    });
  };

  const codeOf = (
    id: OperationId,
    caller: Caller,
    request: Record<string, unknown>,
  ): Promise<string> =>
    fleet.ask(id, caller, request).then(
      () => 'done',
      (error: unknown) => (error as { code?: string }).code ?? String(error),
    );

  /** For what is refused: it changes nothing. */
  let here: Place;
  beforeAll(async () => {
    here = await place();
  });

  const doors: readonly Door[] = [
    'signed',
    'portal',
    'oauth',
    'client',
    'console',
    'support',
    'operator',
  ];
  const callerBy = (door: Door, accountId: string): Caller => {
    if (door === 'operator') return { kind: 'operator', accountId: null, plantIds: null };
    if (door === 'console')
      return {
        kind: 'console',
        operatorId: accountId,
        sessionId: '1300000000000000003',
        accountId: null,
        plantIds: null,
        address: '192.0.2.1',
      };
    if (door === 'support')
      return userCaller(accountId, { supporterId: '1300000000000000002', canControl: false });
    if (door === 'client')
      return {
        kind: 'client',
        applicationId: here.applicationId,
        secretId: '1300000000000000004',
        accountId: null,
        plantIds: null,
      };
    return door === 'oauth'
      ? applicationCaller(accountId)
      : userCaller(accountId, { keyId: door === 'signed' ? '1300000000000000001' : null });
  };

  test.each(all.map(({ id }) => id))(
    '%s is closed at every door that it does not have, no matter who asks',
    async (id) => {
      for (const door of doors.filter((one) => !hasDoor(operations[id], one))) {
        const request = id in rows ? rows[id]![0](here) : operations[id].example.request;
        expect([id, door, await codeOf(id, callerBy(door, here.owner), request)]).toEqual([
          id,
          door,
          'noPermission',
        ]);
      }
    },
  );

  test.each(Object.entries(rows))(
    '%s tells a stranger nothing, and a foreign thing is like an unknown one',
    async (id, [request, stranger]) => {
      for (const door of (['signed', 'portal'] as const).filter((one) =>
        hasDoor(operations[id as OperationId], one),
      )) {
        if (stranger === 'own') continue;
        const { id: nobody } = await fleet.person();
        expect([
          id,
          door,
          await codeOf(id as OperationId, callerBy(door, nobody), request(here)),
        ]).toEqual([id, door, stranger]);
      }
    },
  );

  // Their own tests say what becomes of these.
  const elsewhere = new Set(['alarm/process', 'share/withdraw', 'device/move', 'command/undo']);

  test.each(
    Object.entries(rows).filter(
      ([id]) => hasDoor(operations[id as OperationId], 'operator') && !elsewhere.has(id),
    ),
  )('%s is done by the operator about anybody’s things', async (id, [request]) => {
    expect(await codeOf(id as OperationId, callerBy('operator', ''), request(await place()))).toBe(
      'done',
    );
  });

  test.each([
    'invitation/list',
    'invitation/accept',
    'invitation/decline',
    'invitation/withdraw',
    'share/give',
    'company/show',
    'company/rename',
    'company/logo',
    'company/invite',
    'company/withdraw',
    'company/role',
    'company/remove',
    'company/dissolve',
    'company/give',
    'company/end',
    'company/plants',
    'plant/edit',
    'plant/arrays',
    'plant/setArrays',
    'session/list',
    'session/end',
    'session/endOthers',
    'key/list',
    'key/disable',
    'grant/narrow',
    'grant/revoke',
    'tariff/set',
    'command/send',
    'command/show',
    'command/cancel',
    'control/stop',
    'control/state',
    'command/parameters',
    'strategy/detail',
    'strategy/delivery',
    'strategy/stop',
    'strategy/setLimits',
    'command/byOthers',
    'command/seen',
    'discovery/list',
    'discovery/bind',
    'device/edit',
    'developer/amend',
    'developer/show',
    'developer/errors',
  ])('%s is done by its owner', async (id) => {
    const fresh = await place();
    expect(
      await codeOf(id as OperationId, callerBy('portal', fresh.owner), rows[id]![0](fresh)),
    ).toBe('done');
  });
});
