import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createRefusedRequests } from '../../../identity/oauth/developers/refused-requests.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { envelopeRenderer, failureHandler } from '../http/errors.ts';
import { mountOperations, type MountedOffer } from '../http/mount.ts';
import { observedHandler } from '../http/observability.ts';
import { createRateLimit } from '../http/rate-limit.ts';
import { requireTls } from '../http/transport.ts';
import { authenticateClient } from './client-auth.ts';
import type { AuthorizationDeps } from './deps.ts';
import { answerJson } from './refusal-answers.ts';

interface ClientOperationDeps extends AuthorizationDeps, MountedOffer {
  /** Requests per second, per application and operation; null = no limit. */
  readonly perSecond: number | null;
}

/**
 * Operations that an application calls for itself, with HTTP Basic. Refused credentials are answered as by the token endpoint, everything else as by
 * the resource interface.
 */
export const clientOperations =
  (deps: ClientOperationDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const {
      buckets,
      oauthUrl,
      metrics,
      observability,
      isUnavailable,
      operations,
      handlers,
      perSecond,
      refusalCounts,
    } = deps;
    const refusedRequests = createRefusedRequests(refusalCounts, observability.logger);
    server.addHook(
      'onRequest',
      requireTls(oauthUrl, () => new OauthRefusal('transportInsecure')),
    );
    server.addHook('onRequest', (_request, reply, done) => {
      reply.header('Cache-Control', 'no-store');
      done();
    });
    const render = envelopeRenderer();
    const onFailure = failureHandler({
      listener: 'oauth',
      observability,
      isUnavailable,
      renderFailure: (failure, request, reply) => {
        refusedRequests.refused(request, failure, request.routeOptions.url!.slice(1));
        render(failure, request, reply);
      },
    });
    server.setErrorHandler((error: unknown, request: FastifyRequest, reply: FastifyReply) => {
      if (!(error instanceof OauthRefusal)) return onFailure(error, request, reply);
      observedHandler(reply).outcome = error.reason;
      metrics.refused(request.routeOptions.url!.slice('/oauth/'.length), error.reason);
      return void answerJson(reply, error);
    });
    const rateLimit = createRateLimit({ buckets, perSecond, per: 'application' });
    mountOperations(server, {
      operations,
      handlers,
      door: 'client',
      async admit(request, reply, operation) {
        const { id: applicationId, secretId } = await authenticateClient(request, deps);
        refusedRequests.sentBy(request, applicationId);
        await rateLimit.count(reply, applicationId, operation.id);
        return {
          caller: { kind: 'client', applicationId, secretId, accountId: null, plantIds: null },
        };
      },
    });
  };
