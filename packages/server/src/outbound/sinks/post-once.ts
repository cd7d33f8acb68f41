import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Egress } from '../../platform/egress/egress.ts';
import { openSocket } from '../../platform/egress/socket.ts';
import { readDestinationAddress } from './address.ts';
import { excerptOf, responseTo, retryAfter } from './http.ts';

/** One request with a body, on a connection of its own. */
export interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly now: number;
  readonly signal: AbortSignal;
}

/** What the peer answered. */
export interface PostAnswer {
  readonly status: number;
  readonly excerpt: string;
  readonly retryAfterMs: number | undefined;
}

/** Posts to a host that somebody outside has named. Redirects are not followed. Throws EgressRefused, or what the socket throws. */
export async function postOnce(
  egress: Egress,
  url: string,
  { headers, body, now, signal }: Posting,
): Promise<PostAnswer> {
  const { host, port, encrypted, path } = readDestinationAddress(url);
  const request = (encrypted ? requestHttps : requestHttp)({
    host,
    port,
    path,
    method: 'POST',
    headers: {
      'user-agent': 'Helioport',
      'accept-encoding': 'identity',
      ...headers,
      'content-length': `${body.length}`,
    },
    signal,
    createConnection: () => openSocket(egress, { host, port, encrypted, caCertificates: null }),
  });
  const response = await responseTo(request, body);
  const excerpt = await excerptOf(response);
  response.destroy();
  return {
    status: response.statusCode!,
    excerpt,
    retryAfterMs: retryAfter(response.headers['retry-after'], now),
  };
}
