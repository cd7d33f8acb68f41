import { expect, test } from 'vitest';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { describeControl } from './wire.ts';
import { MODEL } from './scene.ts';

describeControl('control and reading', (wire) => {
  const { home, callAs, bear, pair, whileObeying, database } = wire;
  const commandsOf = (deviceId: string) =>
    database()
      .db.selectFrom('command')
      .select(['state', 'action'])
      .where('deviceId', '=', deviceId)
      .execute();

  test('set a parameter and read it back unchanged, by both methods, in both spellings (C1, C8)', async () => {
    const here = await home();
    const { access_token: token } = await pair(here.ownerId);
    await whileObeying(here, async () => {
      let value = 40;
      for (const ask of [
        (id: 'control' | 'atRead', body: object) =>
          callAs(here.ownerId, id, { inverterSn: here.sn, cid: 157, ...body }, '/v2/api/'),
        (id: 'control' | 'atRead', body: object) =>
          callAs(here.ownerId, id, { inverterId: here.deviceId, cid: '157', ...body }, '/v1/api/'),
        (id: 'control' | 'atRead', body: object) =>
          bear(token, id, { inverterSn: here.sn, inverterId: here.deviceId, cid: '157', ...body }),
      ]) {
        const before = await ask('atRead', { language: '2' });
        expect(before.body).toMatchObject({
          success: true,
          code: '0',
          data: { yuanzhi: here.box.values['157'], needLoop: 'false' },
        });
        value += 1;
        const set = await ask('control', { value, yuanzhi: before.body.data.msg, language: '2' });
        expect(set.status).toBe(200);
        expect(set.body).toMatchObject({
          success: true,
          code: '0',
          time: expect.stringMatching(/^\d{13}$/),
          data: [{ code: 0, msg: expect.stringMatching(`^${here.sn} Time: 2026-`), sn: here.sn }],
        });
        const after = await ask('atRead', {});
        expect([after.body.data.msg, after.body.orderId]).toEqual([
          String(value),
          expect.stringMatching(/^\d{13}_\d{19}$/),
        ]);
      }
    });
    expect(here.box.writes).toEqual([
      ['157', '41'],
      ['157', '42'],
      ['157', '43'],
    ]);
  });

  test('set one parameter of several inverters; if one is foreign, unknown or does not take it, nothing is sent to any (C3)', async () => {
    const here = await home();
    const there = await home();
    const second = await wire.device(here.plantId, { model: MODEL });
    await wire.write((trx) => assignCollector(trx, second.id, here.collectorId));
    await whileObeying(here, async () => {
      const both = await callAs(here.ownerId, 'control', {
        inverterSn: `${here.sn},${second.sn}`,
        cid: '160',
        value: '9',
      });
      expect(both.body.data).toMatchObject([
        { code: 0, sn: here.sn },
        { code: 0, sn: second.sn },
      ]);
    });
    const before = await commandsOf(here.deviceId);
    const string = await wire.device(here.plantId, { model: 'SIM-8K' });
    await wire.write((trx) => assignCollector(trx, string.id, here.collectorId));
    const many = [here.sn, second.sn];
    while (many.length < 99) {
      const one = await wire.device(here.plantId, { model: MODEL });
      await wire.write((trx) => assignCollector(trx, one.id, here.collectorId));
      many.push(one.sn);
    }
    for (const [sns, code] of [
      [[here.sn, there.sn], 'B0124'],
      [['UNKNOWN-1', here.sn], 'B0124'],
      [[...many, there.sn], 'B0124'],
      [[here.sn, string.sn], 'H0001'],
    ] as const) {
      const answer = await callAs(here.ownerId, 'control', {
        inverterSn: sns,
        cid: '160',
        value: '10',
      });
      expect([sns.length, answer.body]).toMatchObject([sns.length, { success: false, code }]);
    }
    expect(
      JSON.stringify(
        (await callAs(here.ownerId, 'control', { inverterSn: there.sn, cid: '160', value: '10' }))
          .body,
      ),
    ).toBe(
      JSON.stringify(
        (
          await callAs(here.ownerId, 'control', {
            inverterSn: 'UNKNOWN-1',
            cid: '160',
            value: '10',
          })
        ).body,
      ),
    );
    expect(await commandsOf(here.deviceId)).toEqual(before);
    expect(await commandsOf(there.deviceId)).toEqual([]);
    expect(
      (
        await callAs(here.ownerId, 'control', {
          inverterSn: Array.from({ length: 101 }, (_, i) => `X${i}`),
          cid: '160',
          value: '1',
        })
      ).body.code,
    ).toBe('H0001');
  });

  test.each<[string, Record<string, unknown>, string, string | undefined]>([
    ['no parameter', { value: '20' }, 'I0000', 'cid'],
    ['no value', { cid: '157' }, 'I0000', 'value'],
    ['no inverter', { inverterSn: '', cid: '157', value: '20' }, 'I0000', 'inverterSn'],
    ['an unknown parameter', { cid: '99999', value: '20' }, 'H0001', 'cid'],
    ['a parameter that is no number', { cid: 'reserve', value: '20' }, 'H0001', 'cid'],
    ['a parameter that is only read', { cid: '6798', value: '1' }, 'H0001', 'cid'],
    ['a value out of range', { cid: '157', value: '101' }, 'H0001', 'value'],
    ['a value off step', { cid: '157', value: '20.5' }, 'H0001', 'value'],
    ['text for a number', { cid: '157', value: 'twenty' }, 'H0001', 'value'],
    ['an exponent', { cid: '157', value: '2e1' }, 'H0001', 'value'],
    ['an object', { cid: '157', value: {} }, 'H0001', 'value'],
    ['a missing old value', { cid: '5916', value: '1' }, 'B0218', undefined],
    [
      'an inverter and another',
      { inverterSn: undefined, inverterId: '1300000000000000001', cid: '157', value: '20' },
      'B0124',
      undefined,
    ],
  ])('refuse %s, and nothing is queued (C4, C5)', async (_, change, code, field) => {
    const here = await home({ facts: { displayVersion: '4b00' } });
    const answer = await callAs(here.ownerId, 'control', { inverterSn: here.sn, ...change });
    expect([answer.status, answer.body.code, answer.body.data?.field]).toEqual([200, code, field]);
    expect(await commandsOf(here.deviceId)).toEqual([]);
    // The same by token.
    const { access_token: token } = await pair(here.ownerId);
    expect((await bear(token, 'control', { inverterSn: here.sn, ...change })).body).toEqual(
      answer.body,
    );
  });

  test('need a model that is known to be written; what the generic profile knows is read', async () => {
    const here = await home({ model: 'UNHEARD-OF' });
    expect(
      (await callAs(here.ownerId, 'control', { inverterSn: here.sn, cid: '157', value: '20' }))
        .body,
    ).toMatchObject({
      code: 'H0001',
      data: { field: 'cid' },
    });
    await whileObeying(here, async () => {
      expect(
        (await callAs(here.ownerId, 'atRead', { inverterSn: here.sn, cid: '157' })).body.data.msg,
      ).toBe('30');
    });
  });

  test('of a device whose collector is offline, or that has none, are B0115; beside others, an item of its own (C7)', async () => {
    const here = await home();
    const lone = await wire.device(here.plantId, { model: MODEL });
    for (const [id, body] of [
      ['control', { cid: '157', value: '20' }],
      ['atRead', { cid: '157' }],
      ['atReadBatch', { cids: '157,158' }],
    ] as const) {
      expect((await callAs(here.ownerId, id, { inverterSn: lone.sn, ...body })).body).toMatchObject(
        { success: false, code: 'B0115', data: null },
      );
    }
    await whileObeying(here, async () => {
      const both = await callAs(here.ownerId, 'control', {
        inverterSn: [lone.sn, here.sn],
        cid: '157',
        value: '20',
      });
      expect(both.body).toMatchObject({
        code: '0',
        data: [
          { code: 'B0115', sn: lone.sn },
          { code: 0, sn: here.sn },
        ],
      });
    });
    await database()
      .db.updateTable('device')
      .set({ state: 2 })
      .where('id', '=', here.collectorId)
      .execute();
    expect(
      (await callAs(here.ownerId, 'control', { inverterSn: here.sn, cid: '157', value: '20' })).body
        .code,
    ).toBe('B0115');
    // A collector that asks for commands is online.
    wire.clock.at += 61_000;
    await here.box.fetch();
    await whileObeying(here, async () => {
      expect(
        (await callAs(here.ownerId, 'atRead', { inverterSn: here.sn, cid: '157' })).body.code,
      ).toBe('0');
    });
  });

  test('of a register that the device does not answer are B0600 with its words; in a batch, an item (C9)', async () => {
    const here = await home();
    delete here.box.values['158'];
    await whileObeying(here, async () => {
      expect(
        (await callAs(here.ownerId, 'atRead', { inverterSn: here.sn, cid: '158' })).body,
      ).toMatchObject({
        success: false,
        code: 'B0600',
        msg: 'no such register',
      });
      expect(
        (await callAs(here.ownerId, 'control', { inverterSn: here.sn, cid: '158', value: '12' }))
          .body,
      ).toMatchObject({
        code: '0',
        data: [{ code: 'B0600', msg: `${here.sn}: failed, no such register` }],
      });
      const batch = await callAs(here.ownerId, 'atReadBatch', {
        inverterSn: here.sn,
        cids: '157,158,160,99999',
      });
      expect(batch.body.data).toEqual([
        [
          { cid: '157', msg: '30', yuanzhi: '30' },
          { cid: '158', msg: '', yuanzhi: '', code: 'B0600' },
          { cid: '160', msg: '5', yuanzhi: '5' },
          { cid: '99999', msg: '', yuanzhi: '', code: 'B0600' },
        ],
      ]);
    });
  });

  test('are done once for each signature', async () => {
    const here = await home();
    const key = await wire.key({ accountId: here.ownerId });
    await whileObeying(here, async () => {
      const body = { inverterSn: here.sn, cid: '157', value: '20' };
      expect((await wire.call(key, 'control', body)).body.code).toBe('0');
      wire.clock.at -= 1000;
      expect(await wire.call(key, 'control', body)).toMatchObject({
        status: 409,
        body: { code: '409' },
      });
    });
    expect(here.box.writes.length).toBe(1);
  });
});

