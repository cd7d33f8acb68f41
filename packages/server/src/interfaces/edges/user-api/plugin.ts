import { SIGNED_CONTENT_TYPE, type SignatureProfile } from '@helioport/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import { createFailureLimit } from '../http/failure-limit.ts';
import { mountOperations, type MountedOffer } from '../http/mount.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { createAuthenticate } from './authenticate.ts';
import { createKeyUse } from './key-use.ts';
import { createReplayGuard, type ReplayGuardMode } from './replay-guard.ts';
import { selfTest } from './self-test.ts';

export interface UserApiDeps extends MountedOffer {
  readonly secretBox: SecretBox;
  readonly signatureProfile: SignatureProfile;
  readonly replayGuard: ReplayGuardMode;
  /** Requests per second, per key and operation; null = no limit. */
  readonly rateLimit: number | null;
  /** Limit for refused signatures, and also for wrong digests, per minute, address and key; null = no limit. */
  readonly authFailureLimit: number | null;
}

/** The user-level interface: every operation with the signed door, only for signed requests. Throws if the machine lacks MD5 or HMAC-SHA1. */
export const userApi =
  (deps: UserApiDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    selfTest();
    const {
      clock,
      db,
      buckets,
      operations,
      handlers,
      signatureProfile,
      rateLimit,
      authFailureLimit,
    } = deps;
    const { logger } = deps.observability;
    const keyUse = createKeyUse(db, logger);
    mountOperations(server, {
      operations,
      handlers,
      door: 'signed',
      screen: signatureProfile === 'strict' ? strictScreen : refuseQuery,
      admit: createAuthenticate({
        ...deps,
        profile: signatureProfile,
        refusedSignatures: createFailureLimit({
          buckets,
          of: 'refused signatures',
          perMinute: authFailureLimit,
        }),
        wrongDigests: createFailureLimit({
          buckets,
          of: 'wrong digests',
          perMinute: authFailureLimit,
        }),
        rateLimit: createRateLimit({ buckets, perSecond: rateLimit, per: 'key' }),
        replayGuard: createReplayGuard({ db, clock, logger, mode: deps.replayGuard }),
        keyUse,
      }),
    });
    server.addHook('onClose', () => keyUse.settled());
  };

function refuseQuery({ raw }: FastifyRequest): void {
  if (raw.url!.includes('?'))
    throw new Failure('malformedRequest', {
      message: 'the path takes no query: a signature does not cover one',
    });
}

function strictScreen(request: FastifyRequest): void {
  refuseQuery(request);
  if (request.headers['content-type'] !== SIGNED_CONTENT_TYPE)
    throw new Failure('unsupportedMediaType', {
      message: `Content-Type must be ${SIGNED_CONTENT_TYPE}`,
    });
}
