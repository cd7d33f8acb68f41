import { findProfile } from '@helioport/devices';
import { expect, test } from 'vitest';
import { createMemory } from '../../packages/simulator/src/devices/memory.ts';
import { describeStrategies, type Battery } from './scene.ts';

const HOUR_MS = 3_600_000;
const FORCED = '90201';
const PLAN = [
  { start: '00:00', end: '24:00', payload: { type: 'discharge', socPercent: 20, powerKw: 2 } },
];

describeStrategies('a battery that is told a power', (scene) => {
  const { clock, wait } = scene;

  /** One whose inverter forgets it, and whose collector repeats it. */
  const battery = async (): Promise<Battery> => {
    const here = await scene.battery({
      facts: { displayVersion: '4b00', profile: 'solis-storage', holds: FORCED },
    });
    const memory = createMemory({
      parameters: findProfile('solis-storage')!.parameters,
      displayVersion: 0x4b00,
      initial: { 636: '33', [FORCED]: '0' },
    });
    return { ...here, memory };
  };
  const charged = (here: Battery, batterySocPercent: number): Promise<void> =>
    scene.report(here.sn, [[clock.at, { batterySocPercent, gridPowerW: 0, batteryPowerW: 0 }]]);

  test('has it until its state of charge, and nothing else of it changes', async () => {
    const here = await battery();
    const partner = await scene.partner(here.ownerId);
    await charged(here, 50);
    const id = await partner.dispatch({ sn: here.sn, intervals: PLAN });
    await scene.settle(here);
    expect([await scene.stored(id, here), here.written]).toMatchObject([
      { state: 'active' },
      [[FORCED, '-2000']],
    ]);
    await charged(here, 20);
    await wait(60_000, here);
    expect(here.memory.get(FORCED)).toBe('0');
    // Not to and fro.
    await charged(here, 22);
    await wait(60_000, here);
    expect(here.memory.get(FORCED)).toBe('0');
    await charged(here, 23);
    await wait(60_000, here);
    expect(here.memory.get(FORCED)).toBe('-2000');
    await wait(2 * HOUR_MS, here);
    expect(await scene.stored(id, here)).toMatchObject({ state: 'completed' });
    expect(here.memory.get(FORCED)).toBe('0');
    expect(new Set(here.written.map(([parameter]) => parameter))).toEqual(new Set([FORCED]));
  });

  test('is left alone while nobody knows how full it is', async () => {
    const here = await battery();
    const partner = await scene.partner(here.ownerId);
    await partner.dispatch({ sn: here.sn, intervals: PLAN });
    await scene.settle(here);
    expect(here.written).toEqual([]);
  });

  test('its collector learns how long: until the strategy ends, also when the end is moved; the profile says it for others', async () => {
    const here = await battery();
    const partner = await scene.partner(here.ownerId);
    await charged(here, 50);
    const held: unknown[] = [];
    const obey = async (): Promise<void> => {
      for (let handed = 1; handed > 0;) {
        await scene.work();
        const instructions = await here.box.fetch();
        held.push(
          ...instructions.flatMap(({ action, value, holdSeconds }) =>
            action === 'write' ? [[value, holdSeconds]] : [],
          ),
        );
        if (instructions.length > 0)
          await here.box.report(...instructions.map((one) => scene.carryOut(here, one)));
        handed = instructions.length;
      }
    };
    const id = await partner.dispatch({ sn: here.sn, intervals: PLAN });
    await obey();
    await partner.ask('strategy/amend', { id, end: clock.at + 3 * HOUR_MS });
    await obey();
    await partner.ask('strategy/cancel', { id });
    await obey();
    expect(held).toEqual([
      ['-2000', 7200],
      ['-2000', 10_800],
      ['0', 3600],
    ]);
  });
});
