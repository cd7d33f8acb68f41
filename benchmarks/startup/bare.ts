// The reference: a Fastify process that only answers a POST with JSON.
import { fastify } from 'fastify';

const server = fastify();
server.post('/v1/api/userStationList', async () => ({
  success: true,
  code: '0',
  msg: 'success',
  data: null,
}));
await server.listen({ host: '127.0.0.1', port: Number(process.argv[2]) });
