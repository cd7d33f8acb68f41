import { expect, test } from 'vitest';
import {
  addDays,
  daysBetween,
} from '../../packages/server/src/platform/calendar/plant-calendar.ts';
import { keepLosses } from '../../packages/server/src/outbound/performance/stored-losses.ts';
import { tellLosses } from '../../packages/server/src/outbound/performance/tell-losses.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { describeEngines } from '../support/engines.ts';

const NOWHERE = 'https://receiver.example/events';

describeEngines('losses as events', (database) => {
  const scene = createForwardingScene(database);
  const { clock } = scene;

  test('a loss that a visit would mend is told when it begins and when it ends, once each', async () => {
    const { db } = database();
    const { device } = await scene.connected(NOWHERE, { kinds: ['performance.loss'] });
    const { plantId, sn } = device;
    const today = Number(new Date(clock.at).toISOString().slice(0, 10).replaceAll('-', ''));
    const keep = (from: number, to: number, kwh: number): Promise<void> =>
      keepLosses(
        db,
        plantId,
        daysBetween(addDays(today, from), addDays(today, to)).map((day) => ({
          day,
          digest: '',
          expectedKwh: 50,
          clippedKwh: 0,
          producedKwh: 50 - kwh,
          uncertaintyPercent: 8,
          missing: null,
          price: 0.1,
          ratios: {},
          dueSteps: null,
          ranSteps: null,
          dueKwh: null,
          ranKwh: null,
          losses:
            kwh === 0
              ? []
              : [
                  { cause: 'standstill', sn, kwh, amount: kwh / 10, confidence: 'high' },
                  { cause: 'clipping', sn, kwh: 1, confidence: 'medium' },
                ],
        })),
      );
    const tell = () => tellLosses({ db, clock }, plantId);
    const told = async () =>
      (await scene.logged()).filter(({ plantId: id }) => id === plantId).map(({ data }) => data);
    await tell();
    await keep(-30, -1, 5);
    // Both see that it is new; one of them tells.
    await Promise.all([tell(), tell()]);
    await tell();
    expect(await told()).toMatchObject([
      { state: 'begun', cause: 'standstill', sn, lostKwh: 150, lostAmount: 15 },
    ]);
    const [begun] = await told();
    expect(begun!['since']).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(begun!['kwhPerYear']).toBeGreaterThan(0);
    await keep(-8, -1, 0);
    await tell();
    await tell();
    expect((await told()).map(({ state, cause }) => [state, cause])).toEqual([
      ['begun', 'standstill'],
      ['ended', 'standstill'],
    ]);
  });
});
