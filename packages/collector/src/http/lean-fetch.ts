import { createRequire } from 'node:module';

// An import loads whatever the module has, its WebSocket client included, which takes 11 MiB.
const load = createRequire(import.meta.url) as {
  (name: 'node:http'): typeof import('node:http');
  (name: 'node:https'): typeof import('node:https');
};

/** What is used of `fetch`; the one of Node takes three times the memory. */
export type LeanFetch = (
  url: string,
  options: {
    readonly method?: string;
    readonly body?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
  },
) => Promise<{
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}>;

/** A longer answer is no answer of a gateway. */
const BYTES_AT_MOST = 16_000_000;

/** One request over HTTP or HTTPS. Redirects are answers like others. Rejects with the error of the connection, or the reason of the signal. */
export const leanFetch: LeanFetch = async (url, { method = 'GET', body, headers, signal }) => {
  signal.throwIfAborted();
  const { request } = url.startsWith('https:') ? load('node:https') : load('node:http');
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const abort = (): void => void sent.destroy(signal.reason as Error);
    const sent = request(url, { method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Buffer[] = [];
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if ((bytes += chunk.length) > BYTES_AT_MOST)
          sent.destroy(new Error('the answer is too long'));
      });
      response.on('error', reject);
      response.on('close', () => signal.removeEventListener('abort', abort));
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
    sent.on('error', (error) => {
      signal.removeEventListener('abort', abort);
      reject(error);
    });
    sent.end(body);
  });
};
