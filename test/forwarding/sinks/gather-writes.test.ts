import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { gatherWrites } from '../../../packages/server/src/outbound/sinks/gather-writes.ts';

let peer: Socket;
let socket: Socket;
let written: ReturnType<typeof vi.spyOn>;

beforeEach(async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  [[peer]] = (await Promise.all([once(server, 'connection'), once(socket, 'connect')])) as [
    [Socket],
    unknown,
  ];
  server.close();
  written = vi.spyOn(socket, 'write');
  gatherWrites(socket);
});
afterEach(() => {
  peer.destroy();
  socket.destroy();
});

test('what is written within a turn leaves in one piece, in its order', async () => {
  // Or MQTT.js would ask for a turn of its own for each message.
  expect(socket.cork).toBeUndefined();
  socket.write('Sonne ☀ ');
  socket.write(Buffer.from('and '));
  socket.write(Uint8Array.of(109, 111, 111, 110));
  expect(written).not.toHaveBeenCalled();
  await nextTurn();
  socket.write('!');
  await nextTurn();
  expect(written).toHaveBeenCalledTimes(2);
  socket.end();
  expect((await buffer(peer)).toString()).toBe('Sonne ☀ and moon!');
});

test('parts of any length and alphabet arrive as they are', async () => {
  const parts = [
    '',
    'short',
    'short and Grün',
    'x'.repeat(31),
    'x'.repeat(32),
    '☀'.repeat(20),
    '\ud83c\udf1e',
    '\x7f\x80',
  ];
  for (const part of parts) socket.write(part);
  for (const part of parts) socket.write(Buffer.from(part));
  socket.end();
  expect((await buffer(peer)).toString()).toBe(`${parts.join('')}${parts.join('')}`);
});

test('what was not sent yet is sent before the end', async () => {
  socket.write('last words');
  socket.end();
  expect((await buffer(peer)).toString()).toBe('last words');
});

test('nothing is overwritten while a slow peer has not taken it, however much it is', async () => {
  // Nobody reads yet: some megabytes wait.
  let sent = '';
  let isFree = true;
  for (let turn = 0; turn < 400; turn++) {
    const part = `${turn} `.repeat(4_000) + '☀'.repeat(turn % 3);
    sent += part;
    isFree = socket.write(part);
    if (turn % 2 === 0) await nextTurn();
  }
  // More than is gathered at once.
  const large = Buffer.alloc(300_000, 'large ');
  socket.write(large);
  socket.write('end');
  sent += `${large.toString()}end`;
  expect(isFree).toBe(false);
  socket.end();
  expect((await buffer(peer)).toString() === sent).toBe(true);
});
