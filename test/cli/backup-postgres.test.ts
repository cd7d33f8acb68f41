import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';
import { createPostgresDatabase, type TestDatabase } from '../support/engines.ts';

describe.skipIf(inject('postgresUrl') === '')('a backup of PostgreSQL', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  let home: Installation;
  const on = ({ address }: TestDatabase): void => {
    home.environment['HELIOPORT_DATABASE_URL'] = address;
  };
  beforeAll(async () => {
    [source, target] = [await createPostgresDatabase(), await createPostgresDatabase()];
    home = createInstallation({
      HELIOPORT_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
  });
  afterAll(async () => {
    home.remove();
    await source.drop();
    await target.drop();
  });

  test('is made by pg_dump, without the password among the arguments, and comes back with the command that restore names', async () => {
    on(source);
    await home.ok(
      'user',
      'add',
      '--email',
      'owner@example.org',
      '--role',
      'owner',
      '--password',
      'kestrel meadow 42',
    );
    const { exitCode, stderr } = await home.helioport('backup', 'copies', '--keep', '2');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 0,
      stderr: expect.stringContaining('keep a copy of it'),
    });
    expect((await home.helioport('backup', 'copies', '--verify')).exitCode).toBe(0);
    expect((await home.helioport('doctor')).stdout).toMatch(/backups +ok +the last one/);

    on(target);
    const copy = join('copies', readdirSync(join(home.folder, 'copies'))[0]!);
    const refusal = (await home.helioport('restore', copy)).stderr;
    const [, command] = / with (pg_restore .*\.dump), /.exec(refusal)!;
    const { address } = target;
    // The database of a test is a migrated one; that of an operator is empty.
    execFileSync(
      'sh',
      ['-ec', `${command!.replace('ADDRESS', `'${address}'`)} --clean --if-exists`],
      {
        stdio: 'pipe',
      },
    );
    expect((await home.ok('user', 'list')).map(({ email }: { email: string }) => email)).toEqual([
      'owner@example.org',
    ]);
  });

  test('into a folder that cannot be made is one sentence', async () => {
    home.environment['HELIOPORT_DATABASE_URL'] = source.address;
    const { exitCode, stderr } = await home.helioport('backup', '/proc/none/copy');
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining('cannot be made'),
    });
  });
});
