import { once } from 'node:events';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { Webhook } from 'standardwebhooks';
import type { Certificate } from './certificates.ts';
import type { Received } from './suite.ts';

export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

export interface Delivery extends Received {
  readonly headers: IncomingHttpHeaders;
}

/** An endpoint that checks what it gets with the reference library of Standard Webhooks. */
export interface WebhookEndpoint {
  readonly port: number;
  readonly deliveries: Delivery[];
  /** Answers the next requests instead of 204, after they were verified. */
  answer: ((response: ServerResponse, request: IncomingMessage) => void) | undefined;
  close(): Promise<void>;
}

export async function openWebhookEndpoint({ cert, key }: Certificate): Promise<WebhookEndpoint> {
  const sockets = new Set<Duplex>();
  const webhook = new Webhook(SECRET);
  const server = createServer({ cert, key }, async (request, response) => {
    const bytes = await buffer(request).catch(() => undefined);
    if (!bytes) return;
    const body = (
      request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes
    ).toString('utf8');
    try {
      webhook.verify(body, request.headers as Record<string, string>);
    } catch (error) {
      return void response.writeHead(400).end(String(error));
    }
    endpoint.deliveries.push({
      id: request.headers['webhook-id'] as string,
      body,
      headers: request.headers,
    });
    if (endpoint.answer) endpoint.answer(response, request);
    else response.writeHead(204).end();
  });
  server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const endpoint: WebhookEndpoint = {
    port: (server.address() as AddressInfo).port,
    deliveries: [],
    answer: undefined,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return endpoint;
}
