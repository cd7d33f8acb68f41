import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import type {
  ApplicationCaller,
  ClientCaller,
  ConsoleCaller,
} from '../../packages/server/src/identity/accounts/caller.ts';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { listClientSecrets } from '../../packages/server/src/identity/oauth/client-secrets.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import {
  insertSession,
  listSessions,
} from '../../packages/server/src/identity/accounts/sessions.ts';
import { addApp } from '../accounts/factors/fixture.ts';
import { addClient } from '../oauth/fixture.ts';
import type { createFleet } from '../operations/fleet.ts';
import { credentials } from '../support/credentials.ts';
import { userCaller } from '../support/world.ts';

/** An owner with all that somebody can have, who also manages a company and develops the application that they have authorized. */
export interface Scene {
  readonly owner: Account;
  readonly buyer: Account;
  readonly colleague: Account;
  readonly operator: Account;
  readonly plantId: string;
  readonly elsewhere: string;
  readonly deviceId: string;
  readonly sn: string;
  readonly collector: string;
  readonly waiting: string;
  readonly free: string;
  readonly alarm: string;
  readonly command: string;
  readonly companyId: string;
  readonly companyInvitation: string;
  readonly companyOffer: string;
  readonly sent: string;
  readonly received: string;
  readonly grantId: string;
  readonly application: ApplicationCaller;
  /** The same application with its own credentials. */
  readonly client: ClientCaller;
  /** The operator, with a session and a second factor. */
  readonly console: ConsoleCaller;
  readonly clientId: string;
  readonly destination: string;
  readonly strategy: string;
}

export const LIMITED = [
  { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1 } },
] as const;

export const HOUR_MS = 3_600_000;

async function consoleOf(
  fleet: ReturnType<typeof createFleet>,
  { id: operatorId }: Account,
): Promise<ConsoleCaller> {
  await addApp(fleet, fleet.db(), operatorId);
  const begun = {
    accountId: operatorId,
    entrance: 'portal',
    freshFor: null,
    userAgent: null,
  } as const;
  await fleet.write((trx) => insertSession(trx, fleet.act(), begun));
  const [session] = await listSessions(fleet.db(), fleet.clock.now(), operatorId);
  return {
    kind: 'console',
    operatorId,
    sessionId: session!.id,
    accountId: null,
    plantIds: null,
    address: '192.0.2.1',
  };
}

export async function createRightsScene(fleet: ReturnType<typeof createFleet>): Promise<Scene> {
  const { clock, write, act } = fleet;
  const [owner, buyer, colleague, boss, operator] = [
    await fleet.person(),
    await fleet.person(),
    await fleet.person(),
    await fleet.person(),
    await fleet.person({ role: 'operator' }),
  ];
  const as = userCaller(owner.id);
  const [plantId, elsewhere] = [await fleet.plant(owner.id), await fleet.plant(buyer.id)];
  const { id: deviceId, sn } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
  const [collector, free] = [fleet.uniqueSn('COL'), (await fleet.device(null)).sn];
  const waiting = `${free}-W`;
  const { application: developed } = await addClient(fleet, { ownerId: owner.id });
  const made = await write(async (trx) => {
    const { id: collectorId } = await insertCollector(trx, act(), { sn: collector });
    await bindDevice(trx, act(), collectorId, plantId);
    await assignCollector(trx, deviceId, collectorId);
    await rememberRefusals(trx, collectorId, [{ sn: waiting, reason: 'unknown' }], act().at);
    const raise = { code: 'TEST1', level: 2, message: 'test', beginAt: clock.now() } as const;
    await changeAlarms(trx, { now: clock.now(), newId: fleet.newId }, deviceId, [{ raise }]);
    const url = 'https://192.0.2.1/events';
    const box = await credentials.secretBox();
    const about = { ...settingPartsOf({ url }), url };
    const destination = await insertDestination(trx, act(), box, developed, about);
    const { id: applicationId, redirectUri } = developed;
    const consent = { accountId: owner.id, applicationId, asked: 3, approved: 3, plantIds: null };
    const grantId = await recordConsent(trx, act(), consent);
    const approval = { grantId, applicationId, accountId: owner.id, scopes: 3, redirectUri };
    await issueCode(trx, clock.now(), { codeMs: HOUR_MS }, { ...approval, challenge: '' });
    return { destination, grantId };
  });
  const [secret] = await listClientSecrets(fleet.db(), developed.id);
  const client: ClientCaller = {
    kind: 'client',
    applicationId: developed.id,
    secretId: secret!.id,
    accountId: null,
    plantIds: null,
  };
  const application: ApplicationCaller = {
    kind: 'application',
    applicationId: developed.id,
    grantId: made.grantId,
    tokenFamily: null,
    accountId: owner.id,
    scopes: ['access_data', 'control_device'],
    plantIds: null,
  };
  const { records } = await fleet.wire('alarmList', as, { stationId: plantId });
  const sent = await fleet.wire('share/give', as, { plantId, email: (await fleet.person()).email });
  const received = await fleet.wire('share/give', userCaller(buyer.id), {
    plantId: elsewhere,
    email: owner.email,
  });
  const { id: companyId } = await fleet.wire('company/found', as, { name: 'Sun & Sons' });
  const joining = await fleet.wire('company/invite', as, {
    email: colleague.email,
    role: 'manager',
  });
  await fleet.wire('company/accept', userCaller(colleague.id), { id: joining.invitationId });
  const third = await fleet.wire('company/invite', as, {
    email: (await fleet.person()).email,
  });
  await fleet.wire('company/found', userCaller(boss.id), { name: 'Rain & Daughters' });
  const offer = await fleet.wire('company/invite', userCaller(boss.id), { email: owner.email });
  const command = await fleet.wire('command/send', as, { sn, cid: '158', value: '20' });
  const strategy = await fleet.wire('strategy/create', application, {
    reference: free,
    name: 'Evening',
    sn,
    end: clock.now() + HOUR_MS,
    intervals: LIMITED,
  });
  return {
    owner,
    buyer,
    colleague,
    operator,
    plantId,
    elsewhere,
    deviceId,
    sn,
    collector,
    waiting,
    free,
    alarm: records[0].id,
    command: command.id,
    companyId,
    companyInvitation: third.invitationId,
    companyOffer: offer.invitationId,
    sent: sent.invitationId,
    received: received.invitationId,
    grantId: made.grantId,
    application,
    client,
    console: await consoleOf(fleet, operator),
    clientId: developed.clientId,
    destination: made.destination,
    strategy: strategy.id,
  };
}
