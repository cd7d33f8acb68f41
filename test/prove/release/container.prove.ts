import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { release } from '../../release/released.ts';
import { lacks, run } from './programs.ts';

const missing = lacks('mmdebstrap', 'buildah');
if (missing) console.log(`skipped: the container image (${missing})`);

const IMAGE = 'localhost/helioport:proof';
const BASE = 'localhost/helioport-base:proof';

describe.skipIf(missing !== undefined)('the container image', () => {
  let folder: string;
  let container: string;
  // Where there is neither a daemon nor a user namespace.
  const buildah = (command: string, ...args: string[]): string =>
    run(
      'buildah',
      '--storage-driver=vfs',
      `--root=${join(folder, 'storage')}`,
      `--runroot=${join(folder, 'run')}`,
      command,
      ...args,
    );
  const inside = (...args: string[]): string =>
    buildah('run', '--isolation=chroot', container, '--', ...args);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-image-'));
    await release(join(folder, 'released'));
    cpSync('deploy/container/Containerfile', join(folder, 'released/Containerfile'));
    // No registry is asked: the base comes from Debian itself.
    const base = join(folder, 'base.tar');
    const slim = ['doc', 'info', 'locale', 'man'].map(
      (name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`,
    );
    run('mmdebstrap', '--variant=essential', '--include=libstdc++6', ...slim, 'bookworm', base);
    const scratch = buildah('from', 'scratch').trim();
    buildah('add', scratch, base, '/');
    buildah('commit', '--rm', scratch, BASE);
    rmSync(base);
    const args = [
      '--isolation=chroot',
      '--build-arg',
      `BASE=${BASE}`,
      '--build-arg',
      'VERSION=0.1.0',
    ];
    buildah('build', ...args, '--format=docker', '--tag', IMAGE, join(folder, 'released'));
    container = buildah('from', IMAGE).trim();
  }, 3_000_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('runs commands for a user other than root, who can write nothing but the data', () => {
    expect(inside('id', '-u').trim()).toBe('10001');
    expect(inside('helioport', '--version').trim()).toBe('0.1.0');
    expect(inside('helioport', 'doctor')).not.toMatch(/\bfault\b/);
    expect(
      inside('helioport', 'user', 'add', '--email', 'ada@example.org', '--role', 'owner'),
    ).toContain('ada@example.org');
    expect(() => inside('touch', '/opt/helioport/x')).toThrow(/Permission denied/);
  });

  test('says how its health is asked for, and holds no more than it needs', () => {
    const [{ Docker: image }] = JSON.parse(`[${buildah('inspect', '--type=image', IMAGE)}]`) as [
      { Docker: { config: Record<string, any> } },
    ];
    expect(image.config).toMatchObject({ User: '10001:10001', Volumes: { '/data': {} } });
    expect(image.config['Healthcheck'].Test[0]).toBe('CMD');
    const place = buildah('mount', container).trim();
    const megabytes = Number(run('du', '-sm', '--exclude=data', place).split('\t')[0]);
    expect(megabytes).toBeLessThan(300);
  });
});
