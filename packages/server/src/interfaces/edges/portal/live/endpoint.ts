import type { FastifyReply, FastifyRequest } from 'fastify';
import { exchangeEndOf } from '../../http/exchange-end.ts';
import type { PortalDeps } from '../deps.ts';
import { getSession, refuseOperators } from '../visitor.ts';
import type { Streams } from './streams.ts';

/** A browser that is this far behind is disconnected; when it comes back, it reads everything again. */
const BACKLOG_BYTES = 256 * 1024;

/** GET /portal/live: what happens in the plants that somebody may see, and that there is an invitation to one, as server-sent events, until the session ends. */
export async function answerLive(
  deps: PortalDeps,
  streams: Streams,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const session = await getSession(deps, request);
  refuseOperators(session);
  await deps.rateLimit.count(reply, session.accountId, 'live');
  // A stream without a body has ended.
  if (request.method === 'HEAD') return reply.header('Content-Type', 'text/event-stream').send();
  const { raw } = reply;
  const gone = exchangeEndOf(raw);
  streams.join({
    accountId: session.accountId,
    sessionId: session.id,
    gone,
    send: (text) => (raw.write(text), raw.writableLength <= BACKLOG_BYTES),
    end: () => void raw.end(),
  });
  reply.hijack();
  if (gone.aborted) return reply;
  // X-Accel-Buffering: nginx would hold events back.
  raw.writeHead(200, {
    ...(reply.getHeaders() as Record<string, string>),
    'Content-Type': 'text/event-stream',
    'X-Accel-Buffering': 'no',
  });
  raw.write(`retry: ${RETRY_MS}\n\n`);
  return reply;
}

/** After this time, browsers connect again. */
const RETRY_MS = 3_000;
