import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { discover } from '../../packages/collector/src/site/find/discover.ts';
import { readHello } from '../../packages/collector/src/site/find/hello.ts';
import { hostsOf } from '../../packages/collector/src/site/find/network.ts';
import { modbusPython, startModbusServer } from '../bus/modbus-server.ts';
import { startStick } from './fake-stick.ts';
import { solisImage } from './solis-image.ts';

const python = await modbusPython();
const mayUsePorts = process.getuid?.() === 0 && process.platform === 'linux';
const ended: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

test.runIf(python && mayUsePorts)(
  'a stick, two Modbus devices, a tarpit and a closed port of a network are distinguished within a minute',
  async () => {
    const servers = await Promise.all([
      startModbusServer(
        python!,
        'tcp',
        { 1: solisImage('1031051234567811') },
        { host: '127.0.0.11', port: 502 },
      ),
      startModbusServer(
        python!,
        'tcp',
        { 1: solisImage('1031051234567812') },
        { host: '127.0.0.12', port: 1502 },
      ),
    ]);
    ended.push(() => Promise.all(servers.map((server) => server.stop())));
    const stick = await startStick('127.0.0.13', 2_700_000_013, solisImage('1031051234567813'));
    ended.push(() => stick.stop());
    const held = new Set<Socket>();
    let [connections, together] = [0, 0];
    const tarpit = createServer((socket) => {
      held.add(socket);
      connections++;
      together = Math.max(together, held.size);
      socket.on('error', () => {});
      socket.resume();
      socket.once('close', () => held.delete(socket));
    }).listen(502, '127.0.0.14');
    await once(tarpit, 'listening');
    ended.push(() => {
      for (const socket of held) socket.destroy();
      tarpit.close();
    });

    const startedAt = systemClock.now();
    const found = await discover('127.0.0.0/24', {
      clock: systemClock,
      pause: timerPause,
      random: Math.random,
    });
    const usable = found.filter(({ problem }) => problem === null);
    expect(
      usable.map(({ address, sn }) => [address, sn]).toSorted(([a], [b]) => (a! < b! ? -1 : 1)),
    ).toEqual([
      ['tcp://127.0.0.11:502', '1031051234567811'],
      ['tcp://127.0.0.12:1502', '1031051234567812'],
      ['v5://127.0.0.13:8899?serial=2700000013', '1031051234567813'],
    ]);
    const silent = found.find(({ address }) => address === 'tcp://127.0.0.14:502');
    expect(silent?.problem).toContain('nobody answers as unit 1');
    expect(found.every(({ address }) => !address.includes('127.0.0.15'))).toBe(true);
    expect(systemClock.now() - startedAt).toBeLessThan(60_000);
    expect(connections).toBeGreaterThan(0);
    expect([together, stick.together]).toEqual([1, 1]);
  },
);

describe('networks', () => {
  test('have at most 254 hosts', () => {
    expect(hostsOf('192.168.1.77/30')).toEqual({
      hosts: ['192.168.1.77', '192.168.1.78'],
      broadcast: '192.168.1.79',
    });
    expect(hostsOf('10.0.0.0/24').hosts).toHaveLength(254);
    expect(hostsOf('10.0.0.5').hosts).toEqual(['10.0.0.5']);
    expect(() => hostsOf('10.0.0.0/16')).toThrow('is too large');
    for (const text of ['10.0.0', '10.0.0.256/24', 'x', '10.0.0.0/33'])
      expect(() => hostsOf(text)).toThrow('is no network');
  });
});

test('an answer of a stick names its serial number, and anything else is none', () => {
  expect(readHello('192.168.1.9,ACCF23000000,2700000001')).toEqual({
    host: '192.168.1.9',
    serial: 2_700_000_001,
  });
  expect(readHello('192.168.1.9,ACCF23000000,HF-LPB100')).toBeUndefined();
  expect(readHello('+ERR')).toBeUndefined();
});
