import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { MODEL } from './scene.ts';
import { describeControl } from './wire.ts';

describeControl('reading by the meter id of a plant', (wire) => {
  const { home, callAs, database } = wire;
  let meters = 0;

  const metered = async () => {
    const here = await home();
    const nmiCode = `61026${String(++meters).padStart(6, '0')}`;
    await database()
      .db.updateTable('plant')
      .set({ nmiCode })
      .where('id', '=', here.plantId)
      .execute();
    return { ...here, nmiCode };
  };

  test('reads every inverter there, by both methods, one item for each parameter (C10)', async () => {
    const here = await metered();
    const second = await wire.device(here.plantId, { model: MODEL });
    await wire.write((trx) => assignCollector(trx, second.id, here.collectorId));
    const lone = await wire.device(here.plantId, { model: MODEL });
    const { access_token: token } = await wire.pair(here.ownerId);
    await wire.whileObeying(here, async () => {
      const body = { nmiCode: here.nmiCode, cid: '157,172,99999' };
      for (const { body: answer } of [
        await callAs(here.ownerId, 'atReadSAPN', body),
        await callAs(here.ownerId, 'atReadSAPN', body, '/v1/api/'),
        await wire.bear(token, 'atReadSAPN', body),
      ]) {
        expect(answer).toMatchObject({
          success: true,
          code: '0',
          time: expect.stringMatching(/^\d{13}$/),
        });
        const item = (sn: string, cid: string, more: object) => ({
          nmiCode: here.nmiCode,
          sn,
          cid,
          ...more,
        });
        const sendTime = expect.stringMatching(/^\d{13}$/);
        expect(answer.data).toEqual([
          ...[here.sn, second.sn].flatMap((sn) => [
            item(sn, '157', { code: 0, value: '30', sendTime }),
            item(sn, '172', { code: 'B0600', value: '', sendTime }),
            item(sn, '99999', { code: 'B0600', value: '' }),
          ]),
          ...['157', '172', '99999'].map((cid) => item(lone.sn, cid, { code: 'B0115', value: '' })),
        ]);
      }
      const named = { nmiCode: here.nmiCode, inverterSn: second.sn, cid: 157 };
      expect((await callAs(here.ownerId, 'atReadSAPN', named)).body.data).toMatchObject([
        { sn: second.sn, code: 0, value: '30' },
      ]);
      const bySerial = { inverterId: here.deviceId, cids: '157' };
      expect((await callAs(here.ownerId, 'atReadSAPN', bySerial)).body.data).toMatchObject([
        { nmiCode: here.nmiCode, sn: here.sn, code: 0 },
      ]);
    });
  });

  test('is B0115 if none can be reached, and B0124 alike for a foreign, an unknown and an empty plant, and one that the inverter is not in', async () => {
    const [here, there] = [await metered(), await metered()];
    await database()
      .db.updateTable('device')
      .set({ collectorId: null })
      .where('id', '=', here.deviceId)
      .execute();
    expect(
      (await callAs(here.ownerId, 'atReadSAPN', { nmiCode: here.nmiCode, cid: '157' })).body,
    ).toMatchObject({ code: 'B0115', data: null });
    const empty = await wire.person();
    const nmiCode = '61026999999';
    await database()
      .db.updateTable('plant')
      .set({ nmiCode })
      .where('id', '=', await wire.plant(empty.id))
      .execute();
    const answers = [
      await callAs(here.ownerId, 'atReadSAPN', { nmiCode: there.nmiCode, cid: '157' }),
      await callAs(here.ownerId, 'atReadSAPN', { nmiCode: '61026888888', cid: '157' }),
      await callAs(here.ownerId, 'atReadSAPN', {
        nmiCode: here.nmiCode,
        inverterSn: there.sn,
        cid: '157',
      }),
      await callAs(there.ownerId, 'atReadSAPN', {
        nmiCode: here.nmiCode,
        inverterSn: there.sn,
        cid: '157',
      }),
      await callAs(empty.id, 'atReadSAPN', { nmiCode, cid: '157' }),
    ];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]).toMatchObject({ status: 200, body: { success: false, code: 'B0124' } });
    const other = await wire.plant(there.ownerId);
    const elsewhere = await wire.device(other, { model: MODEL });
    expect(
      await callAs(there.ownerId, 'atReadSAPN', {
        nmiCode: there.nmiCode,
        inverterSn: elsewhere.sn,
        cid: '157',
      }),
    ).toEqual(answers[0]);
    const reader = await wire.key({ accountId: here.ownerId, canControl: false });
    expect(
      (await wire.call(reader, 'atReadSAPN', { nmiCode: here.nmiCode, cid: '157' })).body.code,
    ).toBe('R0000');
  });

  test('takes a plant of at most a hundred inverters, and says so', async () => {
    const here = await metered();
    for (let i = 0; i < 99; i++) await wire.device(here.plantId, { model: MODEL });
    const ask = () => callAs(here.ownerId, 'atReadSAPN', { nmiCode: here.nmiCode, cid: '157' });
    await wire.whileObeying(here, async () => {
      expect((await ask()).body.data.length).toBe(100);
    });
    await wire.device(here.plantId, { model: MODEL });
    expect((await ask()).body).toMatchObject({ code: 'H0001', data: { field: 'nmiCode' } });
    expect(
      (await callAs(here.ownerId, 'atReadSAPN', { nmiCode: here.nmiCode })).body,
    ).toMatchObject({ code: 'I0000', data: { field: 'cid' } });
    expect((await callAs(here.ownerId, 'atReadSAPN', { cid: '157' })).body).toMatchObject({
      code: 'I0000',
      data: { field: 'nmiCode' },
    });
  });
});
