import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';

let home: Installation;
beforeEach(() => {
  home = createInstallation();
});
afterEach(() => home.remove());

describe('in a folder that is no installation,', () => {
  test.each([
    'user list',
    'user audit a@example.org',
    'user disable a@example.org',
    'key list --user a@example.org',
    'key create --user a@example.org',
    'plant list',
    'plant archive 1',
    'device list',
    'collector list',
    'collector show C-1',
    'company list',
    'invitation list',
    'discovery list',
    'alarm list',
    'command list --device X',
    'app list',
    'app errors X',
    'grant list --user a@example.org',
    'forwarding list',
    'forwarding gaps',
  ])('helioport %s says so, and makes no database', async (line) => {
    const { exitCode, stderr } = await home.helioport(...line.split(' '));
    // Some want an option more, which is named first.
    expect([1, 2]).toContain(exitCode);
    if (exitCode === 1)
      expect(stderr).toContain(`there is no database in ${join(home.folder, 'data')}`);
    expect(readdirSync(home.folder)).toEqual([]);
  });

  test.each([
    ['migrate'],
    [
      'user',
      'add',
      '--email',
      'a@example.org',
      '--role',
      'owner',
      '--password',
      'correct horse battery',
    ],
    ['app', 'create', '--name', 'A', '--redirect-uri', 'https://a.example/back'],
  ])('helioport %s begins an installation', async (...args) => {
    await home.ok(...args);
    expect(existsSync(join(home.folder, 'data', 'helioport.db'))).toBe(true);
    expect(await home.ok('plant', 'list')).toEqual([]);
  });
});

describe('a backup', () => {
  test.each([
    ['to a place where nothing can be made', '/proc/helioport/copy'],
    ['below a file', 'file/copy'],
    ['below a file, deeper', 'file/more/copy'],
  ])('%s ends with an error', async (_, folder) => {
    await home.ok('migrate');
    writeFileSync(join(home.folder, 'file'), '');
    const { exitCode, stderr } = await home.helioport('backup', folder);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/^helioport: the folder .*copy cannot be made: /);
  });
});
