import { defineOperation, required, type Envelope } from '@helioport/contract';
import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { Writable } from 'node:stream';
import type { RequestValues } from '@helioport/reference';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { Registry } from 'prom-client';
import {
  id,
  integer,
  pageNo,
  pageSize,
  textInput as textParameter,
} from '../../packages/contract/src/scalars.ts';
import {
  insertKeyPair,
  type KeyTerms,
  type NewKeyPair,
} from '../../packages/server/src/identity/accounts/key-pairs.ts';
import type { Once } from '../../packages/server/src/identity/accounts/once.ts';
import type {
  AnyOperation,
  RouteHandler,
} from '../../packages/server/src/interfaces/edges/http/mount.ts';
import {
  routesOf,
  type LimitedRoute,
} from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import {
  createUserApi,
  type UserApiConfig,
} from '../../packages/server/src/interfaces/edges/listeners/user.ts';
import { Failure } from '../../packages/server/src/platform/kernel/failure.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { createWorld, settableClock, type SettableClock } from '../support/world.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { schemaOf } from '../storage/schema-watch.ts';

export const secretBox = createSecretBox(Buffer.alloc(32, 7));

const anything = { schema: {}, project: (output: unknown) => output };
const example = { request: {}, data: null };

/** Two operations of the tests' own: one reads, one writes. */
const echo = defineOperation({
  id: 'echo',
  aliases: ['echo/again'],
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['signed'],
  summary: 'Says what arrived',
  request: {
    pageNo,
    pageSize,
    id: id('id'),
    text: textParameter(100, 'text'),
    number: integer({}, 'number'),
  },
  response: anything,
  errors: [],
  example,
});

const rename = defineOperation({
  id: 'rename',
  family: 'management',
  permission: 'manage',
  write: true,
  doors: ['signed'],
  summary: 'Renames the caller’s account',
  request: { name: required(textParameter(100, 'name')) },
  response: anything,
  errors: ['noPermission'],
  example,
});

export const testOperations: readonly AnyOperation[] = [echo, rename] as never;

/** `rename` to "refused" fails after it wrote; "broken" throws what nobody expected. */
export function testHandlers(db: Db): Record<string, RouteHandler> {
  return {
    echo: async (caller, input) => ({ caller, input }),
    rename: (caller, { name }: { name: string }, once?: Once) =>
      db.transaction().execute(async (trx) => {
        await once?.(trx);
        await trx
          .updateTable('account')
          .set((eb) => ({ name: eb.val(name), createdAt: eb('createdAt', '+', 1) }))
          .where('id', '=', caller.accountId)
          .execute();
        if (name === 'refused') throw new Failure('noPermission');
        if (name === 'broken') throw new Error('a fault of ours');
        return null;
      }),
  };
}

export const defaults: UserApiConfig = {
  userApiUrl: 'http://127.0.0.1:8080',
  signatureProfile: 'compatible',
  replayGuard: 'writes',
  rateLimit: null,
  authFailureLimit: null,
  trustedProxies: [],
};

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly body: Envelope<any>;
}

export interface TestUserApi {
  readonly port: number;
  /** What was logged, at the finest level. */
  readonly log: () => string;
  readonly registry: Registry;
  readonly routes: readonly LimitedRoute[];
  send(request: WireRequest): Promise<Answer>;
  close(): Promise<void>;
}

export interface StartOptions extends Partial<UserApiConfig> {
  readonly operations?: readonly AnyOperation[];
  readonly handlers?: Record<string, RouteHandler>;
  readonly isReady?: () => Promise<boolean>;
  readonly requestValues?: RequestValues;
  /** Where the server listens; any free port unless one is given. */
  readonly port?: number;
}

/** The real listener. */
export async function startUserApi(
  { db }: { db: Db },
  clock: SettableClock,
  options: StartOptions = {},
): Promise<TestUserApi> {
  const {
    operations = testOperations,
    handlers = testHandlers(db),
    isReady = async () => true,
    requestValues,
    port = 0,
    ...config
  } = options;
  const registry = new Registry();
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()),
  });
  const observability = createObservability({ logger: pino({ level: 'trace' }, sink), registry });
  const deps = {
    config: { ...defaults, ...config },
    clock,
    db,
    secretBox,
    operations,
    handlers,
    observability,
    buckets: ownBuckets(clock),
    isReady,
    isUnavailable: isStorageAway,
    schema: schemaOf(db),
    requestValues: async () => requestValues,
  };
  const server = await createUserApi(deps);
  await server.listen({ port, host: '127.0.0.1' });
  const { port: given } = server.server.address() as AddressInfo;
  return {
    port: given,
    registry,
    routes: routesOf(server),
    log: () => lines.join(''),
    send: (request) => send(given, request),
    close: () => server.close(),
  };
}

export interface WireRequest {
  method?: string;
  target?: string;
  /** Names and values in order; repeated names are sent repeatedly. */
  headers: readonly (readonly [string, string])[];
  body?: string | Uint8Array;
}

