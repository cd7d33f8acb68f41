import type { RequestValues } from '@helioport/reference';
import type { FastifyInstance } from 'fastify';
import { VERSION } from '../../../platform/kernel/version.ts';
import { envelopeRenderer } from '../http/errors.ts';
import { ownReference, type Link } from '../http/front.ts';
import { mountReference } from '../http/reference.ts';
import { networkLimit } from '../http/route-limit.ts';
import type { Outdated } from '../../../platform/kernel/surroundings/outdated.ts';
import { createHttpServer } from '../http/server.ts';
import { userApi, type UserApiDeps } from '../user-api/plugin.ts';
import { signedTarget } from '../user-api/signed-target.ts';

/** Settings of the user-level interface. */
export interface UserApiConfig extends Pick<
  UserApiDeps,
  'signatureProfile' | 'replayGuard' | 'rateLimit' | 'authFailureLimit'
> {
  /** The public address, as shown in the reference. */
  readonly userApiUrl: string;
  readonly trustedProxies: readonly string[];
  /** Where the portal is, for links to it. */
  readonly portalUrl?: string;
}

export interface UserListenerDeps extends Omit<UserApiDeps, keyof UserApiConfig> {
  readonly config: UserApiConfig;
  readonly isReady: () => Promise<boolean>;
  readonly schema: Outdated;
  /** Values for the reference's sample requests; without them, the samples say what to fill in. */
  readonly requestValues?: (() => Promise<RequestValues | undefined>) | undefined;
  /** The other listeners that `/` links to. */
  readonly elsewhere?: readonly Link[];
}

/** The listener at {user_api_url}: only signed requests. Throws if the machine lacks MD5 or HMAC-SHA1. */
export async function createUserApi(deps: UserListenerDeps): Promise<FastifyInstance> {
  const { config, observability, isReady, isUnavailable, schema } = deps;
  const { userApiUrl, signatureProfile } = config;
  const server = createHttpServer({
    listener: 'user-api',
    observability,
    front: {
      title: 'Helioport, user-level interface',
      text: 'Owners and installers call this interface with requests signed by a key pair.',
      links: [...ownReference, ...(deps.elsewhere ?? [])],
    },
    isReady,
    isUnavailable,
    schema,
    publicUrl: userApiUrl,
    networkLimit: networkLimit(deps, config.rateLimit),
    trustedProxies: config.trustedProxies,
    // interface S18; WWW-Authenticate names what is accepted.
    renderFailure: envelopeRenderer({
      wwwAuthenticate: ({ code }) => (code === 'notAuthenticated' ? 'API' : undefined),
    }),
    rewriteUrl: (target) => signedTarget(target, signatureProfile),
  });
  await server.register(userApi({ ...deps, ...config }));
  // Only if it is one of the listeners beside this one.
  const portalUrl = deps.elsewhere?.find(({ href }) => href === config.portalUrl)?.href;
  const described = { operations: deps.operations, url: userApiUrl, version: VERSION };
  mountReference(server, {
    document: async () => (await import('@helioport/contract/openapi')).userOpenApi(described),
    page: async () =>
      (await import('@helioport/reference')).userReference({
        ...config,
        ...described,
        portalUrl,
        requestValues: await deps.requestValues?.(),
      }),
  });
  await server.ready();
  return server;
}
