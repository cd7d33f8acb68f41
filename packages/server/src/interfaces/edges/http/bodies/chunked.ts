import type { FastifyInstance } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { Failure } from '../../../../platform/kernel/failure.ts';

/** Bytes of framing (sizes of chunks, their extensions and line ends) that any body may have. */
const FRAMING_BYTES = 64 * 1024;

/** Each so many bytes of content allow another byte of framing. */
const CONTENT_PER_FRAMING = 4;

/**
 * Refuses bodies whose chunks are framing rather than content: a chunk costs as much CPU time as some
 * hundred bytes, so that a body in chunks of a byte costs a hundred times what its size says. Senders
 * that write small reports byte by byte pass.
 */
export function boundFraming(server: FastifyInstance): void {
  server.addHook('preParsing', (request, _reply, payload, done) => {
    if (request.headers['transfer-encoding'] === undefined) return done(null, payload);
    const bounded = Readable.from(contentOf(request.raw), { objectMode: false });
    // Nobody listens any more once a refusal for another reason has been given.
    done(
      null,
      bounded.on('error', () => {}),
    );
  });
}

/** Throws malformedRequest. */
async function* contentOf(request: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { socket } = request;
  // What came together with the head is not counted.
  const from = socket.bytesRead;
  let content = 0;
  for await (const piece of request.iterator({ destroyOnReturn: false })) {
    const { length } = piece as Uint8Array;
    content += length;
    const framing = socket.bytesRead - from - content;
    // After the end, other requests may have arrived, and no work is left to be saved.
    if (!request.complete && framing > FRAMING_BYTES + content / CONTENT_PER_FRAMING)
      throw new Failure('malformedRequest', {
        message: 'the chunks of the body are too small: send more content in each',
      });
    yield piece as Uint8Array;
  }
}
