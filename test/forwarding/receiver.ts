import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ForwardedEvent } from '@helioport/contract';
import { afterAll, beforeAll, beforeEach } from 'vitest';

/** What a receiver does with a request. */
export type Reaction =
  | {
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
      readonly after?: Promise<unknown>;
    }
  /** Never answers. */
  | 'hang'
  /** Closes the connection. */
  | 'close';

export interface Receiver {
  readonly url: string;
  /** The events that it has acknowledged, in the order of the answers. */
  readonly taken: ForwardedEvent[];
  /** All requests, with what was in them. */
  readonly seen: ForwardedEvent[];
  /** What it does; 200 at first. */
  react: (event: ForwardedEvent) => Reaction;
  close(): Promise<void>;
}

const takeAll = (): Reaction => ({ status: 200 });

/** A receiver for the tests of a suite: at the beginning of each it has seen nothing, and takes everything. */
export function useReceiver(): Receiver {
  const receiver = {} as Receiver;
  beforeAll(async () => void (await startReceiver(receiver)));
  beforeEach(() => {
    receiver.taken.length = 0;
    receiver.seen.length = 0;
    receiver.react = takeAll;
  });
  afterAll(() => receiver.close());
  return receiver;
}

/** Somebody else's endpoint: a plain HTTP server that keeps what it is sent. */
export async function startReceiver(
  receiver = {} as { react: Receiver['react'] },
): Promise<Receiver> {
  const [taken, seen]: [ForwardedEvent[], ForwardedEvent[]] = [[], []];
  receiver.react = takeAll;

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const event = JSON.parse(Buffer.concat(chunks).toString()) as ForwardedEvent;
    seen.push(event);
    const reaction = receiver.react(event);
    if (reaction === 'hang') return;
    if (reaction === 'close') return void request.socket.destroy();
    await reaction.after;
    if (reaction.status < 300) taken.push(event);
    response.writeHead(reaction.status, reaction.headers).end(reaction.body);
  }

  const server = createServer(
    (request, response) => void take(request, response).catch(() => request.socket.destroy()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(receiver, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/events`,
    taken,
    seen,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}
