import { openLink, type Instruction } from '@helioport/collector';
import { createSite, type Scenario, type Setting, type Site } from '@helioport/simulator';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { profileOf } from '../../packages/devices/src/profiles/profiles.ts';
import { startGatewayDouble, type GatewayDouble } from '../collector/gateway-double.ts';
import { berlinHouse } from './berlin-house.ts';

const startAt = Date.parse('2026-06-15T12:00Z');
const always = { fromAt: 0, untilAt: Infinity };

let gateway: GatewayDouble;
let sites: Site[];
let taken: Setting[];
let pauses: number[];

beforeEach(async () => {
  gateway = await startGatewayDouble();
  [sites, taken, pauses] = [[], [], []];
});
afterEach(async () => {
  await Promise.all(sites.map(({ collector }) => collector.close()));
  await gateway.close();
});

function start(scenarios: readonly Scenario[] = [], settings: readonly Setting[] = []): Site {
  const site = createSite({
    specification: berlinHouse,
    startAt,
    link: openLink({ url: gateway.url, token: 't' }),
    scenarios,
    parametersOf: (model) => profileOf(model).parameters,
    settings,
    onSetting: (setting) => taken.push(setting),
    clock: { now: () => startAt },
    pause: async (ms) => void pauses.push(ms),
  });
  sites.push(site);
  return site;
}

let lastId = 0;
const read = (parameter: string, sn = 'STORAGE1'): Instruction => ({
  id: `${++lastId}.1`,
  sn,
  action: 'read',
  parameter,
  withinSeconds: 20,
});
const write = (parameter: string, value: string): Instruction => ({
  ...read(parameter),
  action: 'write',
  value,
});

/** Gives instructions, and resolves to what was read or why it failed. */
async function answersTo(...instructions: Instruction[]): Promise<unknown[]> {
  const before = gateway.results.length;
  gateway.instruct(...instructions);
  await expect.poll(() => gateway.results.length).toBe(before + instructions.length);
  return gateway.results
    .slice(before)
    .map(({ ok, value, error }) => (ok ? (value ?? 'done') : error));
}

describe('a simulated site', () => {
  test('does what its collector is sent, and remembers it for later runs', async () => {
    start();
    expect(await answersTo(read('157'), write('157', '20'), read('157'))).toEqual([
      '30',
      'done',
      '20',
    ]);
    expect(taken).toEqual([{ sn: 'STORAGE1', at: startAt, parameter: '157', value: '20' }]);
    await sites.pop()!.collector.close();
    const asked = gateway.asked();
    start([], taken);
    await expect.poll(gateway.asked).toBeGreaterThan(asked);
    expect(await answersTo(read('157'))).toEqual(['20']);
  });

  test('shows the effect with the next report', async () => {
    const site = start();
    const power = (): unknown =>
      [...site.reports(startAt + 3_600_000)].at(-1)!.readings.find(({ sn }) => sn === 'STORAGE1')!
        .values.acPowerW;
    expect([...site.reports(startAt)][0]!.readings[0]!.values.acPowerW).toBeGreaterThan(100);
    await answersTo(write('15', '0'));
    expect(power()).toBe(0);
  });

  test('says why a device does not do it', async () => {
    start();
    expect(
      await answersTo(read('157', 'NOBODY'), read('157', 'STRING1'), write('157', '101')),
    ).toEqual(['no device answers at this address', 'illegal data address', 'illegal data value']);
    expect(taken).toEqual([]);
  });

  test('has firmware that clears a bit of what was written', async () => {
    start([{ kind: 'cleared-bit', ...always }]);
    expect(
      await answersTo(write('636', '98'), read('636'), write('157', '98'), read('157')),
    ).toEqual(['done', '96', 'done', '98']);
  });

  test('confirms writes that do not take', async () => {
    start([{ kind: 'lost-write', parameter: '157', ...always }]);
    expect(
      await answersTo(write('157', '20'), read('157'), write('158', '20'), read('158')),
    ).toEqual(['done', '30', 'done', '20']);
    expect(taken.map(({ parameter }) => parameter)).toEqual(['158']);
  });

  test('takes its time to answer', async () => {
    start([{ kind: 'slow-collector', seconds: 4, sn: 'STORAGE1', ...always }]);
    expect(await answersTo(read('157'), read('15', 'STRING1'))).toEqual(['30', '100']);
    expect(pauses).toEqual([4000]);
  });

  const reported = async (scenarios: readonly Scenario[]): Promise<number[]> => {
    const site = start(scenarios);
    for (const { at: _, ...report } of site.reports(startAt + 4 * 300_000))
      site.collector.report(report);
    await site.collector.whenDelivered();
    await site.collector.close();
    sites.length = 0;
    return gateway.reports.map(({ readings }) => (readings[0]!.at - startAt) / 300_000);
  };

  test('sends its reports once and in order, unless it is to send them twice, or in another order', async () => {
    expect(await reported([])).toEqual([0, 1, 2, 3, 4]);
    gateway.reports.length = 0;
    expect(await reported([{ kind: 'duplicate-reports', ...always }])).toEqual([
      0, 0, 1, 1, 2, 2, 3, 3, 4, 4,
    ]);
    gateway.reports.length = 0;
    expect(await reported([{ kind: 'reordered-reports', ...always }])).toEqual([1, 0, 3, 2, 4]);
  });
});
