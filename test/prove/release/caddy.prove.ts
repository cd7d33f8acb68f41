import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { leadingTo, settingsIn } from '../../release/proxy-sample.ts';
import { throughTls } from '../../release/through-tls.ts';
import { createInstallation, type Installation } from '../../support/command.ts';
import { freePort } from '../../support/free-port.ts';
import { serve, type ServerProcess } from '../../support/server-process.ts';

const hasCaddy = spawnSync('caddy', ['version']).error === undefined;
if (!hasCaddy) console.log('skipped: the sample for Caddy (not installed)');

const SAMPLE = readFileSync('deploy/samples/caddy/Caddyfile', 'utf8');

describe.skipIf(!hasCaddy)('behind Caddy as the sample sets it up', () => {
  let home: Installation;
  let server: ServerProcess;
  let caddy: ChildProcess;
  let tls: number;
  beforeAll(async () => {
    home = createInstallation();
    server = serve(home.folder, settingsIn(SAMPLE));
    const upstream = await server.started;
    const plain = await freePort();
    tls = await freePort();
    // Certificates of its own instead of those of the world.
    const options = [
      'local_certs',
      'skip_install_trust',
      'admin off',
      `http_port ${plain}`,
      `https_port ${tls}`,
    ];
    const file = join(home.folder, 'Caddyfile');
    writeFileSync(file, `{\n${options.join('\n')}\n}\n${leadingTo(upstream, SAMPLE)}`);
    caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
      env: { PATH: process.env['PATH'], HOME: home.folder, XDG_DATA_HOME: home.folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    caddy.stderr!.resume();
    await vi.waitFor(() => throughTls(tls)('portal.solar.example', '/healthz'), {
      timeout: 60_000,
    });
  });
  afterAll(async () => {
    const ended = once(caddy, 'exit');
    caddy.kill('SIGTERM');
    server.kill('SIGTERM');
    await Promise.all([ended, server.ended]);
    home.remove();
  });

  test('each host name reaches its listener, which knows that it was asked over TLS', async () => {
    const ask = throughTls(tls);
    const portal = await ask('portal.solar.example', '/', { headers: { Accept: 'text/html' } });
    expect(portal).toMatchObject({ status: 200, body: expect.stringMatching(/<!doctype html>/i) });
    const metadata = await ask('login.solar.example', '/.well-known/oauth-authorization-server');
    expect(JSON.parse(metadata.body)).toMatchObject({ issuer: 'https://login.solar.example' });
    for (const host of ['gateway', 'api'])
      expect(await ask(`${host}.solar.example`, '/readyz')).toMatchObject({ body: 'ready\n' });
  });
});
