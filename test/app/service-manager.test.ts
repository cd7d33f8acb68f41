import { mkdtempSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makeSelfSigned } from '../support/machine/self-signed.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

let folder: string;
let server: ServerProcess | undefined;
const file = (name: string): string => join(folder, name);

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-managed-'));
  mkdirSync(file('bin'));
  // Of systemd, what tells it something: where there is no systemd, nobody listens.
  writeFileSync(file('bin/systemd-notify'), '#!/bin/sh\necho "$1" >> "$NOTIFY_SOCKET"\n', {
    mode: 0o755,
  });
});
afterEach(async () => {
  server?.kill('SIGKILL');
  await server?.ended;
  rmSync(folder, { recursive: true, force: true });
});

function renew(name: string): void {
  makeSelfSigned({ keyFile: file('new-key.pem'), certFile: file('new-cert.pem'), name });
  renameSync(file('new-key.pem'), file('key.pem'));
  renameSync(file('new-cert.pem'), file('cert.pem'));
}

const servedName = (address: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(address);
    const socket = connect({ host: '127.0.0.1', port: Number(port), rejectUnauthorized: false });
    socket.once('error', reject).once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN));
      socket.destroy();
    });
  });

const notified = (): string[] => readFileSync(file('notified'), 'utf8').trim().split('\n');

test.each(['1', '2'])(
  'with %s processes, it tells systemd how it is, and at a reload serves the renewed certificate',
  async (processes) => {
    renew('first');
    server = serve(folder, {
      PATH: `${file('bin')}:${process.env['PATH']}`,
      NOTIFY_SOCKET: file('notified'),
      HELIOPORT_PROCESSES: processes,
      HELIOPORT_MQTT_TLS_CERT: 'cert.pem',
      HELIOPORT_MQTT_TLS_KEY: 'key.pem',
    });
    const { mqtt } = await server.started;
    await expect.poll(notified).toEqual(['READY=1']);
    expect(await servedName(mqtt!)).toBe('first');

    renew('second');
    server.kill('SIGHUP');
    await expect.poll(notified).toEqual(['READY=1', 'RELOADING=1', 'READY=1']);
    await expect.poll(() => servedName(mqtt!)).toBe('second');

    writeFileSync(file('cert.pem'), 'nonsense');
    server.kill('SIGHUP');
    await expect.poll(() => server!.output()).toContain('a renewed certificate cannot be used');
    expect(await servedName(mqtt!)).toBe('second');

    server.kill('SIGTERM');
    expect(await server.ended).toEqual({ code: 0, signal: null });
    expect(notified().at(-1)).toBe('STOPPING=1');
  },
  60_000,
);
