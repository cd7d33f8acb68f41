import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, makeKey, type Installation } from '../support/command.ts';
import { effort } from '../support/effort.ts';
import { serve, spawnHelioport } from '../support/server-process.ts';

const PAGE_BYTES = 4096;
/** Some megabytes, so that a copy takes its time. */
const ROWS = 150;
const KILLS = effort(3, 15);

let home: Installation;
beforeEach(async () => {
  home = createInstallation();
  await makeKey(home);
  const database = new DatabaseSync(at('data', 'helioport.db'));
  database.exec(
    `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) insert into installation (name, value) select 'fill' || i, randomblob(100000) from n`,
  );
  database.close();
});
afterEach(() => home.remove());

const at = (...path: string[]): string => join(home.folder, ...path);

function filled(): number {
  const database = new DatabaseSync(at('data', 'helioport.db'), { readOnly: true });
  const { n } = database
    .prepare(
      "select count(*) as n from installation where name like 'fill%' and length(value) = 100000",
    )
    .get() as { n: number };
  database.close();
  return n;
}

/** Overwrites whole pages in the middle of a database, as a disk does that fails. */
function damage(file: string): void {
  const pages = statSync(file).size / PAGE_BYTES;
  const opened = openSync(file, 'r+');
  for (let page = 1; page < pages; page += 3)
    writeSync(opened, Buffer.alloc(PAGE_BYTES, 0xa5), 0, PAGE_BYTES, page * PAGE_BYTES);
  closeSync(opened);
}

/** Empties one page of a blob. */
function blank(file: string): void {
  const opened = openSync(file, 'r+');
  writeSync(
    opened,
    Buffer.alloc(PAGE_BYTES),
    0,
    PAGE_BYTES,
    Math.floor(statSync(file).size / PAGE_BYTES / 2) * PAGE_BYTES,
  );
  closeSync(opened);
}

/** Starts a command and kills it as soon as it has made a file, or after it has come to its end all the same. */
async function killed(args: readonly string[], made: string): Promise<void> {
  const child = spawnHelioport(home.folder, args);
  const ended = once(child, 'close');
  const state = { ended: false };
  void ended.then(() => (state.ended = true));
  await expect
    .poll(() => state.ended || existsSync(made), { timeout: 60_000, interval: 1 })
    .toBe(true);
  child.kill('SIGKILL');
  await ended;
}

const doctorOf = async (check: string): Promise<{ state: string; text: string }> =>
  (await home.helioport('doctor', '--json'))
    .json()
    .find((one: { check: string }) => one.check === check);

describe('a backup', () => {
  test(
    `that is killed never looks finished, and the next one to the same folder succeeds, ${KILLS} times`,
    { timeout: 60_000 * KILLS },
    async () => {
      for (let kill = 0; kill < KILLS; kill++) {
        await killed(
          ['backup', 'copy'],
          at('copy.unfinished', kill % 2 === 0 ? 'helioport.db' : 'master.key'),
        );
        expect(existsSync(at('copy'))).toBe(false);
        await home.ok('backup', 'copy');
        expect(readdirSync(home.folder).toSorted()).toEqual(['copy', 'data']);
        rmSync(at('copy'), { recursive: true });
      }
    },
  );

  test('of which only a part is there is none', async () => {
    await home.ok('backup', 'copy');
    rmSync(at('copy', 'manifest.json'));
    rmSync(at('data'), { recursive: true });
    expect(await home.helioport('restore', 'copy')).toMatchObject({
      exitCode: 1,
      stderr: `helioport: ${at('copy')} is not a finished backup: it has no manifest.json`,
    });
    expect(existsSync(at('data', 'helioport.db'))).toBe(false);
  });

  test('with damaged pages is refused in one sentence, and nothing is restored', async () => {
    await home.ok('backup', 'copy');
    damage(at('copy', 'helioport.db'));
    rmSync(at('data'), { recursive: true });
    expect(await home.helioport('restore', 'copy')).toMatchObject({
      exitCode: 1,
      stderr: `helioport: the backup ${at('copy')} is damaged: helioport.db differs from what was written`,
    });
    expect(readdirSync(at('data'))).toEqual([]);
  });

  test('in which one bit of a value has turned is refused too, though its pages are in order', async () => {
    await home.ok('backup', 'copy');
    const bytes = readFileSync(at('copy', 'helioport.db'));
    // Within the pages of a blob.
    bytes[bytes.length - 3 * PAGE_BYTES + 1234]! ^= 0x10;
    writeFileSync(at('copy', 'helioport.db'), bytes);
    rmSync(at('data'), { recursive: true });
    expect((await home.helioport('restore', 'copy')).stderr).toContain(
      'differs from what was written',
    );
    expect(readdirSync(at('data'))).toEqual([]);
  });

  test.each([
    [
      'was lost',
      () => rmSync(at('data', 'master.key')),
      /^helioport: the master key .*master\.key is missing: put it back/,
    ],
    [
      'was replaced by another',
      () => writeFileSync(at('data', 'master.key'), `${Buffer.alloc(32, 9).toString('base64')}\n`),
      /^helioport: the master key is not the one that this database was created with$/,
    ],
  ])(
    'of an installation whose master key %s is refused, since nobody could use it',
    async (_, lose, sentence) => {
      lose();
      const { exitCode, stderr } = await home.helioport('backup', 'copy');
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(sentence)]);
      expect(readdirSync(home.folder)).toEqual(['data']);
    },
  );
});

