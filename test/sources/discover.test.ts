import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { createPlace } from '../site/collecting.ts';
import { GEN24 } from './fronius-answers.ts';
import { hasMosquitto, PORTAL, startGxDevice } from './gx-device.ts';
import { startHttpDevice } from './http-device.ts';
import { PRO_3EM, PRO_EM } from './shelly-answers.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** Whether the usual ports may be opened here. */
async function mayOpen(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.9.91');
  const isOpen = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false);
  server.close();
  return isOpen;
}

test.runIf((await mayOpen(80)) && (await mayOpen(1883)) && hasMosquitto)(
  'meters and inverters without registers are found, one connection after the other, and written down',
  async () => {
    const web = (host: string, answers: Readonly<Record<string, unknown>>) =>
      startHttpDevice({ answers: () => answers, host, port: 80 });
    const [shelly, clamps, fronius, page] = await Promise.all([
      web('127.0.9.92', PRO_3EM),
      web('127.0.9.93', PRO_EM),
      web('127.0.9.94', GEN24),
      web('127.0.9.89', { '/': '<html>' }),
    ]);
    const gx = await startGxDevice({ host: '127.0.9.90', port: 1883 });
    ended.push(() =>
      Promise.all([shelly, clamps, fronius, page, gx].map((device) => device.close())),
    );
    const place = createPlace();
    ended.push(() => place.remove());
    const { code, output, notes } = await place.collect(
      'discover',
      '127.0.9.88/29',
      '--json',
      '--write',
    );
    expect(code, notes).toBe(0);
    const found = JSON.parse(output) as {
      address: string;
      sn: string | null;
      problem: string | null;
    }[];
    expect(
      found
        .map(({ address, sn }) => [address, sn])
        .toSorted(([a, b], [c, d]) => (`${a} ${b}` < `${c} ${d}` ? -1 : 1)),
    ).toEqual([
      ['fronius://127.0.9.94:80', '1234567890'],
      ['fronius://127.0.9.94:80', '34567890'],
      ['shelly://127.0.9.92:80', 'AABBCCDDEEFF'],
      ['shelly://127.0.9.93:80', null],
      ['victron://127.0.9.90:1883', 'BP98305081235'],
      ['victron://127.0.9.90:1883', PORTAL],
    ]);
    expect(found.find(({ sn }) => sn === null)?.problem).toContain('say what each measures');
    // Two questions at most to a host that is none of these.
    expect(page.asked).toEqual(['/shelly', '/solar_api/GetAPIVersion.cgi']);
    const file = readFileSync(join(place.folder, 'collect.yaml'), 'utf8');
    expect(file.match(/address: .*/g)!.toSorted()).toEqual([
      'address: fronius://127.0.9.94:80',
      'address: shelly://127.0.9.92:80',
      'address: victron://127.0.9.90:1883',
    ]);
  },
  30_000,
);
