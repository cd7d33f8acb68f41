import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lacks } from './programs.ts';
import { release } from '../../release/released.ts';

const missing = lacks('dpkg-deb');
if (missing) console.log(`skipped: the Debian package for ARM (${missing})`);

/** The machine of an executable (ELF, `e_machine`). */
const AARCH64 = 183;

describe.skipIf(missing !== undefined)('the Debian package for ARM', () => {
  let folder: string;
  let deb: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'helioport-arm64-'));
    await release(folder, '--target', 'linux-arm64');
    deb = join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('_arm64.deb'))!,
    );
  }, 1_800_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('is made on any machine: it says so, and its Node and all native parts are for ARM', () => {
    const control = execFileSync('dpkg-deb', ['--field', deb], { encoding: 'utf8' });
    expect(control).toMatch(/^Architecture: arm64$/m);
    const root = join(folder, 'root');
    execFileSync('dpkg-deb', ['--extract', deb, root]);
    const machines = new Map<string, number>();
    for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const path = join(entry.parentPath, entry.name);
      const head = readFileSync(path).subarray(0, 20);
      if (head.subarray(0, 4).equals(Buffer.from('\u007fELF', 'latin1')))
        machines.set(path.slice(root.length), head.readUInt16LE(18));
    }
    expect(machines.get('/usr/lib/helioport/bin/node')).toBe(AARCH64);
    expect([...machines].filter(([, machine]) => machine !== AARCH64)).toEqual([]);
    expect(readFileSync(join(root, 'usr/bin/helioport'), 'utf8')).toContain('/usr/lib/helioport');
  });
});
