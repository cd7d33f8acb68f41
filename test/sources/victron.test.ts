import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { reportable, sourcedValues } from '@helioport/devices/sources';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { openSource } from '../../packages/collector/src/sources/open-source.ts';
import { readPublished } from '../../packages/collector/src/sources/victron/topics.ts';
import { freePort } from '../support/free-port.ts';
import { settableClock } from '../support/world.ts';
import { GX_VALUES, hasMosquitto, PORTAL, startGxDevice, type GxOptions } from './gx-device.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
const never = new AbortController().signal;

const open = async (port: number, clock = systemClock) => {
  const source = await openSource(
    { kind: 'victron', host: '127.0.0.1', port },
    { clock, pause: (ms, signal) => timerPause(Math.min(ms, 300), signal) },
  );
  ended.push(() => source.release());
  return source;
};

async function start(options: GxOptions = {}) {
  const clock = settableClock(systemClock.now());
  const gx = await startGxDevice(options);
  ended.push(() => gx.close());
  const source = await open(gx.port, clock);
  const read = async () =>
    (await source.read(never)).devices.map(({ sn, part, fields }) => ({
      sn,
      kind: part.kind,
      values: reportable(sourcedValues(part, fields)),
    }));
  return { gx, clock, source, read };
}

const SYSTEM = {
  gridPowerW: 1500,
  acPowerW: 2300.5,
  dcPowerW: 1234.5,
  loadPowerW: 800,
  batteryPowerW: 950,
  batterySocPercent: 81.5,
};

describe.runIf(hasMosquitto)('a GX device', () => {
  test('has the signs and units of the product, and its meter is a device of its own', async () => {
    const { gx, read } = await start();
    expect(await read()).toEqual([
      { sn: PORTAL, kind: 'inverter', values: SYSTEM },
      {
        sn: 'BP98305081235',
        kind: 'ammeter',
        values: {
          gridPowerW: 1500,
          gridImportTotalKwh: 1234.5,
          gridExportTotalKwh: 5432.1,
          acPower1W: 1000,
          acPower2W: 500,
          acVoltage1V: 231.2,
          acCurrent1A: -4.3,
        },
      },
    ]);
    expect(gx.keepAlives).toEqual(['']);
  });

  test('changes arrive by themselves; what is null or gone is left out', async () => {
    const { gx, read } = await start();
    await read();
    await gx.say('system/0/Dc/Battery/Power', '{"value":-2000}');
    await expect.poll(async () => (await read())[0]!.values.batteryPowerW).toBe(-2000);
    await gx.say('system/0/Dc/Pv/Power', '{"value":null}');
    await expect.poll(async () => (await read())[0]!.values).not.toHaveProperty('dcPowerW');
    await gx.say('system/0/Ac/Grid/L1/Power', '');
    await expect.poll(async () => (await read())[0]!.values).not.toHaveProperty('gridPowerW');
  });

  test('is kept talking, asked for everything anew after a pause, and connected to once', async () => {
    const { gx, clock, read } = await start();
    await read();
    clock.at += 10_000;
    await read();
    expect(gx.keepAlives).toHaveLength(1);
    clock.at += 15_000;
    await read();
    await expect.poll(() => gx.keepAlives.length).toBe(2);
    expect(gx.keepAlives[1]).toContain('suppress-republish');
    clock.at += 600_000;
    expect((await read())[0]!.values).toEqual(SYSTEM);
    expect(gx.keepAlives.at(-1)).toBe('');
    expect(gx.connections()).toBe(1);
  });

  test('what nobody says any more does not stay', async () => {
    let values: Readonly<Record<string, unknown>> = GX_VALUES;
    const { clock, read } = await start({ values: () => values });
    await read();
    const { 'system/0/Dc/Pv/Power': _, ...others } = GX_VALUES;
    values = others;
    clock.at += 400_000;
    expect((await read())[0]!.values).not.toHaveProperty('dcPowerW');
  });

  test('of older firmware keeps what it has said, and does not say when that is all', async () => {
    const { read } = await start({ isOld: true });
    expect((await read())[0]!.values).toEqual(SYSTEM);
  });

  test('that says nothing is named', async () => {
    const { read } = await start({ isMute: true });
    await expect(read()).rejects.toThrow(/number of its portal: is this a GX device/);
  });

  test('comes back after its connection has ended', async () => {
    const { source, read } = await start();
    await read();
    source.release();
    expect((await read())[0]!.values).toEqual(SYSTEM);
  });

  test('others that write to its broker change nothing', async () => {
    const { gx, read } = await start();
    await read();
    await gx.say('system/0/Dc/Battery/Soc', 'x'.repeat(100_000));
    await gx.say('system/0/Dc/Battery/Soc', '{"value":"full"}');
    await gx.say('system/0/Dc/Battery/Power', '{"value":1e999}');
    await gx.say('system/0/Dc/Battery/Voltage', '[1');
    await gx.say('system/0/Dc/Battery/Power', '{"value":7}');
    await expect.poll(async () => (await read())[0]!.values.batteryPowerW).toBe(7);
    expect((await read())[0]!.values).not.toHaveProperty('batterySocPercent');
  });
});

describe('what is wrong is said with what to do', () => {
  test('nothing listens', async () => {
    const source = await open(await freePort());
    await expect(source.read(never)).rejects.toThrow(/switch on MQTT under Settings/);
  });

  test('no broker', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await once(server, 'listening');
    ended.push(() => server.close());
    const source = await open((server.address() as { port: number }).port);
    await expect(source.read(never)).rejects.toThrow(/does not answer as a broker/);
  });

  test('a broker that wants a password', async () => {
    // CONNACK: not authorized.
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => socket.end(Buffer.of(0x20, 2, 0, 5)));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended.push(() => server.close());
    const source = await open((server.address() as { port: number }).port);
    await expect(source.read(never)).rejects.toThrow(
      /refuses the connection; with a security profile/,
    );
  });
});

test.each<[string, string, unknown]>([
  [
    'N/c0619ab00001/system/0/Dc/Battery/Power',
    '{"value":-5.5}',
    { value: -5.5, path: 'Dc/Battery/Power' },
  ],
  ['N/c0619ab00001/grid/30/Ac/Power', '{"value":null}', { value: null, instance: '30' }],
  ['N/c0619ab00001/grid/30/Ac/Power', '', { value: undefined }],
  ['N/c0619ab00001/full_publish_completed', '{"value":1}', { completed: 'c0619ab00001' }],
  ['N/c0619ab00001/system/0/Dc/Battery/Power', '{"value":[1]}', undefined],
  ['N/c0619ab00001/system/0/Dc/Battery/Power', 'null', undefined],
  ['N/c0619ab00001/system/x/Dc', '{"value":1}', undefined],
  ['N/../system/0/Dc', '{"value":1}', undefined],
  ['W/c0619ab00001/system/0/Dc', '{"value":1}', undefined],
])('the message %s %s', (topic, payload, expected) => {
  const read = readPublished(topic, Buffer.from(payload));
  if (expected === undefined) expect(read).toBeUndefined();
  else expect(read).toMatchObject(expected as object);
});
