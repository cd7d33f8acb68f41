import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readSources } from '../../lint/sources.ts';
import { readNamedFile } from '../../packages/server/src/platform/kernel/files/read-file.ts';
import { readSettingsFile } from '../../packages/server/src/platform/config/settings-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'helioport-named-'));
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

test('files that never end, never begin or are none are refused at once, and named', () => {
  mkdirSync(at('folder'));
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync('/dev/zero', at('link'));
  writeFileSync(at('large'), '');
  truncateSync(at('large'), 17 * 1024 * 1024);
  const faults = {
    [at('folder')]: 'it is a folder',
    [at('pipe')]: 'it is not a regular file',
    [at('link')]: 'it is not a regular file',
    '/dev/zero': 'it is not a regular file',
    [at('large')]: 'it has more than 16 MiB',
    [at('nothing')]: 'ENOENT',
  };
  for (const [file, fault] of Object.entries(faults))
    expect(readSettingsFile(file, file, true).faults).toEqual([
      `the settings file ${file} cannot be read (${fault})`,
    ]);
  // Files of the kernel have no size, and some wait for what is yet to come.
  expect(readNamedFile('/proc/self/environ')).toHaveLength(0);
  writeFileSync(at('settings'), 'HELIOPORT_HOST=10.0.0.1\n');
  symlinkSync(at('settings'), at('linked'));
  expect(readSettingsFile(at('linked'), 'linked', true)).toEqual({
    values: { HELIOPORT_HOST: '10.0.0.1' },
    faults: [],
  });
});

/** Files that read others as a whole: their own, or standard input. */
const OWN = [
  'interfaces/cli/accounts/key-options.ts',
  'interfaces/cli/history/history.ts',
  'interfaces/cli/installation/backup/backup-files.ts',
  'interfaces/cli/installation/backup/restore.ts',
  'interfaces/cli/signing/verify.ts',
  'interfaces/edges/authorization/pages/layout.ts',
  'interfaces/edges/portal/app-files.ts',
  'outbound/reports/pdf.ts',
  'platform/storage/migrate.ts',
  'platform/storage/sqlite/lost-database.ts',
];

test('every file that a person names is read within bounds', () => {
  const server = 'packages/server/src/';
  const reading = [...readSources(`${server}**/*.ts`)]
    .filter(([, text]) => /\breadFile(Sync)?\(/.test(text))
    .map(([path]) => path.slice(server.length));
  expect(reading.toSorted()).toEqual(OWN);
});
