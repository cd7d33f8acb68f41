import { operations, operationsBy } from '@helioport/contract';
import { expect, test } from 'vitest';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';
import { addKey, signed, startUserApi, type TestUserApi } from './fixture.ts';
import { operationsOn } from '../support/operations.ts';

type Key = Awaited<ReturnType<typeof addKey>>;

describeEngines('S12: over the signed interface', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  const start = (): Promise<TestUserApi> => {
    const { db } = database();
    const handlers = operationsOn(db, clock, world.newId) as never;
    return startUserApi({ db }, clock, { operations: Object.values(operations), handlers });
  };

  /** Two owners, each with a plant and an inverter in it; one listener. */
  async function scene() {
    const api = await start();
    const [mine, theirs] = [await addKey(world), await addKey(world)];
    const plantId = await world.plant(theirs.accountId);
    const device = await world.device(plantId);
    const call = async (key: Key, operation: string, body: unknown) =>
      (
        await api.send(
          signed({ key, at: clock.at, path: `/v1/api/${operation}`, body: JSON.stringify(body) }),
        )
      ).body;
    const plantsOf = async (key: Key): Promise<string[]> =>
      (await call(key, 'userStationList', {})).data.page.records.map(
        ({ id }: { id: string }) => id,
      );
    return { api, mine, theirs, plantId, device, call, plantsOf };
  }

  test('a foreign plant or inverter and one that does not exist get one and the same answer (W4)', async () => {
    const { api, mine, theirs, plantId, device, call, plantsOf } = await scene();
    const requests: [string, (id: string) => unknown, string][] = [
      ['stationDetail', (id) => ({ id }), plantId],
      ['inverterDetail', (id) => ({ id }), device.id],
      ['inverterDetail', (sn) => ({ sn }), device.sn],
      ['inverterDay', (id) => ({ id, money: 'EUR', time: '2026-11-06', timeZone: 1 }), device.id],
    ];
    for (const [operation, body, foreign] of requests) {
      expect((await call(theirs, operation, body(foreign))).code).toBe('0');
      const refused = await call(mine, operation, body(foreign));
      expect([operation, refused]).toEqual([
        operation,
        { success: false, code: 'R0000', msg: expect.any(String), data: null },
      ]);
      expect(
        await call(
          mine,
          operation,
          body(foreign.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))),
        ),
      ).toEqual(refused);
    }
    expect(await plantsOf(mine)).toEqual([]);
    expect(await plantsOf(theirs)).toEqual([plantId]);
    expect(
      (await call(mine, 'inverterList', { stationId: plantId })).data?.page?.records ?? [],
    ).toEqual([]);
    await api.close();
  });

  test('a shared plant is seen from the next request on, and no longer once the share is withdrawn', async () => {
    const { api, mine, plantId, device, call, plantsOf } = await scene();
    const { email } = (await database()
      .db.selectFrom('account')
      .select('email')
      .where('id', '=', mine.accountId)
      .executeTakeFirst())!;
    await world.write((trx) => sharePlant(trx, world.act(), plantId, email, 'read'));
    expect(await plantsOf(mine)).toEqual([plantId]);
    expect((await call(mine, 'inverterDetail', { sn: device.sn })).code).toBe('0');
    await world.write((trx) => unsharePlant(trx, world.act(), plantId, email));
    expect(await plantsOf(mine)).toEqual([]);
    expect((await call(mine, 'inverterDetail', { sn: device.sn })).code).toBe('R0000');
    await api.close();
  });

  test('a key with a plant list sees these plants alone, and an archived plant is nobody’s', async () => {
    const { api, theirs, plantId, device, call, plantsOf } = await scene();
    const second = await world.plant(theirs.accountId);
    const narrow = await addKey(world, { accountId: theirs.accountId, plantIds: [second] });
    expect(await plantsOf(theirs)).toEqual([plantId, second]);
    expect(await plantsOf(narrow)).toEqual([second]);
    expect((await call(narrow, 'inverterDetail', { sn: device.sn })).code).toBe('R0000');
    expect((await call(narrow, 'stationDetail', { id: plantId })).code).toBe('R0000');
    await world.write((trx) => archivePlant(trx, world.act(), plantId));
    expect((await call(theirs, 'stationDetail', { id: plantId })).code).toBe('R0000');
    expect(await plantsOf(theirs)).toEqual([second]);
    await api.close();
  });

  test('every operation is there under both prefixes, and refuses who did not sign', async () => {
    const api = await start();
    for (const { id } of operationsBy('signed')) {
      for (const target of [`/v1/api/${id}`, `/v2/api/${id}`]) {
        const answer = await api.send({
          target,
          headers: [['Content-Type', 'application/json']],
          body: '{}',
        });
        expect([target, answer.status, answer.body.code]).toEqual([target, 401, '401']);
      }
    }
    await api.close();
  });
});
