import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, makeKey, type Installation } from '../support/command.ts';

let home: Installation;
let now: number;
beforeEach(async () => {
  now = Date.now();
  home = createInstallation({}, { now: () => now });
  await makeKey(home);
});
afterEach(() => home.remove());

const at = (...path: string[]): string => join(home.folder, ...path);

/** A fact that only this installation has. */
function mark(value: string): void {
  const database = new DatabaseSync(at('data', 'helioport.db'));
  database
    .prepare('insert into installation (name, value) values (?, ?)')
    .run(value, Buffer.from(value));
  database.close();
}

function marks(): string[] {
  const database = new DatabaseSync(at('data', 'helioport.db'));
  const rows = database
    .prepare("select name from installation where name like 'mark%' order by name")
    .all();
  database.close();
  return rows.map(({ name }) => String(name));
}

describe('backup and restore', () => {
  test('bring back data and key as they were at the time of the backup', async () => {
    mark('mark1');
    expect((await home.helioport('backup', 'copy')).exitCode).toBe(0);
    mark('mark2');
    rmSync(at('data'), { recursive: true });
    expect((await home.helioport('restore', 'copy')).exitCode).toBe(0);
    expect(marks()).toEqual(['mark1']);
    expect((await home.helioport('doctor')).exitCode).toBe(0);
  });

  test('the copy is whole while a writer has an open transaction, and holds what was committed', async () => {
    mark('mark1');
    const writer = new DatabaseSync(at('data', 'helioport.db'));
    writer.exec("begin immediate; insert into installation (name, value) values ('mark2', x'00')");
    const { exitCode } = await home.helioport('backup', 'copy');
    writer.exec('commit');
    writer.close();
    expect(exitCode).toBe(0);
    rmSync(at('data'), { recursive: true });
    await home.helioport('restore', 'copy');
    expect(marks()).toEqual(['mark1']);
  });

  test('both are for their owner alone', async () => {
    await home.helioport('backup', 'copy');
    expect(statSync(at('copy')).mode & 0o077).toBe(0);
    rmSync(at('data'), { recursive: true });
    await home.helioport('restore', 'copy');
    expect(statSync(at('data', 'master.key')).mode & 0o777).toBe(0o600);
    expect(statSync(at('data', 'helioport.db')).mode & 0o777).toBe(0o600);
  });

  test('restore never overwrites', async () => {
    await home.helioport('backup', 'copy');
    mark('mark1');
    const { exitCode, stderr } = await home.helioport('restore', 'copy');
    expect(exitCode).toBe(1);
    expect(stderr).toContain('already exists: nothing was restored');
    expect(marks()).toEqual(['mark1']);
  });

  test('backup never overwrites', async () => {
    await home.helioport('backup', 'copy');
    const before = readFileSync(at('copy', 'helioport.db'));
    expect((await home.helioport('backup', 'copy')).exitCode).toBe(2);
    expect(readFileSync(at('copy', 'helioport.db')).equals(before)).toBe(true);
  });

  test('a backup with another key or a damaged database is refused and leaves nothing', async () => {
    await home.helioport('backup', 'copy');
    rmSync(at('data'), { recursive: true });
    const key = readFileSync(at('copy', 'master.key'));
    writeFileSync(at('copy', 'master.key'), `${Buffer.alloc(32, 9).toString('base64')}\n`);
    const wrongKey = await home.helioport('restore', 'copy');
    expect(wrongKey).toMatchObject({
      exitCode: 1,
      stderr: 'helioport: the master key is not the one that this database was created with',
    });
    expect(existsSync(at('data', 'helioport.db'))).toBe(false);
    expect(existsSync(at('data', 'master.key'))).toBe(false);

    writeFileSync(at('copy', 'master.key'), key);
    writeFileSync(
      at('copy', 'helioport.db'),
      'this is no database, however long it may be; it goes on for a while',
    );
    expect(await home.helioport('restore', 'copy')).toMatchObject({
      exitCode: 1,
      stderr: 'helioport: the database file is not a database of Helioport',
    });
    expect(existsSync(at('data', 'helioport.db'))).toBe(false);
  });

  test('with PostgreSQL, restore names the command to use', async () => {
    home.environment['HELIOPORT_DATABASE_URL'] = 'postgres://db/helioport';
    home.environment['HELIOPORT_MASTER_KEY'] = Buffer.alloc(32, 1).toString('base64');
    expect((await home.helioport('restore', 'copy')).stderr).toContain('pg_restore');
  });

  test('of many, the newest are kept, and anything else in their folder stays', async () => {
    const names = (): string[] => readdirSync(at('copies')).toSorted();
    for (let day = 1; day <= 4; day++) {
      now = Date.UTC(2026, 0, day, 2, 30);
      if (day === 2) mkdirSync(at('copies', 'mine'));
      await home.ok('backup', 'copies', '--keep', '3');
    }
    expect(names()).toEqual([...[2, 3, 4].map((day) => `2026-01-0${day}T02-30-00`), 'mine']);
    expect(await home.ok('backup', 'copies', '--verify')).toMatchObject({
      folder: at('copies', '2026-01-04T02-30-00'),
      madeAt: '2026-01-04T02:30:00.000Z',
    });
    expect((await home.helioport('backup', 'copies', '--keep', 'all')).exitCode).toBe(2);
    const { stdout } = await home.helioport('doctor');
    expect(stdout).toMatch(/backups +ok +the last one was made at 2026-01-04T02:30/);
    now += 50 * 3_600_000;
    expect((await home.helioport('doctor')).stdout).toMatch(/backups +warning .*, 50 hours ago/);
  });

  test('one that is not as it was written is found', async () => {
    await home.helioport('backup', 'copy');
    expect((await home.helioport('backup', 'copy', '--verify')).exitCode).toBe(0);
    const database = readFileSync(at('copy', 'helioport.db'));
    database[database.length - 1]! ^= 1;
    writeFileSync(at('copy', 'helioport.db'), database);
    expect(await home.helioport('backup', 'copy', '--verify')).toMatchObject({
      exitCode: 1,
      stderr: `helioport: the backup ${at('copy')} is damaged: helioport.db`,
    });
    rmSync(at('copy', 'master.key'));
    expect((await home.helioport('backup', 'copy', '--verify')).stderr).toContain('master.key');
  });
});
