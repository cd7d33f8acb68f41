import { applicationPaths } from '@helioport/contract';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { Db } from '../../storage/database.ts';
import { envelopeRenderer, failureHandler } from '../http/errors.ts';
import { mountOperations, type AnyOperation, type Handler } from '../http/mount.ts';
import type { Observability } from '../http/observability.ts';
import { requireTls } from '../http/transport.ts';
import { admit, BearerFailure, challengeText, screen } from './bearer.ts';

export interface OauthApiDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly oauthUrl: string;
  /** The contract's table; those without a scope are not offered here. */
  readonly operations: readonly AnyOperation[];
  readonly handlers: Readonly<Record<string, Handler>>;
  readonly observability: Observability;
  readonly isUnavailable: (error: unknown) => boolean;
}

/** The OAuth resource interface: the twin of every operation that has a scope, for Bearer tokens alone. */
export const oauthApi =
  (deps: OauthApiDeps) =>
  async (server: FastifyInstance): Promise<void> => {
    const { operations, handlers, oauthUrl, observability, isUnavailable } = deps;
    server.addHook(
      'onRequest',
      requireTls(oauthUrl, () => new Failure('malformedRequest', { message: 'use https: over plain http this interface answers nothing' })),
    );
    server.addHook('onRequest', (_request, reply, done) => {
      reply.header('Cache-Control', 'no-store'); // checklist 72
      done();
    });
    const render = envelopeRenderer();
    server.setErrorHandler(
      failureHandler({
        listener: 'oauth',
        observability,
        isUnavailable,
        renderFailure: (failure, request, reply) => {
          if (failure instanceof BearerFailure) reply.header('WWW-Authenticate', challengeText(failure.challenge));
          render(failure, request, reply);
        },
      }),
    );
    mountOperations(server, { operations, handlers, paths: applicationPaths, screen, admit: admit(deps) });
  };
