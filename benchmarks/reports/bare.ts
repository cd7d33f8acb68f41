// Fastify that takes the same bytes, without reading anything into them unless asked to, and sends the same answer.
import { fastify } from 'fastify';

const ANSWER = JSON.stringify({ accepted: 3, duplicate: 0, refused: [] });
const server = fastify();
if (process.argv[2] !== 'reading') {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );
}
server.post('/v1/readings', async (_request, reply) =>
  reply.header('content-type', 'application/json;charset=UTF-8').send(ANSWER),
);
await server.listen({ port: 0, host: '127.0.0.1' });
process.send!(server.server.address());
process.on('message', () => process.send!(process.cpuUsage()));
