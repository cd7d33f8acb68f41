// Fastify that only sends the same bytes.
import { fastify } from 'fastify';
import { readFileSync } from 'node:fs';

const { answer } = JSON.parse(readFileSync(process.argv[3]!, 'utf8')) as { answer: unknown };
const bytes = JSON.stringify(answer);
const server = fastify();
server.post('/v1/api/userStationList', async (_request, reply) =>
  reply.header('content-type', 'application/json;charset=UTF-8').send(bytes),
);
await server.listen({ port: 0, host: '127.0.0.1' });
process.send!(server.server.address());
process.on('message', () => process.send!(process.cpuUsage()));
