import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';

/** A device with a web interface. */
export interface HttpDevice {
  readonly port: number;
  /** Paths that were asked for, in their order. */
  readonly asked: string[];
  /** What was said of the password, in clear or as a digest. */
  readonly proofs: string[];
  readonly connections: number;
  close(): Promise<void>;
}

export interface HttpDeviceOptions {
  /** What it answers, by path: a value as JSON, text as it is, a number as a status; others are not known. */
  readonly answers: () => Readonly<Record<string, unknown>>;
  /** Paths that begin so need a password. */
  readonly guarded?: {
    readonly prefix: string;
    /** `asked`: a challenge of its own, which nothing satisfies. */
    readonly scheme: 'basic' | 'digest' | { readonly asked: string };
    readonly password: string;
  };
  readonly port?: number;
  readonly host?: string;
}

export async function startHttpDevice({
  answers,
  guarded,
  port = 0,
  host = '127.0.0.1',
}: HttpDeviceOptions): Promise<HttpDevice> {
  const asked: string[] = [];
  let connections = 0;
  const proofs: string[] = [];
  const scheme = guarded?.scheme;
  const challenge =
    typeof scheme === 'object'
      ? scheme.asked
      : scheme === 'basic'
        ? 'Basic realm="device"'
        : 'Digest qop="auth", realm="shelly-1", nonce="abc123", algorithm=SHA-256';
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? '';
    asked.push(path);
    if (incoming.headers.authorization) proofs.push(incoming.headers.authorization);
    if (guarded && path.startsWith(guarded.prefix) && !isAllowed(incoming, guarded)) {
      answer.writeHead(401, { 'www-authenticate': challenge }).end();
      return;
    }
    const known = answers()[path];
    if (typeof known === 'number') answer.writeHead(known).end();
    else if (known === undefined) answer.writeHead(404).end('not found');
    else answer.end(typeof known === 'string' ? known : JSON.stringify(known));
  });
  server.on('connection', () => connections++);
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as { port: number }).port,
    asked,
    proofs,
    get connections() {
      return connections;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function isAllowed(
  { headers, method, url }: IncomingMessage,
  { scheme, password }: NonNullable<HttpDeviceOptions['guarded']>,
): boolean {
  const { authorization = '' } = headers;
  if (typeof scheme === 'object') return false;
  if (scheme === 'basic')
    return authorization === `Basic ${Buffer.from(`admin:${password}`).toString('base64')}`;
  const given = (name: string): string =>
    new RegExp(`\\b${name}="?([^",]+)`).exec(authorization)?.[1] ?? '';
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  const expected = hash(
    `${hash(`admin:shelly-1:${password}`)}:abc123:${given('nc')}:${given('cnonce')}:auth:${hash(`${method}:${url}`)}`,
  );
  return given('response') === expected;
}