describeControl(
  'control that is not confirmed in time',
  (wire) => {
    const { home, callAs, show } = wire;
    const body = { cid: '157', value: '20' };

    test('is cancelled if it was not sent, says so, and is never handed over (C6)', async () => {
      const here = await home();
      const { data } = (await callAs(here.ownerId, 'control', { inverterSn: here.sn, ...body }))
        .body;
      expect(data).toEqual([
        {
          code: 1,
          msg: `${here.sn}: cancelled, it could not be sent in time`,
          sn: here.sn,
          state: 'cancelled',
          orderId: expect.any(String),
        },
      ]);
      expect(await here.box.obey()).toEqual([]);
      const { body: after } = await callAs(here.ownerId, 'result', { orderId: data[0].orderId });
      expect(after.data).toMatchObject([{ code: 1, msg: expect.stringContaining('cancelled') }]);
    });

    test('goes on if it was sent, and its order tells what became of it', async () => {
      const here = await home();
      const pending = callAs(here.ownerId, 'control', { inverterSn: here.sn, ...body });
      await expect
        .poll(async () =>
          here.box
            .report(...(await here.box.fetch()).map(here.box.carryOut))
            .then(({ accepted }) => accepted),
        )
        .toBe(1);
      const [write] = await here.box.fetch();
      const { data } = (await pending).body;
      expect(data).toMatchObject([
        { code: 1, msg: `${here.sn}: sent, the device has not confirmed it yet` },
      ]);
      const { orderId } = data[0];
      expect((await callAs(here.ownerId, 'result', { orderId })).body).toMatchObject({
        code: '0',
        data: null,
      });
      await here.box.report(here.box.carryOut(write!));
      expect((await callAs(here.ownerId, 'result', { orderId })).body.data).toMatchObject([
        { code: 0 },
      ]);
      await here.box.obey();
      expect((await show(here, orderId.split('_')[1])).state).toBe('verified');
    });

    test('of a read is asked for again with its order (C8)', async () => {
      const here = await home();
      const { body: pending } = await callAs(here.ownerId, 'atRead', {
        inverterSn: here.sn,
        cid: '157',
      });
      expect(pending).toMatchObject({
        code: '0',
        data: { msg: '', needLoop: 'true', orderId: pending.orderId },
      });
      const order = { orderId: pending.orderId };
      expect((await callAs(here.ownerId, 'result', order)).body.data).toBe(null);
      await here.box.obey();
      expect((await callAs(here.ownerId, 'result', order)).body).toMatchObject({
        code: '0',
        data: { msg: '30', yuanzhi: '30', needLoop: 'false' },
      });
      expect((await callAs(here.ownerId, 'result', { orderId: 'x' })).body).toMatchObject({
        code: 'H0001',
        data: { field: 'orderId' },
      });
      const [stranger, unknown] = [await wire.person(), '1300000000000000000'];
      for (const orderId of [pending.orderId, unknown])
        expect((await callAs(stranger.id, 'result', { orderId })).body).toMatchObject({
          success: false,
          code: 'B0124',
          data: null,
        });
    });
  },
  { patienceMs: 300 },
);

