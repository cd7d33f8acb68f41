import { createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { reportable, sourcedValues } from '@helioport/devices/sources';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import {
  authorization,
  challengesIn,
} from '../../packages/collector/src/sources/http/authorization.ts';
import { credentialsIn } from '../../packages/collector/src/site/config/credentials.ts';
import { openSource } from '../../packages/collector/src/sources/open-source.ts';
import type { Measures, Source } from '../../packages/collector/src/sources/source.ts';
import { createPlace } from '../site/collecting.ts';
import { freePort } from '../support/free-port.ts';
import { startHttpDevice, type HttpDevice, type HttpDeviceOptions } from './http-device.ts';
import {
  FIRST_3EM,
  FIRST_EM,
  FIRST_PLUG,
  PLUG,
  PRO_3EM,
  PRO_3EM_VALUES,
  PRO_EM,
} from './shelly-answers.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
const never = new AbortController().signal;

async function serve(
  answers: Readonly<Record<string, unknown>>,
  guarded?: HttpDeviceOptions['guarded'],
): Promise<HttpDevice> {
  const device = await startHttpDevice({ answers: () => answers, ...(guarded && { guarded }) });
  ended.push(() => device.close());
  return device;
}

async function open(
  port: number,
  measures?: readonly Measures[],
  password?: string,
  {
    kind = 'shelly',
    isReadable = false,
  }: { kind?: 'shelly' | 'fronius'; isReadable?: boolean } = {},
): Promise<Source> {
  const folder = mkdtempSync(join(tmpdir(), 'helioport-shelly-'));
  ended.push(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'password');
  if (password !== undefined) writeFileSync(file, `${password}\n`);
  const source = await openSource(
    { kind, host: '127.0.0.1', port },
    {
      clock: systemClock,
      pause: timerPause,
      measures,
      ...(password !== undefined && { credentials: credentialsIn(file, { isReadable }) }),
    },
  );
  ended.push(() => source.release());
  return source;
}

async function readAll(answers: Readonly<Record<string, unknown>>, measures?: readonly Measures[]) {
  const { port } = await serve(answers);
  const { devices } = await (await open(port, measures)).read(never);
  return devices.map(({ sn, part, fields }) => ({
    sn,
    kind: part.kind,
    values: reportable(sourcedValues(part, fields)),
  }));
}

describe('what each kind measures has the signs and units of the product', () => {
  test('three phases of generation 2 are at the connection', async () => {
    expect(await readAll(PRO_3EM)).toEqual([
      { sn: 'AABBCCDDEEFF', kind: 'ammeter', values: PRO_3EM_VALUES },
    ]);
  });

  test('two clamps are what the owner says', async () => {
    expect(await readAll(PRO_EM, ['grid', 'production'])).toEqual([
      {
        sn: 'AABBCC001122-0',
        kind: 'ammeter',
        values: {
          gridPowerW: -480.5,
          gridImportTotalKwh: 6.6449,
          gridExportTotalKwh: 2.59526,
          acVoltage1V: 224.6,
          acCurrent1A: 2.2,
        },
      },
      {
        sn: 'AABBCC001122-1',
        kind: 'inverter',
        values: {
          acPowerW: 5080.3,
          energyTotalKwh: 1234.5678,
          acVoltage1V: 224.7,
          acCurrent1A: 22.78,
        },
      },
    ]);
    expect((await readAll(PRO_EM, ['nothing', 'production'])).map(({ sn }) => sn)).toEqual([
      'AABBCC001122-1',
    ]);
  });

  test('a plug measures an inverter', async () => {
    expect(await readAll(PLUG, ['production'])).toEqual([
      {
        sn: 'AABBCC334455-0',
        kind: 'inverter',
        values: {
          acPowerW: 412.3,
          energyTotalKwh: 98.765432,
          acVoltage1V: 231.4,
          acCurrent1A: 1.79,
        },
      },
    ]);
  });

  test('three phases of the first generation are added up', async () => {
    expect(await readAll(FIRST_3EM)).toMatchObject([
      {
        sn: 'AABBCC667788',
        kind: 'ammeter',
        values: {
          gridPowerW: 549.5,
          gridImportTotalKwh: 6.0009,
          gridExportTotalKwh: 0.0603,
          acPower2W: 700,
          acVoltage3V: 230.3,
        },
      },
    ]);
  });

  test('clamps and plugs of the first generation, whose counters differ', async () => {
    expect(await readAll(FIRST_EM, ['grid', 'production'])).toMatchObject([
      { values: { gridPowerW: -100, gridImportTotalKwh: 1 } },
      { values: { acPowerW: 900, energyTotalKwh: 5 } },
    ]);
    expect(await readAll(FIRST_PLUG, ['production'])).toMatchObject([
      { values: { acPowerW: 333.3, energyTotalKwh: 100 } },
    ]);
  });
});

test('a phase that cannot be measured leaves out what needs it, and nothing else', async () => {
  const { emeters } = FIRST_3EM['/status'];
  const broken = {
    ...FIRST_3EM,
    '/status': { emeters: [emeters[0], { ...emeters[1]!, is_valid: false }, emeters[2]] },
  };
  const values = (await readAll(broken))[0]!.values;
  expect(values).not.toHaveProperty('gridPowerW');
  expect(values).toMatchObject({ acPower1W: -100.5, acPower3W: -50 });
  const status = PRO_3EM['/rpc/Shelly.GetStatus'];
  const failing = {
    ...PRO_3EM,
    '/rpc/Shelly.GetStatus': {
      ...status,
      'em:0': { ...status['em:0'], total_act_power: null, errors: ['power_meter_failure'] },
    },
  };
  const others = (await readAll(failing))[0]!.values;
  expect(others).not.toHaveProperty('gridPowerW');
  expect(others).toHaveProperty('gridImportTotalKwh');
});

describe('what is wrong is said with what to do', () => {
  test.each<[string, Readonly<Record<string, unknown>>, Measures[] | undefined, RegExp]>([
    [
      'two channels',
      PRO_EM,
      undefined,
      /2 channels: say what each measures, such as measures: \[grid, production\]/,
    ],
    ['a plug', PLUG, undefined, /one channel: say what/],
    ['a plug at the grid', PLUG, ['grid'], /measures what is plugged in/],
    ['more than there are', PRO_3EM, ['grid', 'grid'], /only 1 channels/],
    [
      'no meter',
      {
        '/shelly': { mac: 'A', gen: 2 },
        '/rpc/Shelly.GetStatus': { 'switch:0': { output: true } },
      },
      undefined,
      /measures nothing/,
    ],
    ['another device', { '/shelly': { name: 'x' } }, undefined, /is no Shelly/],
    ['a web page', { '/shelly': '<html>' }, undefined, /no JSON/],
    ['another path', {}, undefined, /does not know \/shelly/],
    ['a failure', { '/shelly': 503 }, undefined, /status 503/],
    ['a list', { '/shelly': [1, 2] }, undefined, /is no Shelly/],
    ['a megabyte', { '/shelly': '1'.repeat(1_000_000) }, undefined, /more than 262144 bytes/],
    [
      'deeply nested',
      {
        '/shelly': { gen: 2 },
        '/rpc/Shelly.GetStatus': `{"em:0":${'['.repeat(5000)}${']'.repeat(5000)}}`,
      },
      undefined,
      /^$/,
    ],
  ])('%s', async (_, answers, measures, expected) => {
    const { port } = await serve(answers);
    const source = await open(port, measures);
    const message = await source.read(never).then(
      () => '',
      (error: Error) => error.message,
    );
    expect(message).toMatch(expected);
  });

  test('nothing listens, and something else does', async () => {
    await expect((await open(await freePort())).read(never)).rejects.toThrow(/is closed: is this/);
    const server = createServer((socket) => socket.end('220 mail\r\n')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended.push(() => server.close());
    const { port } = server.address() as { port: number };
    await expect((await open(port)).read(never)).rejects.toThrow(/does not speak HTTP/);
  });

  test.each([
    ['digest', PRO_3EM, '/rpc', false],
    ['basic', FIRST_3EM, '/status', true],
  ] as const)('a password, by %s', async (scheme, answers, prefix, isReadable) => {
    const { port, asked } = await serve(answers, { prefix, scheme, password: 'secret "1"' });
    await expect((await open(port)).read(never)).rejects.toThrow(/write password-file: FILE/);
    await expect(
      (await open(port, undefined, 'wrong', { isReadable })).read(never),
    ).rejects.toThrow(/refuses the password/);
    const source = await open(port, undefined, 'secret "1"', { isReadable });
    expect((await source.read(never)).devices).toHaveLength(1);
    const before = asked.length;
    await source.read(never);
    // The challenge is known now.
    expect(asked.length - before).toBe(2);
  });
});

const DIGEST = 'Digest qop="auth", realm="r", nonce="n"';
// What takes the address of a device may ask for its password in any way.
describe.each([
  ['shelly', PRO_3EM, '/rpc', ['SHA-256']],
  ['shelly', FIRST_3EM, '/status', ['SHA-256']],
  ['fronius', {}, '/solar_api', ['SHA-256', 'MD5']],
] as const)('a password of %s', (kind, answers, prefix, algorithms) => {
  const ask = async (asked: string) => {
    const { port, proofs } = await serve(answers, { prefix, scheme: { asked }, password: 'x' });
    const source = await open(port, undefined, 'top secret', { kind });
    const said = await source.read(never).catch((error: Error) => error.message);
    return { said, proofs };
  };

  test.each([
    ['Basic realm="x"', 'Basic'],
    ['basic', 'Basic'],
    ['Bearer realm="x"', 'Bearer'],
    ['Negotiate', 'Negotiate'],
    [`${DIGEST}, algorithm=MD5-sess`, 'Digest MD5-SESS'],
    [`${DIGEST}, algorithm=SHA-512-256, Basic realm="x"`, 'Digest SHA-512-256, Basic'],
    ['=,;"', 'an unknown scheme'],
    ...(kind === 'shelly' ? [[DIGEST, 'Digest MD5']] : []),
  ])('is not given to who asks %s', async (asked, named) => {
    const { said, proofs } = await ask(asked);
    expect(proofs).toEqual([]);
    expect(said).toContain(`asks for the password by ${named}, and gets it by Digest SHA-256`);
  });

  test.each([
    ...algorithms.map((algorithm) => [`${DIGEST}, algorithm=${algorithm}`, algorithm]),
    [`Basic realm="x", ${DIGEST}, algorithm=SHA-256`, 'SHA-256'],
    [`${DIGEST}, algorithm=MD5, ${DIGEST}, algorithm=SHA-256, Basic realm="x"`, 'SHA-256'],
  ])('is proved to who asks %s', async (asked, algorithm) => {
    const { said, proofs } = await ask(asked);
    expect(said).toContain('refuses the password');
    expect(proofs).toEqual([expect.stringContaining(`algorithm=${algorithm}`)]);
    expect(proofs[0]).toMatch(/^Digest /);
  });
});

test('one connection is used again and again, and given back', async () => {
  const device = await serve(PRO_3EM);
  const source = await open(device.port);
  for (let i = 0; i < 3; i++) await source.read(never);
  expect(device.connections).toBe(1);
  source.release();
  await source.read(never);
  expect(device.connections).toBe(2);
});

// RFC 7616, section 3.9.1
test.each([
  ['MD5', '8ca523f5e9506fed4657c9700eebdbec'],
  ['SHA-256', '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1'],
])('the digest of the standard’s example with %s', (algorithm, response) => {
  const challenge =
    `Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=${algorithm}, ` +
    'nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
  const answer = authorization(
    challengesIn(challenge)[0]!,
    'GET',
    '/dir/index.html',
    'Mufasa',
    'Circle of Life',
    'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
  );
  expect(answer).toContain(`response="${response}"`);
  expect(answer).toContain('opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"');
  const [negotiate] = challengesIn('Negotiate');
  expect(authorization(negotiate!, 'GET', '/', 'a', 'b')).toBeUndefined();
});

test('probe takes what each channel measures', async () => {
  const { port } = await serve(PRO_EM);
  const place = createPlace();
  ended.push(() => place.remove());
  const address = `shelly://127.0.0.1:${port}`;
  expect((await place.collect('probe', address)).notes).toContain('say what each measures');
  const { code, output } = await place.collect('probe', address, '--measures', 'grid,production');
  expect(code).toBe(0);
  expect(output).toMatch(/- act_power +-480\.5 +gridPowerW +evc she/);
  expect(output).toMatch(/act_power +5080\.3 +acPowerW/);
  expect((await place.collect('probe', address, '--measures', 'all')).code).toBe(2);
});
