import { JSON_MEDIA, successText } from '@helioport/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/kernel/failure.ts';
import { lazily } from '../../../platform/kernel/lazily.ts';
import { JSON_TYPE } from '../http/errors.ts';
import { parseJsonObject } from '../http/json.ts';
import { mountOperations } from '../http/mount.ts';
import { observedHandler } from '../http/observability.ts';
import { requireTls } from '../http/transport.ts';
import { admitVisitor, admitOperator, admitSupport } from './admit.ts';
import type { AppFiles } from './app-files.ts';
import type { PortalDeps } from './deps.ts';
import { createDownloads } from './exports.ts';
import { explorerOperations } from './explorer.ts';
import { answerLive } from './live/endpoint.ts';
import { createStreams } from './live/streams.ts';
import { answerOutcome } from './outcome.ts';
import { checkPageToken, refuseOtherSites, sentToken } from './own-pages.ts';
import { createReportPrinting } from './reports.ts';
import { answerReset, answerResetRequest } from './reset.ts';
import {
  answerDemoLogIn,
  answerLogIn,
  answerLogOut,
  answerSession,
  type Endpoint,
} from './session.ts';
import { answerPasskeyLogIn, answerPasskeyOptions, answerSecondStep } from './second-step.ts';
import { answerSignUp, answerSignUpRequest } from './sign-up.ts';
import { sessionIdOf } from './visitor.ts';

/** Larger than any log-in. */
const BODY_LIMIT_BYTES = 16 * 1024;

/** What pages send beside operations. */
const forms: Readonly<Record<string, Endpoint>> = {
  'log-in': answerLogIn,
  'second-step': answerSecondStep,
  'passkey-options': answerPasskeyOptions,
  'passkey-log-in': answerPasskeyLogIn,
  'log-out': answerLogOut,
  'reset-request': answerResetRequest,
  reset: answerReset,
  'sign-up-request': answerSignUpRequest,
  'sign-up': answerSignUp,
  'demo-log-in': answerDemoLogIn,
  outcome: answerOutcome,
};

const ofNetwork = { config: { limit: 'network' } } as const;
const ofCaller = { config: { limit: 'caller' } } as const;

/** The portal's server side: sessions, and every operation with the door `portal`, only for its own pages. */
export const portal =
  (deps: PortalDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const { portalUrl, operations, handlers } = deps;
    const ownPagesOnly = refuseOtherSites(portalUrl);
    server.addHook('onRequest', insecureRefused(portalUrl));
    server.addHook('onRequest', (request, reply, done) => {
      observedHandler(reply).operationId = request.routeOptions.url!.slice(1);
      void reply.headers({
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        'Cross-Origin-Resource-Policy': 'same-origin',
      });
      ownPagesOnly(request);
      done();
    });
    const screen = (request: FastifyRequest): void =>
      checkPageToken(sessionIdOf(deps, request), sentToken(request));
    const answer = (reply: FastifyReply, data: unknown): FastifyReply =>
      reply.header('Content-Type', JSON_TYPE).send(successText(JSON.stringify(data)));

    server.get('/portal/session', ofNetwork, async (request, reply) =>
      answer(reply, await answerSession(deps, request, reply, {})),
    );
    const streams = createStreams({
      ...deps,
      logger: deps.observability.logger,
      ...(deps.livePace && { pace: deps.livePace }),
    });
    deps.watchStreams?.(streams.count);
    server.addHook('preClose', async () => streams.close());
    server.get('/portal/live', ofCaller, async (request, reply) =>
      answerLive(deps, streams, request, reply),
    );
    // For everybody: GET /reference of the other listeners tells the same. Serialised once, so that strangers cost little.
    const described = lazily(async () =>
      Buffer.from(successText(JSON.stringify(await explorerOperations(deps)))),
    );
    server.get('/portal/operations', ofNetwork, async (_request, reply) =>
      reply.header('Content-Type', JSON_TYPE).send(await described()),
    );
    const downloads = createDownloads(deps);
    server.get('/portal/exports/:id', ofCaller, downloads);
    server.get('/portal/reports/:plantId', ofCaller, createReportPrinting(deps));
    for (const [name, endpoint] of Object.entries(forms)) {
      const onRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
        screen(request);
        if (!JSON_MEDIA.test(request.headers['content-type'] ?? ''))
          throw new Failure('unsupportedMediaType');
        done();
      };
      server.post(
        `/portal/${name}`,
        { ...ofNetwork, onRequest, bodyLimit: BODY_LIMIT_BYTES },
        async (request, reply) =>
          answer(
            reply,
            await endpoint(
              deps,
              request,
              reply,
              parseJsonObject(request.body as Buffer | undefined),
            ),
          ),
      );
    }
    mountOperations(server, {
      operations,
      handlers,
      door: 'portal',
      screen,
      admit: admitVisitor(deps),
    });
    mountOperations(server, {
      operations,
      handlers,
      door: 'console',
      screen,
      admit: admitOperator(deps),
    });
    mountOperations(server, {
      operations,
      handlers,
      door: 'support',
      screen,
      admit: admitSupport(deps),
    });
    // Otherwise, the app's page would answer here.
    server.get('/portal/*', ofNetwork, (request) => {
      const path = request.raw.url!.split('?', 1)[0]!;
      throw server.hasRoute({ method: 'POST', url: path })
        ? new Failure('methodNotAllowed', { data: { allow: 'POST' } })
        : new Failure('notFound');
    });
  };

/** The app itself: files that anybody may have, and for every other path the page that finds out what to show there. */
export const portalApp =
  (deps: PortalDeps, files: AppFiles) =>
  async (server: FastifyInstance): Promise<void> => {
    server.addHook('onRequest', insecureRefused(deps.portalUrl));
    server.get('/', ofNetwork, async (request, reply) => files.send(request, reply));
    server.get('/*', ofNetwork, async (request, reply) => files.send(request, reply));
  };

const insecureRefused = (portalUrl: string) =>
  requireTls(
    portalUrl,
    () =>
      new Failure('malformedRequest', {
        message: 'use https: the portal serves nothing over plain http',
      }),
  );
