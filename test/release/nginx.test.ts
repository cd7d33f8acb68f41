import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { createClient } from '@helioport/sdk';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { makeSelfSigned } from '../support/machine/self-signed.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';
import { leadingTo, settingsIn } from './proxy-sample.ts';
import { throughTls, type AskThrough } from './through-tls.ts';

const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
if (!hasNginx) console.log('skipped: the sample for nginx (not installed)');

const SAMPLE = readFileSync(
  join(import.meta.dirname, '../../deploy/samples/nginx/helioport.conf'),
  'utf8',
);
const SETTINGS = settingsIn(SAMPLE);

describe.skipIf(!hasNginx)('behind nginx as the sample sets it up', () => {
  let home: Installation;
  let server: ServerProcess;
  let nginx: ChildProcess;
  let ports: { plain: number; tls: number };
  const at = (name: string): string => join(home.folder, name);

  beforeAll(async () => {
    expect(Object.keys(SETTINGS)).toHaveLength(5);
    home = createInstallation();
    server = serve(home.folder, SETTINGS);
    const upstream = await server.started;
    ports = { plain: await freePort(), tls: await freePort() };
    makeSelfSigned({ keyFile: at('privkey.pem'), certFile: at('fullchain.pem'), name: 'x' });
    const sample = leadingTo(upstream, SAMPLE)
      .replaceAll('/etc/letsencrypt/live/solar.example', home.folder)
      .replaceAll('listen 80;', `listen 127.0.0.1:${ports.plain};`)
      .replaceAll('listen 443 ', `listen 127.0.0.1:${ports.tls} `);
    const own = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${at(name)};`)
      .join('\n');
    writeFileSync(
      at('nginx.conf'),
      `daemon off;\npid ${at('nginx.pid')};\nerror_log stderr notice;\nevents {}\n${process.getuid?.() === 0 ? 'user root;\n' : ''}http {\naccess_log off;\n${own}\n${sample}\n}\n`,
    );
    mkdirSync(at('logs'));
    nginx = spawn('nginx', ['-p', home.folder, '-c', at('nginx.conf')], { stdio: 'pipe' });
    let said = '';
    nginx.stderr!.on('data', (chunk) => (said += String(chunk)));
    await vi.waitFor(() => expect(said).toContain('start worker process'), { timeout: 60_000 });
  }, 120_000);
  afterAll(async () => {
    const ended = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    server.kill('SIGTERM');
    await Promise.all([ended, server.ended]);
    home.remove();
  });

  const ask: AskThrough = (...what) => throughTls(ports.tls)(...what);

  test('each host name reaches its listener, over TLS alone', async () => {
    const portal = await ask('portal.solar.example', '/', { headers: { Accept: 'text/html' } });
    expect(portal).toMatchObject({ status: 200, body: expect.stringMatching(/<!doctype html>/i) });
    expect(portal.headers['strict-transport-security']).toMatch(/^max-age=/);
    expect(await ask('gateway.solar.example', '/readyz')).toMatchObject({ body: 'ready\n' });
    const metadata = await ask('login.solar.example', '/.well-known/oauth-authorization-server');
    expect(JSON.parse(metadata.body)).toMatchObject({ issuer: 'https://login.solar.example' });
    const plain = get({
      port: ports.plain,
      host: '127.0.0.1',
      headers: { Host: 'api.solar.example' },
    });
    const [answer] = await once(plain, 'response');
    answer.resume();
    expect([answer.statusCode, answer.headers.location]).toEqual([
      301,
      'https://api.solar.example/',
    ]);
  });

  test('a signed request is answered, and recorded with the address of its sender', async () => {
    await home.ok(
      'user',
      'add',
      '--email',
      'ada@example.org',
      '--role',
      'owner',
      '--password',
      'kestrel meadow 42',
    );
    const pair = await home.ok('key', 'create', '--user', 'ada@example.org');
    const client = createClient({
      baseUrl: 'https://api.solar.example',
      keyId: pair.keyId,
      keySecret: pair.keySecret,
      fetch: async (url, init) => {
        const { host, pathname } = new URL(url);
        const headers = Object.fromEntries(new Headers(init!.headers).entries());
        const { status, body } = await ask(
          host,
          pathname,
          { method: 'POST', headers, localAddress: '127.0.0.9' },
          init!.body as string,
        );
        return new Response(body, { status });
      },
    });
    expect(await client.call('userStationList', { pageNo: 1, pageSize: 10 })).toMatchObject({
      page: { total: 0 },
    });
  });

  test('what is too large is refused by Helioport itself, in the form of its interface', async () => {
    const headers = { 'Content-Type': 'application/json' };
    const body = Buffer.alloc(1024 * 1024 + 1, ' ');
    const path = '/v1/api/userStationList';
    const answer = await ask('api.solar.example', path, { method: 'POST', headers }, body);
    expect(answer.status).toBe(413);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  test('a collector may wait for instructions for a minute', async () => {
    const seconds = Number(/proxy_read_timeout (\d+)s;/.exec(SAMPLE)![1]);
    expect(seconds).toBeGreaterThan(60);
  });
});
