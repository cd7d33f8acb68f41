import { SIGNED_CONTENT_TYPE } from '@helioport/contract';
import type { RequestValues } from '@helioport/reference';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../kernel/failure.ts';
import type { SecretBox } from '../../kernel/secrets.ts';
import { VERSION } from '../../kernel/version.ts';
import { envelopeRenderer } from '../http/errors.ts';
import { createFailureLimit } from '../http/failure-limit.ts';
import { ownReference, type Link } from '../http/front.ts';
import { mountOperations, type Offer } from '../http/mount.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { mountReference } from '../http/reference.ts';
import { createHttpServer } from '../http/server.ts';
import { createAuthenticate } from './authenticate.ts';
import { createKeyUse } from './key-use.ts';
import { createReplayGuard, type ReplayGuardMode } from './replay-guard.ts';
import { selfTest } from './self-test.ts';
import type { SignatureProfile } from './signature.ts';

export interface UserApiConfig {
  /** The public address: what the reference names. */
  readonly userApiUrl: string;
  readonly signatureProfile: SignatureProfile;
  readonly replayGuard: ReplayGuardMode;
  /** Requests a second per key and operation; null = no limit. */
  readonly rateLimit: number | null;
  /** Refused signatures, and wrong digests, a minute per address and key; null = no limit. */
  readonly authFailureLimit: number | null;
  readonly trustedProxies: readonly string[];
}

export interface UserApiDeps extends Offer {
  readonly config: UserApiConfig;
  readonly secretBox: SecretBox;
  readonly isReady: () => Promise<boolean>;
  /** What the reference's requests carry; without it they say what to put in. */
  readonly requestValues?: (() => Promise<RequestValues | undefined>) | undefined;
  /** What `/` names beside this listener. */
  readonly elsewhere?: readonly Link[];
}

/**
 * The user-level interface: signed requests alone. The signed path is the endpoint's as this process sees it; a proxy
 * may add a prefix to the public address when it strips it again. Throws where the machine lacks MD5 or HMAC-SHA1.
 */
export async function createUserApi(deps: UserApiDeps): Promise<FastifyInstance> {
  selfTest();
  const { config, clock, db, observability } = deps;
  const { logger } = observability;
  const keyUse = createKeyUse(db, logger);
  const server = createHttpServer({
    listener: 'user-api',
    observability,
    front: {
      title: 'Helioport, user-level interface',
      text: 'Owners and installers call here, with requests that are signed with a key pair.',
      links: [...ownReference, ...(deps.elsewhere ?? [])],
    },
    isReady: deps.isReady,
    isUnavailable: deps.isUnavailable,
    trustedProxies: config.trustedProxies,
    // interface S18; WWW-Authenticate names what is accepted.
    renderFailure: envelopeRenderer({ wwwAuthenticate: ({ code }) => (code === 'notAuthenticated' ? 'API' : undefined) }),
    rewriteUrl: config.signatureProfile === 'strict' ? originForm : (target) => collapseSlashes(originForm(target)),
  });
  mountOperations(server, {
    operations: deps.operations,
    handlers: deps.handlers,
    door: 'signed',
    screen: config.signatureProfile === 'strict' ? strictScreen : refuseQuery,
    admit: createAuthenticate({
      ...deps,
      profile: config.signatureProfile,
      refusedSignatures: createFailureLimit({ clock, perMinute: config.authFailureLimit }),
      wrongDigests: createFailureLimit({ clock, perMinute: config.authFailureLimit }),
      rateLimit: createRateLimit({ clock, perSecond: config.rateLimit, per: 'key' }),
      replayGuard: createReplayGuard({ db, clock, logger, mode: config.replayGuard }),
      keyUse,
    }),
  });
  mountReference(server, {
    document: async () => (await import('@helioport/contract/openapi')).userOpenApi(described(deps)),
    page: async () => (await import('@helioport/reference')).userReference({ ...config, ...described(deps), requestValues: await deps.requestValues?.() }),
  });
  server.addHook('onClose', () => keyUse.settled());
  await server.ready();
  return server;
}

const described = ({ operations, config }: UserApiDeps) => ({ operations, url: config.userApiUrl, version: VERSION });

// RFC 9112 3.2.2: a server must take the absolute form of a request target too.
const originForm = (target: string): string => (target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?#]*/i, ''));

// A base URL with a slash at its end makes `//v1/...` (interface S16); the signed path is the endpoint's.
const collapseSlashes = (target: string): string => (target.startsWith('//') ? target.replace(/^\/+/, '/') : target);

function refuseQuery({ raw }: FastifyRequest): void {
  if (raw.url!.includes('?')) throw new Failure('malformedRequest', { message: 'the path takes no query: a signature does not cover one' });
}

function strictScreen(request: FastifyRequest): void {
  refuseQuery(request);
  if (request.headers['content-type'] !== SIGNED_CONTENT_TYPE)
    throw new Failure('unsupportedMediaType', { message: `Content-Type must be ${SIGNED_CONTENT_TYPE}` });
}
