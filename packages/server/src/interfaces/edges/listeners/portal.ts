import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { networkLimit } from '../http/route-limit.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { createHttpServer } from '../http/server.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { createCookies } from '../http/session-cookie.ts';
import { createAppFiles, hasApp } from '../portal/app-files.ts';
import type { PortalDeps } from '../portal/deps.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import { firstAnswersFor } from '../portal/first-answers.ts';
import { portal, portalApp } from '../portal/plugin.ts';
import { sessionForPage } from '../portal/session.ts';
import { stopPages } from '../portal/stop-pages.ts';

/** Settings of the portal. */
export interface PortalConfig {
  readonly portalUrl: string;
  readonly userApiUrl: string;
  readonly oauthUrl: string;
  readonly gatewayUrl: string;
  readonly legacyLogin: boolean;
  /** null = no e-mails are sent. */
  readonly smtpUrl: string | null;
  /** Whether everybody may make an account. */
  readonly signUp: boolean;
  /** Where the map gets its tiles, and whom it names as their source; null = no tiles. */
  readonly mapTiles: string | null;
  readonly mapAttribution: string | null;
  readonly trustedProxies: readonly string[];
  /** Requests per second, per key and operation; null = no limit. */
  readonly rateLimit: number | null;
}

export interface PortalListenerDeps extends Omit<
  PortalDeps,
  | 'outcomes'
  | 'portalUrl'
  | 'userApiUrl'
  | 'oauthUrl'
  | 'gatewayUrl'
  | 'legacyLogin'
  | 'mailAvailable'
  | 'signUpAllowed'
  | 'map'
  | 'cookies'
  | 'rateLimit'
> {
  readonly config: PortalConfig;
  readonly secretBox: SecretBox;
  readonly isReady: () => Promise<boolean>;
  readonly schema: Outdated;
  /** Folder of the built app, if not the usual one. */
  readonly appFolder?: string;
}

/** A page asks for several plants and charts at once, unlike a program. */
const RATE_FACTOR = 5;

const APP_FOLDER = fileURLToPath(new URL('../../../../../portal/dist', import.meta.url));

/** What is wrong if the app has not been built; undefined if it has. */
export const portalFault = (folder = APP_FOLDER): string | undefined =>
  hasApp(folder) ? undefined : 'the portal has not been built: run npm run build';

/** After an outage, a page asks about each write that it has lost; nobody has thousands of them a day. */
const OUTCOMES = { capacity: 60, refillPerSecond: 0.1 };

/** The listener at {portal_url}: the app for owners and installers, and the operations that it calls. */
export async function createPortal(deps: PortalListenerDeps): Promise<FastifyInstance> {
  const { config, observability, isReady, isUnavailable, schema, appFolder = APP_FOLDER } = deps;
  const {
    portalUrl,
    userApiUrl,
    oauthUrl,
    gatewayUrl,
    legacyLogin,
    smtpUrl,
    signUp,
    mapTiles,
    mapAttribution,
    trustedProxies,
    rateLimit,
  } = config;
  const server = createHttpServer({
    listener: 'portal',
    observability,
    front: null,
    isReady: async () => portalFault(appFolder) === undefined && isReady(),
    isUnavailable,
    schema,
    publicUrl: portalUrl,
    networkLimit: networkLimit(deps, rateLimit),
    trustedProxies,
  });
  const perSecond = rateLimit === null ? null : rateLimit * RATE_FACTOR;
  const known = {
    portalUrl,
    userApiUrl,
    oauthUrl,
    gatewayUrl,
    legacyLogin,
    mailAvailable: smtpUrl !== null,
    signUpAllowed: signUp,
    rateLimit: createRateLimit({
      buckets: deps.buckets,
      perSecond,
      per: 'account',
    }),
    outcomes: deps.buckets('portal outcomes', OUTCOMES),
    map: mapTiles === null ? null : { tiles: mapTiles, attribution: mapAttribution ?? '' },
  };
  const portalDeps = { ...deps, ...known, cookies: createCookies('portal', portalUrl) };
  await server.register(portal(portalDeps));
  await server.register(stopPages({ ...deps, portalUrl }));
  const files = createAppFiles(appFolder, mapTiles, {
    sessionOf: (request, reply) => sessionForPage(portalDeps, request, reply),
    firstAnswersOf: (request, reply, session) =>
      firstAnswersFor(portalDeps, request, reply, session),
  });
  await server.register(portalApp(portalDeps, files));
  await server.ready();
  return server;
}