describe('a restore', () => {
  test(
    `that is killed leaves nothing that starts as something else, and is repeated, ${KILLS} times`,
    { timeout: 60_000 * KILLS },
    async () => {
      await home.ok('backup', 'copy');
      for (let kill = 0; kill < KILLS; kill++) {
        rmSync(at('data'), { recursive: true });
        await killed(
          ['restore', 'copy'],
          at(
            'data',
            ['helioport.db.unfinished', 'helioport.db.unfinished-wal', 'master.key'][kill % 3]!,
          ),
        );
        if (!existsSync(at('data', 'helioport.db'))) await home.ok('restore', 'copy');
        expect(filled()).toBe(ROWS);
        expect(readdirSync(at('data')).filter((name) => name.includes('unfinished'))).toEqual([]);
        expect((await home.helioport('doctor')).exitCode).toBe(0);
      }
    },
  );

  test('takes the place of a database that was lost beside its key, and leaves what is left of that aside', async () => {
    await home.ok('backup', 'copy');
    rmSync(at('data', 'helioport.db'));
    writeFileSync(at('data', 'helioport.db-wal'), 'what was not yet in the database file');
    await home.ok('restore', 'copy');
    expect(filled()).toBe(ROWS);
    expect(readFileSync(at('data', 'helioport.db-wal.before-restore'), 'utf8')).toBe(
      'what was not yet in the database file',
    );
  });

  test('beside another key is refused', async () => {
    await home.ok('backup', 'copy');
    rmSync(at('data', 'helioport.db'));
    writeFileSync(at('data', 'master.key'), `${Buffer.alloc(32, 9).toString('base64')}\n`);
    expect((await home.helioport('restore', 'copy')).stderr).toBe(
      `helioport: ${at('data', 'master.key')} already exists: nothing was restored`,
    );
  });

  test('without the key that a backup was made with says so', async () => {
    await home.ok('backup', 'copy');
    rmSync(at('copy', 'master.key'));
    rmSync(at('data'), { recursive: true });
    expect((await home.helioport('restore', 'copy')).stderr).toMatch(
      /^helioport: the backup has no master key: set HELIOPORT_MASTER_KEY/,
    );
  });
});

test.each([
  ['damaged pages', damage],
  ['one page that is damaged and that no start reads', blank],
])('a database with %s does not start, and doctor says so', async (_, harm) => {
  harm(at('data', 'helioport.db'));
  const server = serve(home.folder);
  expect((await server.ended).code).toBe(1);
  expect(server.output()).toBe(
    'helioport: the database file is damaged: put a backup in its place with helioport restore\n',
  );
  const { exitCode } = await home.helioport('doctor');
  expect(exitCode).toBe(1);
  expect(await doctorOf('database')).toMatchObject({
    state: 'fault',
    text: expect.stringContaining('the database file is damaged'),
  });
  renameSync(at('data', 'helioport.db'), at('data', 'damaged.db'));
  expect((await home.helioport('doctor')).exitCode).toBe(1);
});
