import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, timerPause, type Pause } from '../../packages/collector/src/clock.ts';
import type { SourceEntry } from '../../packages/collector/src/site/config/site-config.ts';
import { createSourceDevice } from '../../packages/collector/src/site/device/source-device.ts';
import { openSource } from '../../packages/collector/src/sources/open-source.ts';
import {
  isSource,
  parseDeviceAddress,
  type SourceAddress,
} from '../../packages/collector/src/sources/source-address.ts';
import type { Source } from '../../packages/collector/src/sources/source.ts';
import { createPlace } from '../site/collecting.ts';
import { freePort } from '../support/free-port.ts';
import { P1_LINES, P1_SN, P1_VALUES, p1Telegram } from './p1-telegram.ts';
import { hasPython, startSerialWriter } from './serial-writer.ts';
import { SML_SN, smlTelegram } from './sml-telegram.ts';
import { startTelegramServer } from './telegram-server.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
const never = new AbortController().signal;
/** Waits for a telegram last a moment here. */
const impatient: Pause = (ms, signal) => timerPause(Math.min(ms, 400), signal);

function addressOf(text: string): SourceAddress {
  const address = parseDeviceAddress(text);
  if (!isSource(address)) throw new Error(text);
  return address;
}

async function open(text: string): Promise<Source> {
  const source = await openSource(addressOf(text), { clock: systemClock, pause: impatient });
  ended.push(() => source.release());
  return source;
}

const serve = async (next: () => Buffer, everyMs?: number) => {
  const server = await startTelegramServer(next, { ...(everyMs !== undefined && { everyMs }) });
  ended.push(() => server.close());
  return server;
};

test('a reader in the network is asked over one connection', async () => {
  const server = await serve(p1Telegram);
  const source = await open(`p1://127.0.0.1:${server.port}`);
  for (let i = 0; i < 3; i++)
    expect((await source.read(never)).devices).toMatchObject([
      { sn: P1_SN, model: 'P1 meter ISK5\\2M550E-1012' },
    ]);
  expect([server.open, server.connections]).toEqual([1, 1]);
  source.release();
  await expect.poll(() => server.open).toBe(0);
  await source.read(never);
  expect(server.connections).toBe(2);
});

test.runIf(hasPython)('so is a serial line', async () => {
  const writer = await startSerialWriter(p1Telegram());
  ended.push(() => writer.stop());
  const source = await open(`p1:${writer.path}`);
  expect((await source.read(never)).devices).toMatchObject([{ sn: P1_SN }]);
});

test('SML is listened to alike', async () => {
  const server = await serve(smlTelegram);
  const source = await open(`sml://127.0.0.1:${server.port}`);
  expect((await source.read(never)).devices).toMatchObject([
    { sn: SML_SN, model: 'SML meter EMH' },
  ]);
  const rubbish = await serve(() => Buffer.alloc(1000));
  const other = await open(`sml://127.0.0.1:${rubbish.port}`);
  await expect(other.read(never)).rejects.toThrow(/no whole telegram; does the reader/);
});

describe('what is wrong is said with what to do', () => {
  test('nothing listens', async () => {
    const source = await open(`p1://127.0.0.1:${await freePort()}`);
    await expect(source.read(never)).rejects.toThrow(/is closed.*page of the reader/);
  });
  test('no such serial port', async () => {
    const source = await open('p1:/dev/no-such-port');
    await expect(source.read(never)).rejects.toThrow(/does not exist.*plugged in/);
  });
  test('silence', async () => {
    const server = await serve(() => Buffer.alloc(0));
    const source = await open(`p1://127.0.0.1:${server.port}`);
    await expect(source.read(never)).rejects.toThrow(/sends nothing; is the cable/);
    expect(source.counters).toMatchObject({ timeouts: 1 });
    await expect.poll(() => server.open).toBe(0);
  });
  test('rubbish', async () => {
    const server = await serve(() => Buffer.alloc(10_000, 0xf0));
    const source = await open(`p1://127.0.0.1:${server.port}`);
    await expect(source.read(never)).rejects.toThrow(/no whole telegram; does the reader/);
  });
  test('a reader that ends the connection', async () => {
    const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    ended.push(() => server.close());
    const { port } = server.address() as { port: number };
    const source = await open(`p1://127.0.0.1:${port}`);
    await expect(source.read(never)).rejects.toThrow(/ended the connection; most readers serve/);
  });
  test('the next reading tries again', async () => {
    let telegram: Buffer = Buffer.from('nothing yet');
    const server = await serve(() => telegram);
    const source = await open(`p1://127.0.0.1:${server.port}`);
    await expect(source.read(never)).rejects.toThrow('no whole telegram');
    telegram = p1Telegram();
    expect((await source.read(never)).devices).toMatchObject([{ sn: P1_SN }]);
  });
});

