import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../../../identity/accounts/audit.ts';
import { openArchive } from '../../../data-rights/exports/archive.ts';
import { getReadyExport } from '../../../data-rights/exports/rows.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { createPlaces, type Places } from '../../../platform/kernel/places.ts';
import { exchangeEndOf } from '../http/exchange-end.ts';
import type { PortalDeps } from './deps.ts';
import { getSession, refuseOperators } from './visitor.ts';

/** Downloads of an account at once. */
const AT_ONCE = 4;

/**
 * GET /portal/exports/<id>: the archive, for its account alone. Throws notAuthenticated, noPermission for operators, tooManyRequests, and notFound for what is
 * foreign, unknown or not ready.
 */
export function createDownloads(deps: PortalDeps) {
  const places = createPlaces({
    each: AT_ONCE,
    refusal: () =>
      new Failure('tooManyRequests', {
        data: { retryAfterSeconds: 10 },
        message: `too many downloads: ${AT_ONCE} at once`,
      }),
  });
  return (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    answerExport(deps, places, request, reply);
}

async function answerExport(
  deps: PortalDeps,
  places: Places,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { db, clock, ids, observability } = deps;
  const session = await getSession(deps, request);
  refuseOperators(session);
  const { accountId } = session;
  await deps.rateLimit.count(reply, accountId, 'exports');
  const { id } = request.params as { readonly id: string };
  const found = await getReadyExport(db, accountId, id, clock.now()).catch(notFound);
  // Nothing is downloaded.
  if (request.method === 'HEAD') return reply.header('Content-Type', 'application/zip').send();
  places.until(accountId, exchangeEndOf(reply.raw));
  const archive = await openArchive(db, found);
  const act = {
    at: clock.now(),
    newId: ids,
    actor: `account:${accountId}`,
    address: request.ip,
  } as const;
  await recordAudit(db, act, { kind: 'export.downloaded', accountId, data: { exportId: id } });
  const content = Readable.from(archive.content(), { objectMode: false });
  content.on('error', (error) =>
    observability.logger.warn({ reason: error.message }, 'a download of an export was broken off'),
  );
  return reply
    .headers({
      'Content-Type': 'application/zip',
      'Content-Length': archive.bytes,
      'Content-Disposition': `attachment; filename="${archive.fileName}"`,
    })
    .send(content);
}

function notFound(error: unknown): never {
  if (error instanceof Failure)
    throw new Failure('notFound', { message: 'no such export, or it is not ready' });
  throw error;
}
