import { errorEnvelope, operations, type OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { disableAccount } from '../../packages/server/src/accounts/accounts.ts';
import type { Caller } from '../../packages/server/src/accounts/caller.ts';
import { Failure } from '../../packages/server/src/kernel/failure.ts';
import { archivePlant } from '../../packages/server/src/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import { applicationCaller, settableClock, userCaller } from '../support/world.ts';
import { createFleet } from './fleet.ts';

interface Scene {
  readonly owner: string;
  readonly ownerEmail: string;
  readonly other: string;
  readonly otherEmail: string;
  readonly plantId: string;
  readonly deviceId: string;
  readonly sn: string;
}

const UNKNOWN: Scene = { owner: '', ownerEmail: '', other: '', otherEmail: '', plantId: '1300000000000000001', deviceId: '1300000000000000002', sn: 'UNKNOWN' };

/** How each operation is asked about a plant or a device in it. A new operation without rows here fails the first test. */
const questions: Record<OperationId, readonly ((scene: Scene) => Record<string, unknown>)[]> = {
  userStationList: [() => ({}), ({ plantId }) => ({ idList: [plantId] })],
  stationDetail: [({ plantId }) => ({ id: plantId })],
  inverterList: [() => ({}), ({ sn }) => ({ snList: sn }), ({ plantId }) => ({ stationId: plantId })],
  inverterDetail: [({ sn }) => ({ sn }), ({ deviceId }) => ({ id: deviceId }), ({ deviceId, sn }) => ({ id: deviceId, sn })],
  inverterDay: [({ sn }) => ({ sn, time: '2026-06-01' }), ({ deviceId }) => ({ id: deviceId, time: '2026-06-01' })],
};

type Change = 'read' | 'control' | 'withdrawn' | 'archived' | 'disabled';

/** Who asks; whether the plant is open to that caller; what is changed before. */
const rows: [who: string, caller: (scene: Scene) => Caller, open: boolean, change?: Change][] = [
  ['its owner', ({ owner }) => userCaller(owner), true],
  ['its owner with a key for reading', ({ owner }) => userCaller(owner, { canControl: false }), true],
  ['its owner with a key for this plant', ({ owner, plantId }) => userCaller(owner, { plantIds: [plantId] }), true],
  ['its owner with a key for other plants', ({ owner }) => userCaller(owner, { plantIds: ['1300000000000000003'] }), false],
  ['another owner', ({ other }) => userCaller(other), false],
  ['another owner with a key that names it', ({ other, plantId }) => userCaller(other, { plantIds: [plantId] }), false],
  ['somebody it is shared with for reading', ({ other }) => userCaller(other), true, 'read'],
  ['somebody it is shared with for control', ({ other }) => userCaller(other), true, 'control'],
  ['somebody with a share and a key for other plants', ({ other }) => userCaller(other, { plantIds: ['1300000000000000003'] }), false, 'control'],
  ['somebody whose share was withdrawn', ({ other }) => userCaller(other), false, 'withdrawn'],
  ['the owner of an archived plant', ({ owner }) => userCaller(owner), false, 'archived'],
  ['a disabled owner', ({ owner }) => userCaller(owner), false, 'disabled'],
  ['an application with the owner’s full consent', ({ owner }) => applicationCaller(owner), true],
  ['an application with consent for this plant', ({ owner, plantId }) => applicationCaller(owner, { plantIds: [plantId] }), true],
  ['an application with consent for another plant', ({ owner }) => applicationCaller(owner, { plantIds: ['1300000000000000003'] }), false],
  ['an application of somebody it is shared with', ({ other }) => applicationCaller(other), false, 'control'],
];

describeEngines('who may ask what', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);

  const scene = async (change?: Change): Promise<Scene> => {
    const [owner, other] = [await fleet.person(), await fleet.person()];
    const plantId = await fleet.plant(owner.id);
    const { id: deviceId, sn } = await fleet.device(plantId);
    await fleet.report(sn, [['2026-06-01T11:55:00Z', { acPowerW: 1234, energyTotalKwh: 56 }]]);
    await fleet.write(async (trx) => {
      if (change === 'read' || change === 'control') await sharePlant(trx, fleet.act(), plantId, other.email, change);
      if (change === 'withdrawn') {
        await sharePlant(trx, fleet.act(), plantId, other.email, 'control');
        await unsharePlant(trx, fleet.act(), plantId, other.email);
      }
      if (change === 'archived') await archivePlant(trx, fleet.act(), plantId);
      if (change === 'disabled') await disableAccount(trx, fleet.act(), owner.id);
    });
    return { owner: owner.id, ownerEmail: owner.email, other: other.id, otherEmail: other.email, plantId, deviceId, sn };
  };

  /** The answer as bytes, whether it is one or a refusal. */
  const answer = async (id: OperationId, caller: Caller, body: Record<string, unknown>): Promise<string> => {
    try {
      return JSON.stringify(await fleet.wire(id, caller, body));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return JSON.stringify(errorEnvelope(error.code, error.message, error.data));
    }
  };

  test('every operation is asked', () => {
    expect(Object.keys(questions).toSorted()).toEqual(Object.keys(operations).toSorted());
  });

  test.each(rows)('%s: the answers tell of it: %#', async (_, callerOf, open, change) => {
    const here = await scene(change);
    const caller = callerOf(here);
    for (const [id, asked] of Object.entries(questions) as [OperationId, (typeof questions)[OperationId]][]) {
      for (const question of asked) {
        const given = await answer(id, caller, question(here));
        const tells = [here.plantId, here.deviceId, here.sn, '1234', '1.234'].some((trace) => given.includes(trace));
        expect({ id, body: question(here), tells }).toEqual({ id, body: question(here), tells: open });
        // A foreign thing and one that never was get the same answer, to the byte.
        if (!open) expect(given).toBe(await answer(id, caller, question(UNKNOWN)));
      }
    }
  });

  test('an application without the scope for data gets none', async () => {
    const here = await scene();
    const caller = applicationCaller(here.owner, { scopes: ['control_device'] });
    for (const id of Object.keys(questions) as OperationId[]) {
      expect(await answer(id, caller, questions[id][0]!(here))).toBe(JSON.stringify(errorEnvelope('noPermission')));
    }
  });

  test('id and serial number of two devices, or id and meter of two plants, are no device and no plant', async () => {
    const [here, there] = [await scene(), await scene()];
    const own = await fleet.device(here.plantId);
    const caller = userCaller(here.owner);
    for (const body of [
      { id: own.id, sn: here.sn },
      { id: there.deviceId, sn: here.sn },
      { id: here.deviceId, sn: there.sn },
    ]) {
      expect(await answer('inverterDetail', caller, body)).toBe(JSON.stringify(errorEnvelope('noPermission')));
    }
    const metered = await fleet.plant(here.owner, { nmiCode: 'NMI0000001' });
    expect(JSON.parse(await answer('stationDetail', caller, { nmiCode: 'NMI0000001' })).id).toBe(metered);
    expect(await answer('stationDetail', caller, { id: here.plantId, nmiCode: 'NMI0000001' })).toBe(JSON.stringify(errorEnvelope('noPermission')));
    expect(await answer('stationDetail', userCaller(there.owner), { nmiCode: 'NMI0000001' })).toBe(JSON.stringify(errorEnvelope('noPermission')));
  });
});
