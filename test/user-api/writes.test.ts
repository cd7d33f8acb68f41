import { operations, operationsBy } from '@helioport/contract';
import { expect, test } from 'vitest';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { turnOnline } from '../../packages/server/src/fleet/devices/states.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, createWorld, settableClock, userCaller } from '../support/world.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import {
  checkStrategy,
  insertStrategy,
} from '../../packages/server/src/control/strategies/create.ts';
import { addClient } from '../oauth/fixture.ts';
import { addKey, signed, startUserApi } from './fixture.ts';
import { invite, type Invitee } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { operationsOn } from '../support/operations.ts';

interface Scene {
  plantId: string;
  standing: { sn: string };
  loose: { sn: string };
  collector: { sn: string };
  /** Ids of invitations. */
  sent: string;
  received: string;
  /** A command that waits. */
  command: string;
  /** A strategy for the inverter, not dispatched. */
  strategy: string;
  /** A serial number that the collector has reported, and that nobody has bound. */
  reported: string;
}

const plant = { stationName: 'New', capacity: 5, money: 'EUR', addr: 'Here 1', price: 0.1 };

/** A body with which each write succeeds once. */
const bodies: Record<string, (scene: Scene) => unknown> = {
  addStation: () => plant,
  addStationBindCollector: () => plant,
  stationUpdate: ({ plantId }) => ({ ...plant, id: plantId }),
  addDevice: ({ plantId, loose }) => ({ id: plantId, sn: loose.sn }),
  delCollector: ({ collector }) => ({ sn: collector.sn }),
  unbindDevice: ({ standing }) => ({ sn: standing.sn }),
  archiveStation: ({ plantId }) => ({ id: plantId }),
  control: ({ standing }) => ({ inverterSn: standing.sn, cid: '158', value: '20' }),
  'command/send': ({ standing }) => ({ sn: standing.sn, cid: '158', value: '20' }),
  'command/cancel': ({ command }) => ({ id: command }),
  'command/seen': ({ command }) => ({ id: command }),
  'command/undo': ({ standing }) => ({ sn: standing.sn }),
  'control/stop': ({ plantId }) => ({ plantId }),
  'control/release': ({ plantId }) => ({ plantId }),
  'strategy/resume': ({ strategy }) => ({ id: strategy }),
  'strategy/stop': ({ strategy }) => ({ id: strategy }),
  'strategy/setLimits': ({ plantId }) => ({ plantId, reserveSocPercent: 30 }),
  'discovery/bind': ({ reported }) => ({ sn: reported }),
  'invitation/accept': ({ received }) => ({ id: received }),
  'invitation/decline': ({ received }) => ({ id: received }),
  'invitation/withdraw': ({ sent }) => ({ id: sent }),
};

describeEngines('S19: of the operations', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  const writes = operationsBy('signed').filter(({ write }) => write);

  test('every one that writes is tried here', () => {
    expect(writes.map(({ id }) => id).toSorted()).toEqual(Object.keys(bodies).toSorted());
  });

  test.each(writes.map(({ id }) => id))('%s counts once per signed request', async (id) => {
    const { db } = database();
    const handlers = operationsOn(db, clock, world.newId);
    const api = await startUserApi({ db }, clock, {
      operations: Object.values(operations),
      handlers,
    });
    const key = await addKey(world);
    const plantId = await world.plant(key.accountId);
    const collector = { sn: world.uniqueSn('COL') };
    const standing = await world.device(plantId, { model: 'SIM-8K-ES' });
    const reported = world.uniqueSn();
    const command = await world.write(async (trx) => {
      const { id: collectorId } = await insertCollector(trx, world.act(), collector);
      await rememberRefusals(trx, collectorId, [{ sn: reported, reason: 'unknown' }], clock.at);
      await bindDevice(trx, world.act(), collectorId, plantId);
      await assignCollector(trx, standing.id, collectorId);
      await turnOnline(trx, [collectorId], clock.at);
      const wanted = { deviceId: standing.id, plantId, value: '20', expiresAt: clock.at + 300_000 };
      const about = ['160', '157'].map((parameter) => ({ ...wanted, parameter }));
      const [done, waiting] = await queueCommands(
        trx,
        world.act(),
        userCaller(key.accountId),
        about,
      );
      const change = {
        state: 'verified',
        oldValue: '30',
        sentAt: clock.at,
        endedAt: clock.at,
      } as const;
      await trx.updateTable('command').set(change).where('id', '=', done!).execute();
      return waiting!;
    });
    const { id: fromAccountId } = await world.person();
    const elsewhere = await world.plant(fromAccountId);
    const offer = (from: string, about: string, to: Invitee) =>
      world.write((trx) =>
        invite(trx, world.act(), {
          plantId: about,
          fromAccountId: from,
          to,
          kind: 'share',
          level: 'read',
        }),
      );
    const sent = await offer(key.accountId, plantId, { email: 'somebody@example.com' });
    const received = await offer(fromAccountId, elsewhere, { accountId: key.accountId });
    const { application } = await addClient(world);
    const consent = {
      accountId: key.accountId,
      applicationId: application.id,
      asked: 2,
      approved: 2,
      plantIds: null,
    };
    const strategy = await world.write(async (trx) => {
      const caller = applicationCaller(key.accountId, {
        applicationId: application.id,
        grantId: await recordConsent(trx, world.act(), consent),
      });
      const intervals = [
        { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1 } },
      ];
      const given = {
        reference: 'evening',
        name: 'Evening',
        serialNumbers: [standing.sn],
        end: clock.at + 3_600_000,
        intervals,
      };
      return (
        await insertStrategy(
          trx,
          world.act(),
          caller,
          given,
          await checkStrategy(trx, caller, given, clock.at),
        )
      ).id;
    });
    const scene = {
      plantId,
      strategy,
      sent,
      received,
      command,
      reported,
      standing,
      loose: await world.device(null),
      collector,
    };
    const request = signed({
      key,
      at: clock.at,
      path: `/v1/api/${id}`,
      body: JSON.stringify(bodies[id]!(scene)),
    });
    expect((await api.send(request)).body).toMatchObject({ success: true, code: '0' });
    const again = await api.send(request);
    expect([again.status, again.body.code]).toEqual([409, '409']);
    await api.close();
  });
});
