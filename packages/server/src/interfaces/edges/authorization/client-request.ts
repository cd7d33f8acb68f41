import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Application } from '../../../identity/oauth/applications.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { authenticateClient, readRequestForm } from './client-auth.ts';
import type { AuthorizationDeps } from './deps.ts';
import type { Form } from './form.ts';
import { withJson } from './refusal-answers.ts';

/** A readable request from an authenticated application. */
export interface ClientRequest {
  readonly request: FastifyRequest;
  readonly application: Application;
  readonly form: Form;
}

/** What the three endpoints for applications have in common. */
export interface ClientEndpoint {
  readonly name: 'token' | 'revoke' | 'introspect';
  readonly parameters: readonly string[];
  readonly answer: (deps: AuthorizationDeps, client: ClientRequest) => Promise<string>;
}

/** A route's handler: reads the form, authenticates the application and answers; refusals after authentication are recorded for the operator. */
export const clientHandler =
  (deps: AuthorizationDeps, { name, parameters, answer }: ClientEndpoint) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const form = readRequestForm(request, parameters);
    const application = await authenticateClient(request, deps);
    await deps.clientLimit.count(reply, application.id, name);
    try {
      return withJson(reply, await answer(deps, { request, application, form }));
    } catch (error) {
      if (error instanceof OauthRefusal)
        await deps.refusalCounts.count({
          applicationId: application.id,
          endpoint: name,
          reason: error.reason,
          requestId: request.id,
        });
      throw error;
    }
  };
