import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { operations, type PortalSession } from '@helioport/contract';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { endSession, insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import type { FactorSources } from '../../packages/server/src/identity/accounts/factors/factor-sources.ts';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import type {
  AnyOperation,
  RouteHandler,
} from '../../packages/server/src/interfaces/edges/http/mount.ts';
import {
  routesOf,
  type LimitedRoute,
} from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import { pageToken } from '../../packages/server/src/interfaces/edges/portal/own-pages.ts';
import {
  createPortal,
  type PortalConfig,
} from '../../packages/server/src/interfaces/edges/listeners/portal.ts';
import type { LivePace } from '../../packages/server/src/interfaces/edges/portal/live/streams.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import type { Clock } from '../../packages/server/src/platform/kernel/clock.ts';
import { hashSecret } from '../../packages/server/src/platform/kernel/secrets.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import { credentials, factorSources } from './credentials.ts';
import { operationsOn } from './operations.ts';
import type { TestDatabase } from './engines.ts';
import type { createWorld } from './world.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { schemaOf } from '../storage/schema-watch.ts';

export interface StartPortalOptions extends Partial<PortalConfig> {
  readonly operations?: readonly AnyOperation[];
  readonly handlers?: Record<string, RouteHandler>;
  readonly factors?: FactorSources;
  /** The built app. */
  readonly appFolder?: string;
  readonly livePace?: LivePace;
  /** E-mail address of the owner as whom everybody may look around. */
  readonly demoOwner?: string;
}

export interface TestPortal {
  readonly url: string;
  /** What was logged, at the finest level. */
  readonly log: () => string;
  readonly routes: readonly LimitedRoute[];
  close(): Promise<void>;
}

/** The real listener, with all operations unless set otherwise. */
export async function startPortal(
  database: Pick<TestDatabase, 'db' | 'wakeUps'>,
  clock: Clock,
  options: StartPortalOptions = {},
): Promise<TestPortal> {
  const { db, wakeUps } = database;
  const ids = createIdSource(clock);
  const {
    operations: offered,
    handlers,
    appFolder,
    demoOwner,
    livePace,
    factors,
    ...config
  } = options;
  const origins: string[] = [];
  const checkedWith = factors ?? { ...factorSources(), passkeys: { domain: 'localhost', origins } };
  const lines: string[] = [];
  const sink = new Writable({
    write: (chunk, _encoding, done) => (lines.push(String(chunk)), done()),
  });
  const server = await createPortal({
    buckets: ownBuckets(clock),
    config: {
      portalUrl: 'http://127.0.0.1:8082',
      userApiUrl: 'http://127.0.0.1:8080',
      oauthUrl: 'http://127.0.0.1:8081',
      gatewayUrl: 'http://127.0.0.1:8083',
      trustedProxies: [],
      rateLimit: null,
      legacyLogin: false,
      smtpUrl: null,
      signUp: false,
      mapTiles: null,
      mapAttribution: null,
      ...config,
    },
    clock,
    ids,
    db,
    wakeUps,
    ...(livePace && { livePace }),
    secretBox: await credentials.secretBox(),
    observability: createObservability({
      logger: pino({ level: 'trace' }, sink),
      registry: new Registry(),
    }),
    operations: offered ?? Object.values(operations),
    handlers:
      handlers ??
      operationsOn(db, clock, ids, {
        credentials: { ...credentials, passkeys: checkedWith.passkeys },
      }),
    factors: checkedWith,
    demoOwner: demoOwner === undefined ? undefined : async () => demoOwner,
    isReady: async () => true,
    isUnavailable: isStorageAway,
    schema: schemaOf(db),
    ...(appFolder !== undefined && { appFolder }),
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  const { port } = server.server.address() as AddressInfo;
  origins.push(`http://localhost:${port}`);
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => lines.join(''),
    routes: routesOf(server),
    close: async () => server.close(),
  };
}

export interface PortalAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: {
    readonly success: boolean;
    readonly code: string;
    readonly msg: string;
    readonly data: any;
  };
}

/** Somebody who is logged in, without the slow verification of a password. */
export async function visitAs(
  world: Pick<ReturnType<typeof createWorld>, 'act' | 'write'>,
  url: string,
  accountId: string,
): Promise<{ readonly visitor: PortalVisitor; end(): Promise<unknown> }> {
  const input = {
    accountId,
    entrance: 'portal',
    freshFor: null,
    userAgent: 'Browser/1.0',
  } as const;
  const id = await world.write((trx) => insertSession(trx, world.act(), input));
  const visitor = createPortalVisitor(url);
  visitor.cookies.set(SESSION_COOKIE, id);
  visitor.csrf = pageToken(id);
  return { visitor, end: () => world.write((trx) => endSession(trx, hashSecret(id))) };
}

/** Where the portal is not served over TLS. */
export const SESSION_COOKIE = 'helioport_portal_session';

/** A browser without pages: its cookies, and the CSRF token of its session. */
export interface PortalVisitor {
  readonly cookies: Map<string, string>;
  csrf: string;
  /** GET /portal/session, and its token from now on. */
  session(): Promise<PortalSession>;
  logIn(email: string, password: string): Promise<PortalAnswer>;
  /** POST with the token; `headers` replace or add to the usual ones. */
  post(
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<PortalAnswer>;
  /** Calls an operation. */
  call(
    id: string,
    body?: unknown,
    headers?: Readonly<Record<string, string | undefined>>,
  ): Promise<PortalAnswer>;
  /** GET with the cookies. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
}

export function createPortalVisitor(url: string): PortalVisitor {
  const cookies = new Map<string, string>();
  const cookieHeader = (): Record<string, string> =>
    cookies.size === 0 ? {} : { Cookie: [...cookies].map((pair) => pair.join('=')).join('; ') };
  const keep = (response: Response): void => {
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
  };
  const visitor: PortalVisitor = {
    cookies,
    csrf: '',
    async session() {
      const response = await visitor.get('/portal/session');
      const { data } = (await response.json()) as { data: PortalSession };
      visitor.csrf = data.csrf;
      return data;
    },
    async logIn(email, password) {
      if (visitor.csrf === '') await visitor.session();
      const answer = await visitor.post('/portal/log-in', { email, password });
      if (answer.body.success) visitor.csrf = answer.body.data.csrf;
      return answer;
    },
    async post(path, body = {}, headers = {}) {
      const all = {
        'Content-Type': 'application/json',
        'X-Helioport-CSRF': visitor.csrf,
        ...cookieHeader(),
        ...headers,
      };
      const sent = Object.fromEntries(
        Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
      );
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const response = await fetch(url + path, { method: 'POST', headers: sent, body: text });
      keep(response);
      const received = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: received === '' ? null : JSON.parse(received),
      };
    },
    call: (id, body, headers) => visitor.post(`/portal/api/${id}`, body, headers),
    async get(path, headers = {}) {
      const response = await fetch(url + path, {
        headers: { ...cookieHeader(), ...headers },
        redirect: 'manual',
      });
      keep(response);
      return response;
    },
  };
  return visitor;
}
