import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, startApiDouble, success, type ApiDouble } from '../sdk/api-double.ts';
import { startGatewayDouble, type GatewayDouble } from '../collector/gateway-double.ts';
import { berlinHouse } from '../simulator/berlin-house.ts';
import type { Outcome } from '../support/command.ts';
import { helioport } from './command-line.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('helioport call', () => {
  let api: ApiDouble;
  beforeEach(async () => void (api = await startApiDouble()));
  afterEach(() => api.close());

  const call = (...args: string[]): Promise<Outcome> =>
    helioport(['call', '--url', api.url, ...args, '--key-id', '1', '--key-secret', 's']);
  const page = {
    records: [{ id: '7', stationName: 'Roof', allEnergy: 12.5, allEnergyStr: 'MWh' }],
    total: 1,
    current: 1,
    pages: 1,
  };

  test('sends the request and shows a list as a table', async () => {
    api.answers.push(() => ({ body: success({ page }) }));
    const { exitCode, stdout } = await call('userStationList', '{"pageNo":1}');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'id  stationName  allEnergy\n7   Roof         12.5 MWh\npage 1 of 1, 1 in all',
    );
    expect(api.calls[0]).toMatchObject({ path: '/v1/api/userStationList', body: { pageNo: 1 } });
  });

  test('gives programs the data as it came', async () => {
    api.answers.push(() => ({ body: success({ page }) }));
    expect(JSON.parse((await call('userStationList', '--json')).stdout)).toEqual({ page });
  });

  test('shows one record as names and values, chart rows as a table', async () => {
    api.answers.push(
      () => ({ body: success({ sn: 'A', pac: 3.2 }) }),
      () => ({ body: success([{ timeStr: '08:00', pac: 1 }]) }),
    );
    expect((await call('inverterDetail')).stdout).toBe('field  value\nsn     A\npac    3.2');
    expect((await call('inverterDay')).stdout).toBe('timeStr  pac\n08:00      1\n1 rows');
  });

  test('takes the spellings that existing clients use', async () => {
    await call('inveterDetail');
    expect(api.calls[0]!.path).toBe('/v1/api/inverterDetail');
  });

  test('fails with the reason and the advice when it is refused', async () => {
    api.answers.push(() => ({ body: refusal('R0000', 'no permission') }));
    const { exitCode, stdout, stderr } = await call('inverterDetail', '{"sn":"x"}');
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('no permission');
    expect(stderr).toContain('Check the id');
  });

  test('says that it has no key pair where the environment holds blanks alone', async () => {
    const { exitCode, stderr } = await helioport(['call', 'userStationList', '--url', api.url], {
      HELIOPORT_KEY_ID: '',
      HELIOPORT_KEY_SECRET: ' ',
    });
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('no key pair')]);
    expect(api.calls).toEqual([]);
  });

  test.each([
    ['an operation that is not there', ['inverterDetials']],
    ['a request that is not JSON', ['inverterDetail', '{sn:1}']],
    ['a request that is no object', ['inverterDetail', '[1]']],
    ['nothing', []],
    ['an address that is none', ['inverterDetail', '--url', 'solar.example']],
  ])('refuses %s as bad usage', async (_, args) => {
    expect((await call(...args)).exitCode).toBe(2);
    expect(api.calls).toEqual([]);
  });
});

