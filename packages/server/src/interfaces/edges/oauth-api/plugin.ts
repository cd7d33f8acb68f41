import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';
import { createRefusedRequests } from '../../../identity/oauth/developers/refused-requests.ts';
import type { RefusalCounts } from '../../../identity/oauth/refusal-counts.ts';
import { envelopeRenderer, failureHandler } from '../http/errors.ts';
import { mountOperations, type MountedOffer } from '../http/mount.ts';
import { createUseCounts } from '../../../identity/oauth/uses/count-uses.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { requireTls } from '../http/transport.ts';
import { admitBearer, BearerFailure, wwwAuthenticateOf, screen } from './bearer.ts';

export interface OauthApiDeps extends MountedOffer {
  readonly oauthUrl: string;
  /** Requests per second, per authorization and operation; null = no limit. */
  readonly perSecond: number | null;
  readonly refusalCounts: RefusalCounts;
}

/** The OAuth resource interface: every operation with a scope, only for Bearer tokens. */
export const oauthApi =
  (deps: OauthApiDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const {
      db,
      clock,
      buckets,
      operations,
      handlers,
      oauthUrl,
      perSecond,
      refusalCounts,
      observability,
      isUnavailable,
    } = deps;
    const refusedRequests = createRefusedRequests(refusalCounts, observability.logger);
    server.addHook(
      'onRequest',
      requireTls(
        oauthUrl,
        () =>
          new Failure('malformedRequest', {
            message: 'use https: this interface serves nothing over plain http',
          }),
      ),
    );
    server.addHook('onRequest', (_request, reply, done) => {
      reply.header('Cache-Control', 'no-store'); // interface O72
      done();
    });
    const render = envelopeRenderer();
    server.setErrorHandler(
      failureHandler({
        listener: 'oauth',
        observability,
        isUnavailable,
        renderFailure: (failure, request, reply) => {
          refusedRequests.refused(request, failure, pathOfOperation(request));
          if (failure instanceof BearerFailure)
            reply.header('WWW-Authenticate', wwwAuthenticateOf(failure.bearerError));
          render(failure, request, reply);
        },
      }),
    );
    const uses = createUseCounts({ db, clock });
    server.addHook('onClose', () => uses.close());
    const rateLimit = createRateLimit({ buckets, perSecond, per: 'authorization' });
    mountOperations(server, {
      operations,
      handlers,
      door: 'oauth',
      screen,
      admit: admitBearer({ db, clock, rateLimit, refusedRequests, uses }),
    });
  };

/** `api/access_data/inverterList`: the route's own spelling, of which there are few. */
const pathOfOperation = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.url ?? '').slice(1);
