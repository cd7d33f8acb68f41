import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers a request instead of the server behind; `text` is what that server answers. */
export type Interference = (response: ServerResponse, text: string) => void;

export interface Proxy {
  readonly url: string;
  /** How many requests have come. */
  count(): number;
  close(): Promise<void>;
}

/** Stands before a server, and answers in its place when `interfere` says so; `count` is that of the request, from 1 on. */
export async function startProxy(
  target: string,
  interfere: (count: number, path: string) => Interference | undefined,
): Promise<Proxy> {
  let count = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const headers = Object.entries(request.headers).filter(
      ([name]) => !['host', 'connection', 'content-length', 'transfer-encoding'].includes(name),
    ) as [string, string][];
    count += 1;
    const instead = interfere(count, request.url!);
    const answer = await fetch(target + request.url!, {
      method: 'POST',
      headers,
      body: Buffer.concat(chunks),
    });
    const text = await answer.text();
    if (instead) return instead(response, text);
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => count,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const said = (status: number, body: unknown): Interference => {
  return (response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
};

const refusal = (code: string, msg: string) => ({ success: true, code, msg, data: null });

/** What services do when there is too much for them. */
export const TROUBLES: readonly Interference[] = [
  said(429, refusal('429', 'too frequent')),
  said(200, refusal('R0000', 'No authority too many request 200 times in 1DAYS')),
  said(502, '<html><body>Bad Gateway</body></html>'),
  said(503, refusal('503', 'busy')),
  said(504, ''),
  (response) => void response.socket!.destroy(),
  // The connection ends within the answer.
  (response, text) => {
    response.writeHead(200, {
      'content-type': 'application/json',
      'content-length': text.length + 9,
    });
    response.write(text.slice(0, text.length / 2));
    setImmediate(() => response.socket?.destroy());
  },
  // So does the answer, whose end nobody announced.
  (response, text) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(text.slice(0, text.length / 2)),
];
