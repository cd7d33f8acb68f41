import type { OperationId } from '@helioport/contract';
import { expect, test } from 'vitest';
import { keepStrategy } from '../../packages/server/src/interfaces/cli/demo/keep-strategy.ts';
import { describeStrategies, type Battery, type Partner } from '../strategies/scene.ts';

const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * 24 * HOUR_MS;

describeStrategies('the demo’s application', (scene) => {
  const { clock, database, settle, wait } = scene;
  const place = async () => {
    const here = await scene.battery();
    return { here, partner: await scene.partner(here.ownerId) };
  };
  const keep = ({ partner, here }: { partner: Partner; here: Battery }): Promise<void> =>
    keepStrategy(
      async (id, body) => (await partner.ask(id as OperationId, body)).body,
      here.sn,
      clock.at,
    );
  const states = async ({ here }: { here: Battery }) =>
    (
      await database()
        .db.selectFrom('strategy as s')
        .innerJoin('strategyDevice as sd', 'sd.strategyId', 's.id')
        .select(['s.reference', 'sd.state'])
        .where('sd.deviceId', '=', here.deviceId)
        .orderBy('s.id')
        .execute()
    ).map(({ reference, state }) => `${reference} ${state}`);

  test('keeps a battery on a strategy, one after the other, however often it is started', async () => {
    clock.at = Date.parse('2026-06-17T12:00:00Z');
    const both = await place();
    const before = both.here.registers();
    for (let start = 0; start < 3; start++) await keep(both);
    await settle(both.here);
    await keep(both);
    expect(await states(both)).toEqual(['week-2026-06-11 active']);
    // Within the last hour, the next one is arranged, once.
    clock.at = Date.parse('2026-06-17T23:30:00Z');
    for (let start = 0; start < 2; start++) await keep(both);
    expect(await states(both)).toEqual(['week-2026-06-11 active', 'week-2026-06-18 dispatching']);
    await wait(HOUR_MS, both.here);
    await wait(60_000, both.here);
    expect(await states(both)).toEqual(['week-2026-06-11 completed', 'week-2026-06-18 active']);
    // Without the application, it ends by itself.
    await wait(WEEK_MS, both.here);
    expect(await states(both)).toEqual(['week-2026-06-11 completed', 'week-2026-06-18 completed']);
    expect(both.here.registers()).toEqual(before);
  });

  test('leaves a battery alone while its owner does not want it, without drafts', async () => {
    clock.at = Date.parse('2026-06-14T12:00:00Z');
    const both = await place();
    const { here } = both;
    await scene.callAs(here.ownerId, 'control/stop', { plantId: here.plantId });
    await keep(both);
    expect(await states(both)).toEqual([]);
    await scene.callAs(here.ownerId, 'control/release', { plantId: here.plantId });
    await keep(both);
    await settle(here);
    const [{ id }] = (await both.partner.ask('strategy/list', {})).body.data;
    await scene.callAs(here.ownerId, 'strategy/stop', { id });
    await settle(here);
    await keep(both);
    expect(await states(both)).toEqual(['week-2026-06-11 cancelled']);
  });

  test('dispatches what it had only created when it was ended', async () => {
    clock.at = Date.parse('2026-06-14T12:00:00Z');
    const both = await place();
    const dies = keepStrategy(
      async (id, body) => {
        if (id === 'strategy/dispatch') throw new Error('it is ended');
        return (await both.partner.ask(id as OperationId, body)).body;
      },
      both.here.sn,
      clock.at,
    );
    await expect(dies).rejects.toThrow('it is ended');
    expect(await states(both)).toEqual(['week-2026-06-11 draft']);
    await keep(both);
    expect(await states(both)).toEqual(['week-2026-06-11 dispatching']);
  });
});
