import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '@helioport/contract';
import { Failure } from '../../../platform/kernel/failure.ts';
import { failureHeaders } from '../http/errors.ts';
import type { AppFiles } from './app-files.ts';
import type { PortalDeps } from './deps.ts';
import { checkPageToken, refuseOtherSites } from './own-pages.ts';
import { answerDemoLogIn, answerLogIn } from './session.ts';
import { sessionIdOf } from './visitor.ts';

const FORM_MEDIA = /^application\/x-www-form-urlencoded\b/i;

/** Treats a POST that is no form as if there were no route for it, before its body is read. */
export function formsOnly(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  if (FORM_MEDIA.test(request.headers['content-type'] ?? '')) done();
  else reply.callNotFound();
}

/**
 * POST to the address of any page, by its form, from a browser in which the app is not there yet: leads back to the page, as somebody who is signed in, or
 * answers with the page and the refusal, which may be that a second factor is needed. Throws foreignPage.
 */
export const answerEntryForm = (deps: PortalDeps, files: AppFiles) => {
  const ownPagesOnly = refuseOtherSites(deps.portalUrl);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    ownPagesOnly(request);
    const form = new URLSearchParams((request.body as Buffer | undefined)?.toString('utf8'));
    const [email, password] = ['email', 'password'].map((name) => form.get(name) ?? '');
    checkPageToken(sessionIdOf(deps, request), form.get('token') ?? undefined);
    try {
      await (form.has('demo')
        ? answerDemoLogIn(deps, request, reply, {})
        : answerLogIn(deps, request, reply, { email, password }));
    } catch (error) {
      if (!(error instanceof Failure) || errors[error.code].status >= 500) throw error;
      const { code, status } = errors[error.code];
      // A form that people have to correct is answered with status 200 (ADR 0009).
      void failureHeaders(error, reply).code(status === 429 ? 429 : 200);
      return files.send(request, reply, { email: email!, status, code, data: error.data ?? null });
    }
    // With a second slash it would name another host.
    return reply
      .code(303)
      .header('Location', /^\/(?![/\\])/.test(request.raw.url!) ? request.raw.url! : '/')
      .header('Cache-Control', 'no-store')
      .send();
  };
};
