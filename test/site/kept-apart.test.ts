import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { replay } from '../../packages/collector/src/site/find/replay-server.ts';
import { freePort } from '../support/free-port.ts';
import { createPlace, type Place } from './collecting.ts';
import { connectStick } from './fake-stick.ts';
import { solisImage } from './solis-image.ts';

const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** A device that works. */
async function inverter(sn: string): Promise<number> {
  const { 3: holding = {}, 4: input = {} } = solisImage(sn);
  const server = await replay(
    { format: 'helioport-capture-1', family: null, unit: 1, tables: { holding, input } },
    { host: '127.0.0.1', port: 0 },
  );
  ended.push(() => server.close());
  return server.port;
}

function place(lines: readonly string[]): Place {
  const made = createPlace();
  ended.push(() => made.remove());
  writeFileSync(join(made.folder, 'token'), 'x'.repeat(40));
  // Nobody is there to take the reports: they are kept.
  writeFileSync(
    join(made.folder, 'collect.yaml'),
    ['gateway: http://127.0.0.1:9', 'report-every: 5s', ...lines].join('\n'),
  );
  return made;
}

const keptBy = ({ folder }: Place): string =>
  readFileSync(join(folder, 'collect-data', 'backlog.jsonl'), 'utf8');

test('a closed port, a silent device and a wrong unit are named, and none keeps the others from being reported', async () => {
  const closed = await freePort();
  const held = new Set<Socket>();
  const tarpit = createServer((socket) => void held.add(socket.on('error', () => {}).resume()));
  tarpit.listen(0, '127.0.0.1');
  await once(tarpit, 'listening');
  ended.push(() => {
    for (const socket of held) socket.destroy();
    tarpit.close();
  });
  const silent = (tarpit.address() as { port: number }).port;
  const works = await inverter('1031051234567890');
  const site = place([
    'devices:',
    `  - address: tcp://127.0.0.1:${closed}`,
    `  - address: tcp://127.0.0.1:${silent}`,
    '    unit: 7',
    `  - address: tcp://127.0.0.1:${works}`,
  ]);
  ended.push(site.start('run'));
  await expect
    .poll(() => site.notes.join('\n'), { timeout: 40_000 })
    .toMatch(
      /switch on Modbus TCP[\s\S]*nobody answers as unit 7|nobody answers as unit 7[\s\S]*switch on/,
    );
  await expect.poll(() => keptBy(site), { timeout: 40_000 }).toContain('"batterySocPercent":68');
  expect(site.notes.join('\n')).toContain('readings are kept and delivered later');
});

test('what a stick reports is kept, and its inverter is asked over the same connection', async () => {
  const port = await freePort();
  const site = place([
    'devices:',
    '  - address: push:2700000001',
    'listen:',
    `  solarman: 127.0.0.1:${port}`,
  ]);
  ended.push(site.start('run'));
  await expect
    .poll(() => readState(site), { timeout: 20_000 })
    .toContain('has not connected to this machine yet');
  // Nobody is there to tell the time, so that sticks are sent away at first; they come again.
  let socket: Socket | undefined;
  ended.push(() => socket?.destroy());
  const isKept = async (): Promise<boolean> => {
    if (!socket || socket.destroyed) {
      socket = await connectStick(port, 2_700_000_001, solisImage('1031051234567890'));
      // Its heartbeat: who it is.
      socket.write(Buffer.from('a5010010478d6901bbeea0009815', 'hex'));
    }
    return keptBy(site).includes('"via":"push"');
  };
  await expect.poll(isKept, { timeout: 60_000, interval: 200 }).toBe(true);
});

const readState = ({ folder }: Place): string => {
  try {
    return readFileSync(join(folder, 'collect-data', 'status.json'), 'utf8');
  } catch {
    return '';
  }
};

test('a second collector in the same folder is refused, and a missing token is named', async () => {
  const port = await inverter('1031051234567890');
  const site = place(['devices:', `  - address: tcp://127.0.0.1:${port}`]);
  const stop = site.start('run');
  await expect.poll(() => readState(site)).not.toBe('');
  writeFileSync(join(site.folder, 'collect-data', 'run.pid'), String(process.ppid));
  const second = await site.collect('run');
  expect([second.code, second.notes]).toEqual([
    1,
    expect.stringContaining('a collector runs here already'),
  ]);
  await stop();
  // The same number after a power cut, of another program.
  writeFileSync(join(site.folder, 'collect-data', 'run.pid'), `${process.ppid} other-boot/1`);
  const again = site.start('run');
  await expect
    .poll(() => readFileSync(join(site.folder, 'collect-data', 'run.pid'), 'utf8'))
    .toMatch(new RegExp(`^${process.pid}\\b`));
  await again();
  const other = place(['devices:', `  - address: tcp://127.0.0.1:${port}`]);
  writeFileSync(join(other.folder, 'token'), '');
  expect((await other.collect('run')).notes).toContain('holds no token');
});