describeControl('our own operations about commands', (wire) => {
  const { home, callAs, send, whileObeying, bear, pair } = wire;

  test('list what was done to a device, newest first, by whom and by which door, since it is in its plant (C24)', async () => {
    const here = await home();
    const installer = await wire.person();
    await wire.write((trx) =>
      sharePlant(trx, wire.act(), here.plantId, installer.email, 'control'),
    );
    const { access_token: token, client } = await pair(here.ownerId);
    await whileObeying(here, async () => {
      await callAs(installer.id, 'control', { inverterSn: here.sn, cid: '157', value: '21' });
      await bear(token, 'control', { inverterSn: here.sn, cid: '157', value: '22' });
      await callAs(here.ownerId, 'atRead', { inverterSn: here.sn, cid: '157' });
    });
    await here.box.obey();
    const { data } = (await callAs(here.ownerId, 'command/list', { sn: here.sn })).body;
    expect(data).toMatchObject([
      {
        oldValue: '21',
        newValue: '22',
        state: 'verified',
        door: 'oauth',
        by: `application:${client.application.id}`,
      },
      {
        oldValue: '30',
        newValue: '21',
        state: 'verified',
        door: 'signed',
        by: expect.stringMatching(/^key:\d{19}$/),
      },
    ]);
    expect(
      (await callAs(here.ownerId, 'command/list', { sn: here.sn, before: data[0].id, limit: 1 }))
        .body.data,
    ).toEqual([data[1]]);
    expect(
      (await callAs(here.ownerId, 'command/list', { sn: here.sn, reads: 1 })).body.data.length,
    ).toBe(3);
    // The history stays with the plant.
    const next = await home();
    await wire.write(async (trx) => {
      await unbindDevice(trx, wire.act(), here.deviceId, here.plantId);
      await (
        await import('../../packages/server/src/fleet/plants/bindings.ts')
      ).bindDevice(trx, wire.act(), here.deviceId, next.plantId);
    });
    expect((await callAs(next.ownerId, 'command/list', { sn: here.sn })).body.data).toEqual([]);
    expect((await callAs(next.ownerId, 'command/show', { id: data[0].id })).body.code).toBe(
      'R0000',
    );
    expect((await callAs(here.ownerId, 'command/show', { id: data[0].id })).body.data).toEqual(
      data[0],
    );
  });

  test('cancel what was not sent, once', async () => {
    const here = await home();
    const { id } = await send(here, '157', '20');
    expect((await callAs(here.ownerId, 'command/cancel', { id })).body).toMatchObject({
      code: '0',
      data: null,
    });
    expect(await callAs(here.ownerId, 'command/cancel', { id })).toMatchObject({
      body: { code: 'R0000', msg: 'the command can no longer be cancelled: it is cancelled' },
    });
    expect(await here.box.obey()).toEqual([]);
    const sent = await send(here, '157', '20');
    await here.box.report(here.box.carryOut((await here.box.fetch())[0]!));
    await here.box.fetch();
    expect((await callAs(here.ownerId, 'command/cancel', { id: sent.id })).body.msg).toContain(
      'it is sent',
    );
  });

  test('take the last change back, and then the one before it', async () => {
    const here = await home();
    expect((await callAs(here.ownerId, 'command/undo', { sn: here.sn })).body).toMatchObject({
      code: 'R0000',
      msg: 'there is no change to undo',
    });
    for (const [parameter, value] of [
      ['157', '20'],
      ['158', '12'],
      ['158', '12'],
    ] as const) {
      await send(here, parameter, value);
      await here.box.obey();
    }
    const { data: first } = (await callAs(here.ownerId, 'command/undo', { sn: here.sn })).body;
    expect(first).toMatchObject({
      parameter: '158',
      newValue: '10',
      state: 'queued',
      undoes: expect.any(String),
    });
    await here.box.obey();
    expect((await callAs(here.ownerId, 'command/undo', { sn: here.sn })).body.data).toMatchObject({
      parameter: '157',
      newValue: '30',
    });
    await here.box.obey();
    expect(here.box.values).toMatchObject({ 157: '30', 158: '10' });
    expect((await callAs(here.ownerId, 'command/undo', { sn: here.sn })).body.code).toBe('R0000');
  });

  test('take back the last change of one parameter, though another was changed since', async () => {
    const here = await home();
    await send(here, '157', '20');
    await here.box.obey();
    await send(here, '158', '12');
    await here.box.obey();
    const undo = async (cid: string) =>
      (await callAs(here.ownerId, 'command/undo', { sn: here.sn, cid })).body;
    expect((await undo('157')).data).toMatchObject({ parameter: '157', newValue: '30' });
    await here.box.obey();
    expect(here.box.values).toMatchObject({ 157: '30', 158: '12' });
    expect(await undo('157')).toMatchObject({ code: 'R0000', msg: 'there is no change to undo' });
  });

  test('stop what others write until it is released; the owner goes on (C20)', async () => {
    const here = await home();
    const installer = await wire.person();
    await wire.write((trx) =>
      sharePlant(trx, wire.act(), here.plantId, installer.email, 'control'),
    );
    const { access_token: token } = await pair(here.ownerId);
    const queued = (
      await callAs(installer.id, 'command/send', { sn: here.sn, cid: '157', value: '20' })
    ).body.data;
    const own = await send(here, '158', '12');
    expect((await callAs(installer.id, 'control/stop', { plantId: here.plantId })).body.code).toBe(
      'R0000',
    );
    expect(
      (await callAs(here.ownerId, 'control/stop', { plantId: here.plantId })).body,
    ).toMatchObject({ code: '0', data: null });
    expect(await here.box.obey()).toEqual(['read 158', 'write 158 12', 'read 158']);
    expect(await wire.show(here, queued.id)).toMatchObject({
      state: 'refused',
      reason: 'the owner of the plant has stopped the writes of others',
    });
    expect((await wire.show(here, own.id)).state).toBe('verified');
    const body = { inverterSn: here.sn, cid: '157', value: '21' };
    await whileObeying(here, async () => {
      expect((await callAs(installer.id, 'control', body)).body).toMatchObject({
        success: false,
        code: 'R0004',
      });
      expect((await bear(token, 'control', body)).body.code).toBe('R0004');
      expect((await callAs(installer.id, 'atRead', body)).body.code).toBe('0');
      expect((await callAs(here.ownerId, 'control', body)).body.data).toMatchObject([{ code: 0 }]);
      expect(
        (await callAs(here.ownerId, 'control/release', { plantId: here.plantId })).body.code,
      ).toBe('0');
      expect((await bear(token, 'control', { ...body, value: '22' })).body.data).toMatchObject([
        { code: 0 },
      ]);
    });
  });
});
