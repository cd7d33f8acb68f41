import { request } from 'node:http';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { excerptOf, responseTo } from '../../../packages/server/src/outbound/sinks/http.ts';

let server: Server | undefined;
afterEach(() => server?.close());

/** What an endpoint that writes this gets for an answer. */
async function answerOf(text: string): Promise<{ status: number; excerpt: string }> {
  server = createServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.write(text));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server!.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', method: 'POST', agent: false });
  const response = await responseTo(asked, Buffer.from('{}'));
  const excerpt = await excerptOf(response);
  response.destroy();
  return { status: response.statusCode!, excerpt };
}

const SWITCHING = 'HTTP/1.1 101 Switching Protocols\r\n';

test.each([
  [
    '101 that changes the protocol',
    `${SWITCHING}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  ['101 alone', `${SWITCHING}\r\n`],
  ['101 and then an answer', `${SWITCHING}\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n`],
  ['interim answers without an end', 'HTTP/1.1 102 Processing\r\n\r\n'.repeat(50)],
])('an endpoint that answers %s has failed, at once', async (_, text) => {
  await expect(answerOf(text)).rejects.toThrow(/answered 10[12], and nothing after it/);
});

test('an answer that comes after interim ones counts', async () => {
  const text = `HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n`;
  expect(await answerOf(`${text}HTTP/1.1 204 No Content\r\n\r\n`)).toMatchObject({ status: 204 });
});

test('an answer whose body hangs half way counts by its status, after a moment', async () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
  expect(await answerOf(text)).toEqual({ status: 200, excerpt: 'half' });
});
