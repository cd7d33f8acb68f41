import { hash } from 'node:crypto';
import {
  Agent as HttpAgent,
  request as requestHttp,
  type ClientRequest,
  type IncomingMessage,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { promisify } from 'node:util';
import { gzip as compress } from 'node:zlib';
import { withTimeout } from '../../platform/kernel/within.ts';
import { openSocket } from '../../platform/egress/socket.ts';
import { readDestinationAddress } from './address.ts';
import { sendInTime, capped } from './send-in-time.ts';
import type { HttpDestination, OpenSink, DeliveryOutcome, OutgoingEvent } from './sink.ts';
import { signWebhook, webhookKey } from './standard-webhooks.ts';

const gzip = promisify(compress);

const EVENTS_PER_BATCH = 100;
const CONNECTIONS = 16;

/** What is read of an answer, so that its connection can be used again; the beginning of it is kept. */
const BODY_BYTES = 16 * 1024;
const BODY_MS = 1_000;
const EXCERPT_LETTERS = 1024;

/** Shorter than what servers allow an idle connection. */
const IDLE_MS = 4_000;

/** What is answered instead of an endpoint that is away or has too much to do. Faults of its own (500) may be about the event alone. */
const UNAVAILABLE: readonly number[] = [408, 425, 429, 502, 503, 504];

const RETRY_AFTER_AT_MOST_MS = 86_400_000;

/** Posts events to an endpoint, in the form of Standard Webhooks. */
export const openHttpSink: OpenSink<HttpDestination> = async (
  destination,
  { egress, clock, limitMs },
) => {
  const { batches, caCertificates } = destination;
  const keys = destination.secrets.map(webhookKey);
  const { host, port, encrypted, path } = readDestinationAddress(destination.url);
  const agent = new (encrypted ? HttpsAgent : HttpAgent)({
    keepAlive: true,
    maxSockets: CONNECTIONS,
    timeout: IDLE_MS,
  });
  agent.createConnection = () => openSocket(egress, { host, port, encrypted, caCertificates });

  function open(headers: Record<string, string>, signal: AbortSignal): ClientRequest {
    // Redirects are not followed: these functions know none.
    const request = encrypted ? requestHttps : requestHttp;
    return request({ agent, host, port, path, method: 'POST', headers, signal });
  }

  async function exchange(
    headers: Record<string, string>,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<IncomingMessage> {
    const request = open(headers, signal);
    try {
      return await responseTo(request, body);
    } catch (error) {
      // The peer closed an idle connection at the moment when it was used again.
      if (!request.reusedSocket || signal.aborted) throw error;
      return await responseTo(open(headers, signal), body);
    }
  }

  async function post(
    events: readonly OutgoingEvent[],
    signal: AbortSignal,
  ): Promise<DeliveryOutcome> {
    const { id, body } = batches ? batchOf(events) : events[0]!;
    const bytes = destination.gzip ? await gzip(body) : Buffer.from(body);
    const headers = {
      'content-type': 'application/json',
      'content-length': `${bytes.length}`,
      ...(destination.gzip && { 'content-encoding': 'gzip' }),
      // An excerpt of the answer is read as it is; nothing is ever unpacked.
      'accept-encoding': 'identity',
      'user-agent': 'Helioport',
      ...signWebhook({ id, at: clock.now(), body }, keys),
    };
    const response = await exchange(headers, bytes, signal);
    const status = response.statusCode!;
    const excerpt = await excerptOf(response);
    if (status >= 200 && status < 300) return { kind: 'delivered' };
    if (status === 410)
      return { kind: 'gone', reason: 'the endpoint answered 410: it wants no more events' };
    const retryAfterMs = retryAfter(response.headers['retry-after'], clock.now());
    return {
      kind: 'failed',
      reason: `the endpoint answered ${status}${status < 400 ? '; redirects are not followed' : ''}`,
      ...(excerpt !== '' && { excerpt }),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(status >= 400 &&
        retryAfterMs === undefined &&
        !UNAVAILABLE.includes(status) && { isRefusal: true }),
    };
  }

  return {
    atMost: batches ? EVENTS_PER_BATCH : 1,
    send: (events, stop) => sendInTime((signal) => post(events, signal), stop, limitMs),
    async close() {
      agent.destroy();
    },
  };
};

/** Several events as one message. Its id follows from theirs, so that a repeated batch is known again. */
function batchOf(events: readonly OutgoingEvent[]): { id: string; body: string } {
  const ids = events.map(({ id }) => id).join(' ');
  return {
    id: `batch_${hash('sha256', ids).slice(0, 32)}`,
    body: `[${events.map(({ body }) => body).join(',')}]`,
  };
}

/** Interim answers (1xx) that are waited through; an endpoint that goes on with them never answers. */
const INTERIM_AT_MOST = 10;

/** Sends a request. Rejects at once if the peer changes the protocol, which nobody asked for, instead of answering. */
export function responseTo(request: ClientRequest, body: Buffer): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  let interim = 0;
  const refuse = (status: number): void => {
    reject(new Error(`the endpoint answered ${status}, and nothing after it`));
    request.destroy();
  };
  request.on('response', (response) =>
    response.statusCode! < 200 ? refuse(response.statusCode!) : resolve(response),
  );
  request.on('information', ({ statusCode }) => {
    interim += 1;
    if (statusCode === 101 || interim > INTERIM_AT_MOST) refuse(statusCode);
  });
  request.on('upgrade', ({ statusCode = 101 }, socket) => {
    socket.destroy();
    refuse(statusCode);
  });
  request.on('error', reject);
  request.end(body);
  return promise;
}

/** The beginning of an answer, or nothing if it is compressed. Never rejects: what counts is the status, which has arrived. */
export async function excerptOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  const read = async (): Promise<void> => {
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length >= BODY_BYTES) break;
    }
  };
  await withTimeout(
    BODY_MS,
    read().catch(() => {}),
  );
  if (!response.complete) response.destroy();
  const isReadable = (response.headers['content-encoding'] ?? 'identity') === 'identity';
  return isReadable ? capped(Buffer.concat(chunks).toString('utf8'), EXCERPT_LETTERS) : '';
}

/** Milliseconds from `Retry-After`, which is a number of seconds or a date. RFC 9110 10.2.3 */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? Math.min(ms, RETRY_AFTER_AT_MOST_MS) : undefined;
}
