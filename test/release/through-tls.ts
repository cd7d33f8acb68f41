import { once } from 'node:events';
import { request, type RequestOptions } from 'node:https';
import { text } from 'node:stream/consumers';

export interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

export type AskThrough = (
  host: string,
  path: string,
  options?: RequestOptions,
  body?: string | Buffer,
) => Promise<Answer>;

/** Asks hosts that a proxy on this machine serves on one port; its certificate is not checked. */
export const throughTls =
  (port: number): AskThrough =>
  async (host, path, options = {}, body) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      servername: host,
      rejectUnauthorized: false,
      path,
      ...options,
      headers: { Host: host, ...(options.headers as Record<string, string>) },
    });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    return {
      status: answer.statusCode as number,
      headers: answer.headers as NodeJS.Dict<string | string[]>,
      body: await text(answer),
    };
  };
