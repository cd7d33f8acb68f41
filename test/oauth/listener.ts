import type { RequestValues } from '@helioport/reference';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { Writable } from 'node:stream';
import type { AddressInfo } from 'node:net';
import { createObservability } from '../../packages/server/src/interfaces/edges/http/observability.ts';
import {
  routesOf,
  type LimitedRoute,
} from '../../packages/server/src/interfaces/edges/http/route-limit.ts';
import type {
  AnyOperation,
  RouteHandler,
} from '../../packages/server/src/interfaces/edges/http/mount.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import {
  createOauth,
  type OauthConfig,
} from '../../packages/server/src/interfaces/edges/listeners/oauth.ts';
import { isStorageAway } from '../../packages/server/src/platform/storage/away.ts';
import type { FactorSources } from '../../packages/server/src/identity/accounts/factors/factor-sources.ts';
import { factorSources } from '../support/credentials.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { ownBuckets } from '../../packages/server/src/platform/kernel/token-buckets.ts';
import { schemaOf } from '../storage/schema-watch.ts';

export const defaults: OauthConfig = {
  oauthUrl: 'http://127.0.0.1:8081',
  portalUrl: 'http://127.0.0.1:8082',
  portalServed: false,
  smtpUrl: null,
  signUp: false,
  trustedProxies: [],
  rateLimit: null,
  authFailureLimit: null,
  oauthCodeSeconds: 1800,
  oauthAccessTokenSeconds: 86_400,
  oauthRefreshTokenSeconds: 2_592_000,
  oauthBenignReuseSeconds: 2,
  oauthIssuerParameter: true,
};

export interface StartOptions extends Partial<OauthConfig> {
  readonly operations?: readonly AnyOperation[];
  readonly handlers?: Record<string, RouteHandler>;
  readonly requestValues?: RequestValues;
  readonly factors?: FactorSources;
  /** Where the server listens; any free port unless one is given. */
  readonly port?: number;
}

export interface TestOauth {
  readonly url: string;
  readonly log: () => string;
  readonly metrics: () => Promise<string>;
  readonly routes: readonly LimitedRoute[];
  close(): Promise<void>;
}

/** The real listener. */
export async function startOauth(
  { db }: { db: Db },
  clock: { now(): number },
  options: StartOptions = {},
): Promise<TestOauth> {
  const {
    operations = [],
    handlers = {},
    requestValues,
    port = 0,
    factors = factorSources(),
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
    ids: createIdSource(clock),
    factors,
    db,
    metrics: registry,
    observability,
    buckets: ownBuckets(clock),
    operations,
    handlers,
    isReady: async () => true,
    isUnavailable: isStorageAway,
    schema: schemaOf(db),
    requestValues: async () => requestValues,
  };
  const server = await createOauth(deps);
  await server.listen({ port, host: '127.0.0.1' });
  const { port: given } = server.server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${given}`,
    log: () => lines.join(''),
    metrics: () => registry.metrics(),
    routes: routesOf(server),
    close: async () => {
      await server.close();
    },
  };
}
