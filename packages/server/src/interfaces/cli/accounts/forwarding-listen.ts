import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { readWebhook, WebhookError, type ReceivedEvent } from '@helioport/sdk';
import type { CliContext } from '../context.ts';
import { CliCommandFault } from '../installation/faults.ts';
import { stopSignal } from '../installation/stop-signal.ts';
import { localTimeText } from '../operator.ts';

export interface ListenOptions {
  readonly port: number;
  /** Milliseconds; until it is interrupted, if undefined. */
  readonly for?: number;
}

/** A batch has at most a hundred events. */
const BODY_BYTES = 4 * 1024 * 1024;

/** One line for an event. */
export const eventLineOf = ({
  occurredAt,
  kind,
  deviceSn,
  sequence,
  data,
}: Pick<ReceivedEvent, 'occurredAt' | 'kind' | 'deviceSn' | 'sequence' | 'data'>): string =>
  [localTimeText(occurredAt), kind, deviceSn ?? '-', sequence, JSON.stringify(data)].join('  ');

/** Receives events over HTTP on this machine, checks their signatures with the secret of the destination, and prints them. Throws CommandFault. */
export async function listen(
  context: CliContext,
  { port, for: forMs }: ListenOptions,
): Promise<void> {
  const secret = await context.readPassword();
  if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(secret))
    throw new CliCommandFault('the secret of an HTTP destination begins with whsec_');
  const server = createServer((request, response) => {
    void receive(request, secret).then(
      (events) => {
        for (const event of events) context.print(event, () => eventLineOf(event));
        response.writeHead(204).end();
      },
      (error: unknown) => {
        context.note(
          `refused: ${error instanceof WebhookError ? error.message : 'the request could not be read'}`,
        );
        response.writeHead(400, { connection: 'close' }).end();
      },
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw new CliCommandFault(`cannot listen on port ${port}: ${error.code}`);
  });
  context.note(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  await (forMs === undefined ? stopSignal() : setTimeout(forMs));
  server.close();
  server.closeAllConnections();
}

/** Reads the events of a request. Throws WebhookError if it is not signed with the secret. */
export async function receive(request: IncomingMessage, secret: string): Promise<ReceivedEvent[]> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > BODY_BYTES) throw new WebhookError('the request is too long');
    parts.push(part);
  }
  const bytes = Buffer.concat(parts);
  const body =
    request.headers['content-encoding'] === 'gzip'
      ? gunzipSync(bytes, { maxOutputLength: BODY_BYTES })
      : bytes;
  return readWebhook(
    { headers: request.headers, body: body.toString('utf8') },
    { secrets: [secret] },
  );
}
