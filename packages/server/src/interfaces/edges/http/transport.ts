import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * A hook for interfaces whose public address is https: anything else is refused, since secrets would travel unencrypted. The scheme that a proxy
 * reports counts only if the proxy is trusted. interface O75
 */
export const requireTls =
  (publicUrl: string, refusal: () => Error) =>
  (request: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
    if (publicUrl.startsWith('https:') && request.protocol !== 'https') throw refusal();
    done();
  };
