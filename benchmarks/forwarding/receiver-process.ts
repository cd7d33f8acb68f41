// A receiver in a process of its own: subscribes to a broker, or listens for HTTP. Notes when events arrive, and tells it on request.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { connectAsync } from 'mqtt';
import type { Arrival } from './receiver.ts';

const [broker] = process.argv.slice(2);
const arrivals: Arrival[] = [];
/** Paths from this one on are dead: every other one hangs, and the rest refuse. */
let deadFrom = Infinity;

function note(to: number, body: string): void {
  const { deviceSn, occurredAt } = JSON.parse(body) as { deviceSn: string; occurredAt: number };
  arrivals.push([to, deviceSn, occurredAt, performance.timeOrigin + performance.now()]);
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const to = Number(request.url!.slice(1));
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    if (to >= deadFrom) {
      if (to % 2 === 0) response.destroy();
      return;
    }
    note(to, Buffer.concat(chunks).toString());
    response.writeHead(204).end();
  });
}

process.on('message', (message: 'take' | { deadFrom: number }) => {
  if (message === 'take') process.send!(arrivals.splice(0));
  else ({ deadFrom } = message);
});

if (broker !== undefined) {
  const client = await connectAsync(broker, { protocolVersion: 5 });
  client.on('message', (_topic, payload) => note(0, payload.toString()));
  await client.subscribeAsync('#', { qos: 0 });
  process.send!(broker);
} else {
  const server = createServer({ keepAliveTimeout: 60_000 }, answer).listen(
    0,
    '127.0.0.1',
    4096,
    () => {
      process.send!(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    },
  );
}
