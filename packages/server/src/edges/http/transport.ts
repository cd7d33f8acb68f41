import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A hook for interfaces whose public address is https: what arrives otherwise is refused, since secrets would travel in the open.
 * A proxy's word for the scheme counts only when it is one of the trusted ones. interface O75
 */
export const requireTls =
  (publicUrl: string, refusal: () => Error) =>
  (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (publicUrl.startsWith('https:')) {
      reply.header('Strict-Transport-Security', 'max-age=31536000');
      if (request.protocol !== 'https') throw refusal();
    }
    done();
  };