describe('a device of the site', () => {
  async function device(
    lines: readonly string[],
    change: Partial<SourceEntry> = {},
    now = systemClock.now,
  ) {
    const server = await serve(() => p1Telegram(lines));
    const entry: SourceEntry = {
      address: addressOf(`p1://127.0.0.1:${server.port}`),
      control: false,
      share: false,
      confirmed: new Set(),
      line: 1,
      ...change,
    };
    const made = createSourceDevice({
      entry,
      clock: { now },
      pause: impatient,
      random: () => 0.5,
      before: () => undefined,
      isTimeKnown: () => true,
      keep: () => {},
      onFirstAnswer: () => {},
    });
    const stop = new AbortController();
    const running = made.run(stop.signal);
    ended.push(() => {
      stop.abort();
      return running;
    });
    return made;
  }

  test('reports what was measured together, and what it is', async () => {
    const made = await device(P1_LINES, {}, () => Date.parse('2026-11-28T07:30:15Z'));
    await expect.poll(() => made.status().state).toBe('answering');
    expect(made.takeReports(true)).toMatchObject([
      {
        readings: [{ sn: P1_SN, values: P1_VALUES }],
        devices: [
          { sn: P1_SN, kind: 'ammeter', link: { via: 'p1', readOnly: true, state: 'answering' } },
        ],
      },
    ]);
    expect(() => made.control()).toThrow('only reads');
  });

  test.each([
    ['2026-11-28T07:29:20Z', []],
    // East of Central Europe, meters have another hour.
    ['2026-11-28T06:30:15Z', []],
    ['2026-11-28T07:32:15Z', ["the device's clock is 120 s behind"]],
    ['2026-11-28T06:28:15Z', ["the device's clock is 120 s ahead"]],
  ])('its clock is compared with %s', async (now, expected) => {
    const made = await device(P1_LINES, {}, () => Date.parse(now));
    await expect.poll(() => made.status().state).toBe('answering');
    const [report] = made.takeReports(false);
    expect((report?.alarms ?? []).map(({ message }) => message)).toEqual(expected);
  });

  test('without a serial number, one has to be written', async () => {
    const nameless = P1_LINES.filter((line) => !line.startsWith('0-0:96.1.1'));
    const made = await device(nameless);
    await expect.poll(() => made.status().fault).toMatch('tells no serial number');
    const named = await device(nameless, { sn: 'MINE' });
    await expect.poll(() => named.sn).toBe('MINE');
  });

  test('a value that cannot be is dropped and counted, the others are reported', async () => {
    const made = await device([
      '1-3:0.2.8(50)',
      '0-0:96.1.1(4B384547303034303436333935353037)',
      '1-0:1.7.0(00.100*kW)',
      '1-0:32.7.0(6553.5*V)',
      '1-0:1.8.0(0.000*kWh)',
    ]);
    await expect.poll(() => made.status().values).toEqual({ gridPowerW: -100 });
    expect(made.status().dropped['acVoltage1V']).toBeGreaterThan(0);
    expect(made.status().dropped).not.toHaveProperty('gridImportTotalKwh');
  });
});

test('probe shows each value with its fields and sources, and what is not used', async () => {
  const server = await serve(() =>
    p1Telegram([...P1_LINES, '1-0:14.7.0(50.0*Hz)', '1-0:1.4.0(0.5*kW)']),
  );
  const place = createPlace();
  ended.push(() => place.remove());
  const address = `p1://127.0.0.1:${server.port}`;
  const { code, output, notes } = await place.collect('probe', address);
  expect(code, notes).toBe(0);
  expect(output).toContain(P1_SN);
  expect(output).toMatch(/2\.7\.0 kW - 1\.7\.0 kW +2345 +gridPowerW +dsm nba/);
  expect(output).toMatch(/14\.7\.0 Hz +50 +gridFrequencyHz +dsm +unconfirmed: one source/);
  expect(output).toContain('not used: 1.4.0 kW 0.5');
  const { output: json } = await place.collect('probe', address, '--json');
  expect(JSON.parse(json)).toMatchObject([
    { sn: P1_SN, kind: 'ammeter', others: { '1.4.0 kW': 0.5 } },
  ]);
  expect((await place.collect('capture', address)).notes).toContain('p1 has no registers');
});

test.each([
  ['p1:/dev/ttyUSB0', { kind: 'p1', path: '/dev/ttyUSB0', baud: 115_200 }],
  ['p1:///dev/ttyUSB0?baud=9600', { kind: 'p1', path: '/dev/ttyUSB0', baud: 9600 }],
  ['sml:/dev/ttyUSB0', { kind: 'sml', path: '/dev/ttyUSB0', baud: 9600 }],
  ['p1://192.168.1.40:8088', { kind: 'p1', host: '192.168.1.40', port: 8088 }],
])('the address %s', (text, expected) => {
  expect(parseDeviceAddress(text)).toEqual(expected);
});
test.each([
  ['p1://192.168.1.40', 'names no port'],
  ['p1:', 'names no host'],
  ['p1:/dev/ttyUSB0?baud=1', 'baud is one of'],
  ['p1:/dev/ttyUSB0?parity=even', 'unknown setting "parity"; known: baud'],
  ['p1://192.168.1.40:8088?baud=9600', 'unknown setting "baud"'],
  ['p1://192.168.1.40:70000', 'there is no port 70000'],
])('the address %s is refused', (text, expected) => {
  expect(() => parseDeviceAddress(text)).toThrow(expected);
});