/** Sends headers as they are, whatever a client library would make of them. */
async function send(
  port: number,
  { method = 'POST', target = '/v1/api/echo', headers, body = '' }: WireRequest,
): Promise<Answer> {
  const bytes = Buffer.from(body as string);
  const flat = [
    ...headers.flat(),
    'Host',
    'localhost',
    ...(has(headers, 'transfer-encoding') ? [] : ['Content-Length', String(bytes.length)]),
  ];
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const outgoing = httpRequest(
    { port, host: '127.0.0.1', method, path: target, headers: flat, agent: false },
    (response) => {
      readText(response)
        .then((received) =>
          resolve({
            status: response.statusCode!,
            headers: response.headers,
            text: received,
            body: parse(received),
          }),
        )
        .catch(reject);
    },
  );
  outgoing.on('error', reject);
  outgoing.end(bytes);
  return promise;
}

const has = (headers: WireRequest['headers'], name: string): boolean =>
  headers.some(([other]) => other.toLowerCase() === name);

function parse(body: string): Envelope<any> {
  try {
    return JSON.parse(body) as Envelope;
  } catch {
    return body as never;
  }
}

/** Writes text to a socket and reads until the peer closes, or until `enough` says so. */
export function exchange(
  port: number,
  wire: string | Buffer,
  enough: (received: string) => boolean = () => false,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let received = '';
  const socket = connect(port, '127.0.0.1', () => socket.write(wire));
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    received += chunk;
    if (enough(received)) socket.destroy();
  });
  socket.on('error', reject);
  socket.on('close', () => resolve(received));
  return promise;
}

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `Fri, 6 Nov 2026 05:01:09 GMT`. */
export function dateText(at: number): string {
  const d = new Date(at);
  return `${DAYS[d.getUTCDay()]}, ${d.getUTCDate()} ${MONTHS[d.getUTCMonth()]} ${d.getUTCFullYear()} ${d.toISOString().slice(11, 19)} GMT`;
}

export const md5 = (body: string | Uint8Array): string =>
  createHash('md5').update(body).digest('base64');
export const hmacSha1 = (secret: string, text: string): string =>
  createHmac('sha1', secret).update(text, 'utf8').digest('base64');

export interface ToSign {
  key: NewKeyPair;
  at?: number;
  body?: string | Uint8Array;
  path?: string;
  /** What is sent and, unless set otherwise, signed. */
  contentType?: string;
  signedContentType?: string;
  contentMd5?: string;
  date?: string;
  /** Goes into the request line instead of the path. */
  target?: string;
  method?: string;
}

/** A signed request, with the tests' own signing: neither the server's nor the SDK's. */
export function signed({
  key,
  at = 0,
  body = '{}',
  path = '/v1/api/echo',
  target = path,
  method = 'POST',
  ...parts
}: ToSign): WireRequest {
  const {
    contentType = 'application/json;charset=UTF-8',
    signedContentType = contentType,
    contentMd5 = md5(body),
    date = dateText(at),
  } = parts;
  const sign = hmacSha1(
    key.keySecret,
    ['POST', contentMd5, signedContentType, date, path].join('\n'),
  );
  const headers: [string, string][] = [
    ['Content-MD5', contentMd5],
    ['Content-Type', contentType],
    ['Date', date],
    ['Authorization', `API ${key.keyId}:${sign}`],
  ];
  return { method, target, headers, body };
}

/** The same request with headers replaced, or removed where the value is undefined. */
export function withHeaders(
  request: WireRequest,
  change: Record<string, string | undefined>,
): WireRequest {
  const kept = request.headers.filter(([name]) => !Object.hasOwn(change, name));
  return {
    ...request,
    headers: [
      ...kept,
      ...Object.entries(change).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      ),
    ],
  };
}

const terms: KeyTerms = {
  label: 'test',
  canControl: true,
  plantIds: null,
  cidrs: null,
  expiresAt: null,
};

/** A key pair of an account of its own, or of a given one. */
export async function addKey(
  world: ReturnType<typeof createWorld>,
  change: Partial<KeyTerms> & { accountId?: string } = {},
): Promise<NewKeyPair & { accountId: string }> {
  const { accountId = (await world.person()).id, ...own } = change;
  const pair = await world.write((trx) =>
    insertKeyPair(trx, world.act(), secretBox, accountId, { ...terms, ...own }),
  );
  return { ...pair, accountId };
}

export interface RunningUserApi {
  readonly clock: SettableClock;
  readonly world: ReturnType<typeof createWorld>;
  readonly database: () => TestDatabase;
  /** Available inside tests and hooks. */
  readonly api: TestUserApi;
  readonly key: NewKeyPair & { accountId: string };
  /** Signs now with the suite's key and sends. */
  call(change?: Partial<ToSign>): Promise<Answer>;
  sign(change?: Partial<ToSign>): WireRequest;
}

/** A suite against a listener of its own, on both engines. The clock stands at 2026-11-06T05:01:09Z. */
export function describeUserApi(
  name: string,
  suite: (running: RunningUserApi) => void,
  options: StartOptions = {},
): void {
  describeEngines(name, (database) => {
    const clock = settableClock('2026-11-06T05:01:09Z');
    const world = createWorld(database, clock);
    let api: TestUserApi;
    let key: RunningUserApi['key'];
    beforeAll(async () => {
      api = await startUserApi(database(), clock, options);
      key = await addKey(world);
    });
    afterAll(() => api.close());
    const sign = (change: Partial<ToSign> = {}): WireRequest =>
      signed({ key, at: clock.at, ...change });
    suite({
      clock,
      world,
      database,
      get api() {
        return api;
      },
      get key() {
        return key;
      },
      sign,
      call: (change) => api.send(sign(change)),
    });
  });
}
