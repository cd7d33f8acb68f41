import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { HOUR_MS } from '@helioport/contract/durations';
import type { Egress } from '../../platform/egress/egress.ts';
import { openSocket } from '../../platform/egress/socket.ts';
import { WeatherFault } from './read-answer.ts';

const BYTES_AT_MOST = 4 * 1024 * 1024;
/** So many squares of a run have to fit into its minute. */
const PATIENCE_MS = 10_000;
const RETRY_AFTER_AT_MOST_MS = 24 * HOUR_MS;

/** What a weather service answered. */
export type WeatherAnswer =
  | { readonly kind: 'new'; readonly text: string; readonly tag: string | null }
  | { readonly kind: 'unchanged' }
  /** `retryAfterMs`: for how long it wants to be left alone; undefined = it did not say. */
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly retryAfterMs: number | undefined;
    };

/** Asks once, on a connection of its own; redirects are not followed, nothing is unpacked. Throws EgressRefused, WeatherFault, or what the socket throws. */
export async function askWeather(
  egress: Egress,
  address: string,
  {
    tag,
    now,
    signal,
  }: { readonly tag: string | null; readonly now: number; readonly signal: AbortSignal },
): Promise<WeatherAnswer> {
  const url = new URL(address);
  const encrypted = url.protocol === 'https:';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? (encrypted ? 443 : 80) : Number(url.port);
  const request = (encrypted ? requestHttps : requestHttp)({
    host,
    port,
    path: `${url.pathname}${url.search}`,
    headers: {
      host: url.host,
      'user-agent': 'Helioport',
      accept: 'application/json',
      'accept-encoding': 'identity',
      ...(tag !== null && { 'if-none-match': tag }),
    },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]),
    createConnection: () => openSocket(egress, { host, port, encrypted, caCertificates: null }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request.on('response', resolve).on('error', reject);
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    reject(new WeatherFault('the answer is no answer to a GET'));
  });
  request.end();
  const response = await promise;
  try {
    return await answerOf(response, now);
  } finally {
    response.destroy();
  }
}

async function answerOf(response: IncomingMessage, now: number): Promise<WeatherAnswer> {
  const status = response.statusCode!;
  if (status === 304) return { kind: 'unchanged' };
  if (status !== 200)
    return {
      kind: 'refused',
      status,
      retryAfterMs: patienceOf(response.headers['retry-after'], now),
    };
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > BYTES_AT_MOST)
      throw new WeatherFault(`the answer has more than ${BYTES_AT_MOST} bytes`);
    parts.push(part);
  }
  const tag = response.headers.etag;
  return {
    kind: 'new',
    text: Buffer.concat(parts).toString('utf8'),
    tag: tag !== undefined && tag.length <= 200 ? tag : null,
  };
}

function patienceOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d{1,9}$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return ms > 0 ? Math.min(ms, RETRY_AFTER_AT_MOST_MS) : undefined;
}
