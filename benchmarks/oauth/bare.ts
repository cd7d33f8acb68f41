// Fastify that only reads a form and sends the bytes of an introspection answer.
import type { AddressInfo } from 'node:net';
import { fastify } from 'fastify';
import { introduce } from './rival.ts';

const answer = JSON.stringify({
  active: true,
  scope: 'access_data control_device',
  client_id: 'x'.repeat(24),
  sub: '1'.repeat(19),
  iss: 'http://127.0.0.1',
  iat: 1_700_000_000,
  exp: 1_700_086_400,
  token_type: 'bearer',
});
const server = fastify();
server.removeAllContentTypeParsers();
server.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
server.post('/oauth/introspect', (_request, reply) =>
  reply.header('Content-Type', 'application/json;charset=UTF-8').send(answer),
);
await server.listen({ port: 0, host: '127.0.0.1' });
const { port } = server.server.address() as AddressInfo;
introduce(
  {
    port,
    clientId: 'x',
    clientSecret: 'x',
    redirectUri: '',
    paths: { token: '', revoke: '', introspect: '/oauth/introspect' },
  },
  async () => '',
);
