import type http from 'node:http';
import { createRequire } from 'node:module';

// An import loads whatever the module has, its WebSocket client included, which takes 11 MiB.
const load = createRequire(import.meta.url) as (name: 'node:http' | 'node:https') => typeof http;

/** What is used of `fetch`; the one of Node takes three times the memory. */
export type LeanFetch = (
  url: string,
  options: {
    readonly method?: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    /** Of HTTP; absent: a connection for each request. */
    readonly agent?: http.Agent;
    readonly bytesAtMost?: number;
    /** For `fetch`, which would follow redirects. */
    readonly redirect?: 'manual';
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** A longer answer is no answer of a gateway. */
const BYTES_AT_MOST = 16_000_000;

/** An answer that is longer than it may be. */
export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** One connection that stays open; requests wait for one another. */
export const singleConnection = (): http.Agent =>
  new (load('node:http').Agent)({ keepAlive: true, maxSockets: 1 });

/**
 * One request over HTTP or HTTPS. Redirects are answers like others. Rejects with the error of the connection, the reason of the
 * signal, or AnswerTooLong.
 */
export const leanFetch: LeanFetch = async (
  url,
  { method = 'GET', body, headers, signal, agent, bytesAtMost = BYTES_AT_MOST },
) => {
  signal.throwIfAborted();
  const { request } = load(url.startsWith('https:') ? 'node:https' : 'node:http');
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      sent.destroy();
      reject(signal.reason as Error);
    };
    const options = { method, headers: { ...headers, ...length }, ...(agent && { agent }) };
    const sent = request(url, options, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if ((bytes += chunk.length) > bytesAtMost)
          sent.destroy(new AnswerTooLong('the answer is too long'));
      });
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: {
            get(name) {
              const value = response.headers[name];
              return value === undefined ? null : String(value);
            },
          },
          text: async () => text,
        });
      });
    });
    signal.addEventListener('abort', abort, { once: true });
    sent.on('error', reject);
    // As after a change of the protocol, which ends with neither an answer nor an error.
    sent.on('close', () => {
      signal.removeEventListener('abort', abort);
      reject(new Error('the connection was closed'));
    });
    sent.end(body);
  });
};
