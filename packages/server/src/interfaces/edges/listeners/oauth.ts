import type { RequestValues } from '@helioport/reference';
import type { FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { clientOperations } from '../authorization/client-operations.ts';
import { authorizationEdge } from '../authorization/plugin.ts';
import { createOauthMetrics } from '../authorization/metrics.ts';
import { answerFailure } from '../authorization/refusal-answers.ts';
import { envelopeRenderer } from '../http/errors.ts';
import { createFailureLimit } from '../http/failure-limit.ts';
import { ownReference, type Link } from '../http/front.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { mountReference } from '../http/reference.ts';
import { networkLimit } from '../http/route-limit.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { createHttpServer } from '../http/server.ts';
import { createCookies } from '../http/session-cookie.ts';
import { oauthApi, type OauthApiDeps } from '../oauth-api/plugin.ts';
import type { FactorSources } from '../../../identity/accounts/factors/factor-sources.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import { createRefusalCounts } from '../../../identity/oauth/refusal-counts.ts';
import { VERSION } from '../../../platform/kernel/version.ts';

/** Settings of the OAuth interface. */
export interface OauthConfig {
  readonly oauthUrl: string;
  readonly portalUrl: string;
  readonly portalServed: boolean;
  /** null = no e-mails are sent. */
  readonly smtpUrl: string | null;
  /** Whether everybody may make an account at the portal. */
  readonly signUp: boolean;
  readonly trustedProxies: readonly string[];
  /** Requests per second, per authorization and operation; null = no limit. */
  readonly rateLimit: number | null;
  readonly authFailureLimit: number | null;
  readonly oauthCodeSeconds: number;
  readonly oauthAccessTokenSeconds: number;
  readonly oauthRefreshTokenSeconds: number;
  readonly oauthBenignReuseSeconds: number;
  readonly oauthIssuerParameter: boolean;
}

export interface OauthListenerDeps extends Omit<
  OauthApiDeps,
  'oauthUrl' | 'perSecond' | 'refusalCounts'
> {
  readonly config: OauthConfig;
  readonly ids: IdSource;
  readonly factors: FactorSources;
  readonly metrics: Registry;
  readonly isReady: () => Promise<boolean>;
  readonly schema: Outdated;
  /** Values for the reference's sample requests; without them, the samples say what to fill in. */
  readonly requestValues?: (() => Promise<RequestValues | undefined>) | undefined;
  /** The other listeners that `/` links to. */
  readonly elsewhere?: readonly Link[];
}

/** Somebody who decides opens a page and submits it; browsers repeat what they were sent to. */
const PEOPLE_FACTOR = 1;
/** An application calls the token endpoint, and those beside it, for all its owners. */
const CLIENT_FACTOR = 50;

/** The listener at {oauth_url}: the authorization endpoints and the resource interface, which are independent of each other. */
export async function createOauth(deps: OauthListenerDeps): Promise<FastifyInstance> {
  const { config, buckets, observability, isReady, isUnavailable, schema } = deps;
  const {
    oauthUrl,
    portalUrl,
    portalServed,
    smtpUrl,
    signUp,
    trustedProxies,
    rateLimit,
    authFailureLimit,
  } = config;
  const envelope = envelopeRenderer();
  const server = createHttpServer({
    listener: 'oauth',
    observability,
    front: {
      title: 'Helioport, OAuth interface',
      text: 'Applications call this interface on behalf of owners, who are asked for permission here.',
      links: [...ownReference, ...(deps.elsewhere ?? [])],
    },
    isReady,
    isUnavailable,
    schema,
    publicUrl: oauthUrl,
    networkLimit: networkLimit({ buckets }, rateLimit),
    trustedProxies,
    // Refusals of requests that match no route of either interface: a wrong path or method.
    renderFailure: (failure, request, reply) => {
      reply.header('X-Request-Id', request.id);
      if (request.raw.url!.startsWith('/oauth/')) answerFailure(reply, failure);
      else envelope(failure, request, reply);
    },
  });
  // Integrators quote this id when they ask the operator. Refusals above set it too, since some come before this hook.
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('X-Request-Id', request.id);
    done();
  });
  const refusalCounts = createRefusalCounts(deps);
  const authorizing = {
    ...deps,
    oauthUrl,
    resetUrl: smtpUrl === null ? undefined : `${portalUrl}/reset`,
    signUpUrl: signUp ? `${portalUrl}/sign-up` : undefined,
    authorizationsUrl: portalServed ? `${portalUrl}/authorizations` : undefined,
    cookies: createCookies('oauth', oauthUrl),
    issuerParameter: config.oauthIssuerParameter,
    lifetimes: {
      codeMs: config.oauthCodeSeconds * 1000,
      accessTokenMs: config.oauthAccessTokenSeconds * 1000,
      refreshTokenMs: config.oauthRefreshTokenSeconds * 1000,
      benignMs: config.oauthBenignReuseSeconds * 1000,
    },
    failedClients: createFailureLimit({
      buckets,
      of: 'refused clients',
      perMinute: authFailureLimit,
    }),
    refusalCounts,
    rateLimit: createRateLimit({
      buckets,
      perSecond: rateLimit === null ? null : rateLimit * PEOPLE_FACTOR,
      per: 'account',
    }),
    clientLimit: createRateLimit({
      buckets,
      perSecond: rateLimit === null ? null : rateLimit * CLIENT_FACTOR,
      per: 'application',
    }),
    metrics: createOauthMetrics(deps.metrics),
  };
  await server.register(authorizationEdge(authorizing));
  await server.register(clientOperations({ ...authorizing, perSecond: rateLimit }));
  await server.register(oauthApi({ ...deps, oauthUrl, perSecond: rateLimit, refusalCounts }));
  const described = { operations: deps.operations, url: oauthUrl, version: VERSION };
  mountReference(server, {
    document: async () =>
      (await import('@helioport/contract/openapi')).applicationOpenApi(described),
    page: async () =>
      (await import('@helioport/reference')).applicationReference({
        ...described,
        requestValues: await deps.requestValues?.(),
        rateLimit,
        codeSeconds: config.oauthCodeSeconds,
        accessTokenSeconds: config.oauthAccessTokenSeconds,
        refreshTokenSeconds: config.oauthRefreshTokenSeconds,
      }),
  });
  await server.ready();
  return server;
}