describe('helioport simulate', () => {
  let gateway: GatewayDouble;
  beforeEach(async () => void (gateway = await startGatewayDouble()));
  afterEach(() => gateway.close());

  const NOW = Date.parse('2026-06-15T12:00:00Z');
  const simulate = (...args: string[]): Promise<Outcome> =>
    helioport(['simulate', ...args, '--gateway-url', gateway.url, '--once'], {}, NOW);

  test('reports the plant that its options describe', async () => {
    const args = [
      '--token',
      'tok',
      '--storage',
      'S1',
      '--inverter',
      'I1',
      '--meter',
      'M1',
      '--weather',
      'W1',
      '--days',
      '1',
      '--json',
    ];
    const { exitCode, stdout } = await simulate(...args);
    expect([exitCode, JSON.parse(stdout)]).toEqual([
      0,
      { accepted: 4 * 289, duplicate: 0, refused: 0 },
    ]);
    const readings = gateway.reports.flatMap((report) => report.readings);
    expect(new Set(readings.map(({ sn }) => sn))).toEqual(new Set(['S1', 'I1', 'M1', 'W1']));
    expect([
      Math.min(...readings.map(({ at }) => at)),
      Math.max(...readings.map(({ at }) => at)),
    ]).toEqual([NOW - 86_400_000, NOW]);
  });

  test('goes on with the same counters in a later run', async () => {
    await simulate('--token', 'tok', '--inverter', 'I1');
    await simulate('--token', 'tok', '--inverter', 'I1', '--days', '1');
    const [first, ...later] = gateway.reports.flatMap((report) => report.readings);
    expect(later).toContainEqual(first);
  });

  test('reports the plants of a file', async () => {
    const file = join(temporaryFolder(), 'plants.json');
    writeFileSync(file, JSON.stringify([{ token: 'from-file', specification: berlinHouse }]));
    expect((await simulate(file)).exitCode).toBe(0);
    expect(gateway.reports[0]!.authorization).toBe('Bearer from-file');
  });

  test('lets happen what its options and its file say', async () => {
    const file = join(temporaryFolder(), 'plants.json');
    const scenarios = [{ kind: 'clock-drift', seconds: -30 }];
    writeFileSync(
      file,
      JSON.stringify([
        { token: 'one', specification: berlinHouse, scenarios },
        { token: 'two', specification: berlinHouse },
      ]),
    );
    expect(
      (await simulate(file, '--scenario', 'string-failure sn=STRING1 at=2026-06-15T12:00:00Z'))
        .exitCode,
    ).toBe(0);
    const newest = gateway.reports.map(({ readings }) =>
      readings.findLast(({ sn }) => sn === 'STRING1')!,
    );
    // The last state is of the present, when all of it has begun.
    expect(newest.map(({ at, values }) => [at - NOW, values.dcPower1W])).toEqual([
      [-30_000, 0],
      [0, 0],
    ]);
  });

  test.each([
    [
      'a scenario that is none',
      [{ token: 't', specification: berlinHouse, scenarios: ['flood'] }],
      'a scenario is one of',
    ],
    [
      'scenarios that are no list',
      [{ token: 't', specification: berlinHouse, scenarios: 'grid-outage' }],
      'scenarios must be a list',
    ],
  ])('fails at %s in its file, and reports nothing', async (_, plants, message) => {
    const file = join(temporaryFolder(), 'plants.json');
    writeFileSync(file, JSON.stringify(plants));
    const { exitCode, stderr } = await simulate(file);
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining(message)]);
    expect(gateway.reports).toEqual([]);
  });

  test('fails when the gateway refuses readings', async () => {
    gateway.answers.push({
      status: 200,
      body: { accepted: 0, duplicate: 0, refused: [{ index: 0, reason: 'unknown serial number' }] },
    });
    expect((await simulate('--token', 'tok', '--inverter', 'I1')).exitCode).toBe(1);
  });

  test.each([
    ['no token', ['--inverter', 'I']],
    ['no inverter', ['--token', 't']],
    [
      'a zone that is not there',
      ['--token', 't', '--inverter', 'I', '--time-zone', 'Mars/Olympus'],
    ],
    ['a latitude that is none', ['--token', 't', '--inverter', 'I', '--latitude', '91']],
    ['days that are none', ['--token', 't', '--inverter', 'I', '--days', '1.5']],
    [
      'a scenario that is none',
      ['--token', 't', '--inverter', 'I', '--scenario', 'grid-outage', '--scenario', 'flood'],
    ],
    [
      'MQTT without the ids that it needs',
      ['--token', 't', '--inverter', 'I', '--mqtt-url', 'mqtt://127.0.0.1'],
    ],
    [
      'an address of a broker that is none',
      ['--token', 't', '--inverter', 'I', '--mqtt-url', '127.0.0.1'],
    ],
  ])('refuses %s as bad usage', async (_, args) => {
    expect((await simulate(...args)).exitCode).toBe(2);
    expect(gateway.reports).toEqual([]);
  });
});
