import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Call {
  path: string;
  headers: IncomingHttpHeaders;
  body: unknown;
}

type Answer =
  | { status?: number; body?: unknown; headers?: Record<string, string> }
  | 'cut'
  | 'silence';

/** Answers on command over a real socket: stands in where a test needs answers that a healthy server does not give. */
export interface ApiDouble {
  url: string;
  calls: Call[];
  /** Answers for the next calls; afterwards `{code: "0", data: null}`. */
  answers: ((call: Call) => Answer)[];
  close(): Promise<void>;
}

export const success = (data: unknown) => ({ success: true, code: '0', msg: 'success', data });
export const refusal = (code: string, msg: string, data: unknown = null) => ({
  success: false,
  code,
  msg,
  data,
});

export async function startApiDouble(): Promise<ApiDouble> {
  const calls: Call[] = [];
  const answers: ApiDouble['answers'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const call = {
      path: request.url!,
      headers: request.headers,
      body: bodyOf(Buffer.concat(chunks).toString(), request.headers),
    };
    calls.push(call);
    const answer = answers.shift()?.(call) ?? {};
    if (answer === 'silence') return;
    if (answer === 'cut') return request.socket.destroy();
    const { status = 200, body = success(null), headers = {} } = answer;
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answers,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const bodyOf = (text: string, headers: IncomingHttpHeaders): unknown =>
  headers['content-type']?.includes('form')
    ? Object.fromEntries(new URLSearchParams(text))
    : (JSON.parse(text) as unknown);
