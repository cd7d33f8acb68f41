import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { modbusPython, startModbusServer } from '../bus/modbus-server.ts';
import { freePort } from '../support/free-port.ts';
import { createPlace } from './collecting.ts';
import { solisImage } from './solis-image.ts';

const python = await modbusPython();
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

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
