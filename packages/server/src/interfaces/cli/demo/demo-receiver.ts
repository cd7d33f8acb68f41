import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventLineOf, receive } from '../accounts/forwarding-listen.ts';

/** Where the events of the demo's application arrive. */
export interface DemoReceiver {
  /** Where the newest events can be seen. */
  readonly url: string;
  /** The destination's address. */
  readonly eventsUrl: string;
  /** Takes events that are signed with this secret, and no others. */
  expect(secret: string): void;
  close(): void;
}

/** Also tells the destinations of earlier starts, at whose ports nobody listens any more. */
export const EVENTS_PATH = 'demo-events';

const LINES_AT_MOST = 200;
/** How often a browser asks again. */
const REFRESH_SECONDS = 5;

/** Begins to receive on a free port of this machine. Nothing is taken before `expect` was called. */
export async function startDemoReceiver(): Promise<DemoReceiver> {
  const lines: string[] = [];
  let secret: string | undefined;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (secret === undefined) return void response.writeHead(503, { connection: 'close' }).end();
    for (const event of await receive(request, secret)) lines.unshift(eventLineOf(event));
    lines.length = Math.min(lines.length, LINES_AT_MOST);
    response.writeHead(204).end();
  }

  function show(response: ServerResponse): void {
    const text =
      lines.length > 0 ? lines.join('\n') : 'Nothing yet. Readings come every five minutes.';
    response
      .writeHead(200, {
        'content-type': 'text/plain; charset=utf-8',
        refresh: String(REFRESH_SECONDS),
        'cache-control': 'no-store',
      })
      .end(`${text}\n`);
  }

  const server = createServer((request, response) => {
    if (request.method === 'POST')
      void take(request, response).catch(() =>
        response.writeHead(400, { connection: 'close' }).end(),
      );
    else show(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url,
    eventsUrl: `${url}${EVENTS_PATH}`,
    expect: (given) => void (secret = given),
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
