import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registerProfiles, type Table } from '@helioport/devices';
import { afterEach, expect, test } from 'vitest';
import type { Master } from '../../packages/collector/src/bus/master.ts';
import { openBus } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { capture } from '../../packages/collector/src/site/find/capture.ts';
import { replay } from '../../packages/collector/src/site/find/replay-server.ts';
import { modbusPython, startModbusServer } from '../bus/modbus-server.ts';
import { freePort } from '../support/free-port.ts';
import { createPlace } from './collecting.ts';
import { solisImage } from './solis-image.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A device that has every register, each with two letters. */
async function everything(): Promise<{ bus: Master; close: () => unknown }> {
  const run = Array.from({ length: 65_536 }, () => 0x4869);
  const server = await replay(
    {
      format: 'helioport-capture-1',
      family: null,
      unit: 1,
      tables: { holding: { 0: run }, input: { 0: run } },
    },
    { host: '127.0.0.1', port: 0 },
  );
  const bus = openBus(
    { kind: 'tcp', host: '127.0.0.1', port: server.port },
    {
      clock: systemClock,
      pause: (ms, signal) => timerPause(ms < 1_000 ? 0 : ms, signal),
      random: Math.random,
    },
  );
  return {
    bus,
    close: async () => {
      bus.close();
      await server.close();
    },
  };
}

interface Probed {
  readonly sn: string;
  readonly family: string;
  readonly values: {
    id: string;
    raw: number;
    value: number;
    quantity: string;
    sources: string[];
    doubt: string | null;
  }[];
}

test.runIf(python)(
  'a device is probed, captured without its serial number, and replayed as a device with the same values',
  async () => {
    const sn = '1031051234567890';
    const server = await startModbusServer(python!, 'tcp', { 1: solisImage(sn) });
    ended.push(() => server.stop());
    const place = createPlace();
    ended.push(() => place.remove());
    const probe = async (address: string): Promise<Probed> => {
      const { code, output, notes } = await place.collect(
        'probe',
        address,
        '--unit',
        '1',
        '--json',
      );
      expect(code, notes).toBe(0);
      return JSON.parse(output) as Probed;
    };
    const real = await probe(`tcp://127.0.0.1:${server.place}`);
    expect(real).toMatchObject({ sn, family: 'solis-storage' });
    const soc = real.values.find(({ quantity }) => quantity === 'batterySocPercent');
    expect(soc).toMatchObject({ raw: 68, value: 68, doubt: null });
    expect(real.values.some(({ doubt }) => doubt?.startsWith('unconfirmed'))).toBe(true);

    const captured = await place.collect(
      'capture',
      `tcp://127.0.0.1:${server.place}`,
      '--out',
      'mine.json',
    );
    expect(captured.code, captured.notes).toBe(0);
    const text = readFileSync(join(place.folder, 'mine.json'), 'utf8');
    const { tables } = JSON.parse(text) as { tables: Record<string, Record<string, number[]>> };
    const words = Object.values(tables).flatMap((runs) => Object.values(runs).flat());
    const asText = words.map((word) => String.fromCharCode(word >> 8, word & 0xff)).join('');
    expect(asText).not.toContain(sn.slice(4));
    expect(text).not.toMatch(/127\.0\.0\.1|token|ssid/i);

    const port = await freePort();
    const stop = place.start('replay', 'mine.json', '--listen', `127.0.0.1:${port}`);
    ended.push(stop);
    const replayed = await probe(`tcp://127.0.0.1:${port}`);
    expect(replayed.sn).not.toBe(sn);
    const measured = ({ values }: Probed) =>
      values.filter(({ quantity }) => quantity !== null).map(({ id, value }) => [id, value]);
    expect(measured(replayed)).toEqual(measured(real));
  },
);

test('a device that nobody knows is captured wherever any family has registers, without a text', async () => {
  const { bus, close } = await everything();
  ended.push(close);
  const { tables, family } = await capture({ bus, unit: 1 }, systemClock);
  expect(family).toBeNull();
  for (const { id, registers } of registerProfiles()) {
    const has = (table: string, address: number): boolean =>
      Object.entries(tables[table as Table] ?? {}).some(
        ([from, run]) => Number(from) <= address && address < Number(from) + run.length,
      );
    for (const { table, address, count } of registers!.blocks)
      expect([id, address, has(table, address) && has(table, address + count - 1)]).toEqual([
        id,
        address,
        true,
      ]);
    for (const [parameter, { table, encoding }] of registers!.places)
      if ('address' in encoding)
        expect([id, parameter, has(table, encoding.address)]).toEqual([id, parameter, true]);
  }
  // Every word was a part of a text; one or two words by themselves are none.
  const words = Object.values(tables)
    .flatMap((runs) => Object.values(runs))
    .filter((run) => run.length >= 3)
    .flat();
  expect(new Set(words)).toEqual(new Set([0x3030]));
});

test('what cannot be done is one sentence with what to do', async () => {
  const place = createPlace();
  ended.push(() => place.remove());
  const port = await freePort();
  const notes = async (...args: string[]): Promise<string> => (await place.collect(...args)).notes;
  expect(await notes('probe', `tcp://127.0.0.1:${port}`)).toBe(
    `collect: 127.0.0.1:${port} is closed: nothing listens on this port; switch on Modbus TCP at the device, or write the port that it uses`,
  );
  expect(await notes('probe', 'no.such.host.invalid')).toContain('no host has this name');
  expect(await notes('probe', 'x y')).toContain('is no address');
  expect(await notes('replay', 'none.json')).toContain('none.json cannot be replayed');
  expect(await notes('run')).toContain('discover --write');
  expect(await notes('discover', '10.0.0.0/8')).toContain('is too large');
  expect((await place.collect('probe')).code).toBe(2);
  expect((await place.collect('frobnicate')).code).toBe(2);
});
