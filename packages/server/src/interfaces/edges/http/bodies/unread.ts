import type { FastifyInstance } from 'fastify';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { endLingering } from '../../../../platform/kernel/linger.ts';

/** What is still read of a body that nobody wants: enough for what people send by mistake over a slow line, and no more. */
export const LINGER = { bytes: 32 * 1024 * 1024, ms: 10_000 };

/** Bodies of up to this size are read to their end, and their connections go on. */
const KEPT_BYTES = 2 * 1024 * 1024;

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** The last request on each connection. */
const exchanges = new WeakMap<Socket, Exchange>();

/**
 * Lets clients read an answer that comes before they have sent their whole body. Node closes such a connection at once if it is not to be kept, which
 * resets it: the client, still sending, sees a broken pipe. Instead, the body is read on for a while (RFC 9112, 9.6).
 */
export function lingerOverBodies(server: Server): void {
  server.on('connection', (socket: Socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node calls this after the last answer.
    socket.destroySoon = () => {
      const request = exchanges.get(socket)?.request;
      if (request?.complete !== false) destroySoon();
      // Chunks cost far more to parse than to drop; where they end is of no use to anybody now.
      else if (request.headers['transfer-encoding'] !== undefined) endReading(socket);
      else readOn(request, socket, destroySoon);
    };
  });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    exchanges.set(request.socket, { request, response });
  });
}

/** A body that is large, or of which nobody knows how large it will be, does not get to keep its connection. */
export function closeAfterLargeBodies(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    if (isLargeUnread(request.raw)) reply.header('Connection', 'close');
    done(null, payload);
  });
}

/** How often it is looked how much of a body has been dropped, in milliseconds: Node drops it without a word. */
const LOOK_MS = 50;

/** Reads the rest of a body, within limits, before the connection is closed; nothing more is written to it. */
function readOn(request: IncomingMessage, socket: Socket, close: () => void): void {
  const from = socket.bytesRead;
  const late = setTimeout(() => socket.destroy(), LINGER.ms);
  const looking = setInterval(() => {
    if (socket.bytesRead - from > LINGER.bytes) socket.destroy();
  }, LOOK_MS);
  const over = (): void => {
    clearTimeout(late);
    clearInterval(looking);
  };
  socket.once('close', over).end();
  request.once('end', close).resume();
}

/** Ends a connection after what was written to it; what still arrives is dropped unparsed. */
export function endReading(socket: Socket): void {
  // Nor is what follows.
  socket.on('data', () => {}).removeAllListeners('data');
  void endLingering(socket, LINGER);
}

/** Whether the answer to the last request on a connection has been given, although its body has not arrived. */
export function isAnswered(socket: Socket): boolean {
  const last = exchanges.get(socket);
  return last !== undefined && !last.request.complete && last.response.writableEnded;
}

/** Whether an answer comes before a body that is not worth reading to its end. */
export function isLargeUnread({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false;
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > KEPT_BYTES
  );
}
