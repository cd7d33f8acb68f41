import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ReadAuthorizationRequest } from './authorization-request.ts';
import type { Browser } from './browser.ts';
import type { AuthorizationDeps } from './deps.ts';

/** The input of a handler, after the checks. */
export interface Visit {
  readonly deps: AuthorizationDeps;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly browser: Browser;
  readonly authorization: ReadAuthorizationRequest;
}
