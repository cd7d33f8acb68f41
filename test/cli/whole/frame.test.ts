import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, makeKey, type Installation } from '../../support/command.ts';

let home: Installation;
beforeEach(() => {
  home = createInstallation();
});
afterEach(() => home.remove());

describe('the command line', () => {
  test('--help names every command with what it does, on standard output', async () => {
    const { exitCode, stdout, stderr } = await home.helioport('--help');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    for (const command of [
      'serve',
      'migrate',
      'config',
      'doctor',
      'call',
      'sign',
      'verify',
      'simulate',
      'backup',
      'restore',
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${command}\\b.* {2}\\S`, 'm'));
    }
  });

  test('help of one command shows the options of all', async () => {
    const { exitCode, stdout } = await home.helioport('migrate', '--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('--dry-run');
    expect(stdout).toContain('--json');
    expect(stdout).toContain('--config <file>');
  });

  test.each([[['nonsense']], [['migrate', '--nonsense']], [['backup']], [[]], [['config']]])(
    'bad usage %j is exit code 2, said on standard error',
    async (args) => {
      const { exitCode, stdout, stderr } = await home.helioport(...args);
      expect(exitCode).toBe(2);
      expect(stdout).toBe('');
      expect(stderr).not.toBe('');
    },
  );

  test('settings that cannot be are exit code 1 and one line each', async () => {
    home.environment['HELIOPORT_HOST'] = '???';
    home.environment['HELIOPORT_OPS_PORT'] = 'many';
    const { exitCode, stderr } = await home.helioport('config', 'check');
    expect(exitCode).toBe(1);
    expect(stderr.split('\n').map((line) => line.trim().split(':')[0])).toEqual([
      'helioport',
      'HELIOPORT_HOST',
      'HELIOPORT_OPS_PORT',
    ]);
  });

  test.each([
    [['config', 'check'], /the settings are valid/],
    [['doctor'], /settings\s+warning\s+HELIOPORT_DATABSE_URL/],
    [['user', 'list'], /none/],
  ])('%j remarks once on a name in the environment that nothing reads', async (args, answer) => {
    if (args[0] === 'user') await home.ok('migrate');
    home.environment['HELIOPORT_DATABSE_URL'] = 'postgres://nobody@example.org/none';
    const { exitCode, stdout, stderr } = await home.helioport(...args);
    expect([exitCode, stderr]).toEqual([
      0,
      'warning: HELIOPORT_DATABSE_URL: no such setting (in the environment); did you mean HELIOPORT_DATABASE_URL?',
    ]);
    expect(stdout).toMatch(answer);
  });

  test('--config and --json work before and after the command', async () => {
    writeFileSync(join(home.folder, 'my.conf'), 'HELIOPORT_OPS_PORT=4711\n');
    for (const args of [
      ['--json', '--config', 'my.conf', 'config', 'show'],
      ['config', 'show', '--config', 'my.conf', '--json'],
    ]) {
      const outcome = await home.helioport(...args);
      expect(outcome.json()).toMatchObject({
        HELIOPORT_OPS_PORT: { value: '4711', source: 'my.conf' },
      });
    }
  });

  test('config show masks secrets that were given', async () => {
    home.environment['HELIOPORT_MASTER_KEY'] = Buffer.alloc(32, 1).toString('base64');
    home.environment['HELIOPORT_DATABASE_URL'] = 'postgres://u:hunter2@db/h';
    const text = await home.helioport('config', 'show');
    const json = await home.helioport('config', 'show', '--json');
    for (const { stdout, exitCode } of [text, json]) {
      expect(exitCode).toBe(0);
      expect(stdout).not.toContain('hunter2');
      expect(stdout).not.toContain(home.environment['HELIOPORT_MASTER_KEY']);
      expect(stdout).toContain('********');
    }
  });

  test('migrate makes the embedded database and has nothing to do the second time', async () => {
    expect((await home.helioport('migrate', '--dry-run', '--json')).json().pending).not.toEqual([]);
    expect((await home.helioport('migrate', '--json')).json().applied).toContain(
      '0069-foundation.sql',
    );
    expect((await home.helioport('migrate', '--json')).json()).toEqual({ applied: [] });
  });

  test('doctor finds nothing wrong with a new installation', async () => {
    const { exitCode, json } = await home.helioport('doctor', '--json');
    expect(json().filter(({ state }: { state: string }) => state !== 'ok')).toEqual([]);
    expect(exitCode).toBe(0);
  });

  test('doctor says what is wrong and ends with 1', async () => {
    await makeKey(home);
    home.environment['HELIOPORT_MASTER_KEY'] = Buffer.alloc(32, 1).toString('base64');
    home.environment['HELIOPORT_OAUTH_URL'] = 'http://login.example.org';
    const { exitCode, json } = await home.helioport('doctor', '--json');
    expect(exitCode).toBe(1);
    const states = Object.fromEntries(
      json().map(({ check, state }: { check: string; state: string }) => [check, state]),
    );
    expect(states).toMatchObject({
      database: 'ok',
      'master key': 'fault',
      'public addresses': 'warning',
    });
  });
});
