import {
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createInstallation, makeKey, type Installation } from '../support/command.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

let home: Installation;
const running: ServerProcess[] = [];
beforeEach(() => {
  home = createInstallation();
});
afterEach(async () => {
  for (const server of running.splice(0)) {
    server.kill('SIGKILL');
    await server.ended;
  }
  home.remove();
});

const at = (...path: string[]): string => join(home.folder, ...path);

function start(environment: Record<string, string> = {}): ServerProcess {
  // One part alone: it starts sooner.
  const server = serve(home.folder, { HELIOPORT_ROLES: 'gateway', ...environment });
  running.push(server);
  return server;
}

/** What a start says that does not come about. */
async function refusal(): Promise<string> {
  const server = start();
  expect(await server.ended).toEqual({ code: 1, signal: null });
  return server.output().trim();
}

async function killedServer(environment: Record<string, string> = {}): Promise<void> {
  const server = start(environment);
  await server.started;
  await expect.poll(() => existsSync(at('data', 'helioport.db.last-write'))).toBe(true);
  server.kill('SIGKILL');
  await server.ended;
}

const removeLog = (): void => {
  for (const suffix of ['-wal', '-shm']) rmSync(at(`data/helioport.db${suffix}`), { force: true });
};

describe('a database that is gone beside what belongs to it', () => {
  const sentence = (...traces: string[]): string =>
    `helioport: the database is missing or empty, although there was one in ${at('data')}: restore a backup with helioport restore FOLDER; ` +
    `to start afresh, move ${traces.map((name) => at('data', name)).join(' and ')} away`;

  test.each([
    ['deleted', () => rmSync(at('data', 'helioport.db'))],
    ['cut to nothing', () => truncateSync(at('data', 'helioport.db'), 0)],
    [
      'replaced by one without tables',
      () => {
        rmSync(at('data', 'helioport.db'));
        const database = new DatabaseSync(at('data', 'helioport.db'));
        database.exec('create table x (y); drop table x');
        database.close();
      },
    ],
  ])(
    '(%s) is reported in one sentence, by the start, by commands and by doctor, and nothing is made',
    async (_, lose) => {
      await makeKey(home);
      lose();
      const left = readdirSync(at('data'));
      expect(await refusal()).toBe(sentence('master.key'));
      expect(await home.helioport('user', 'list')).toMatchObject({
        exitCode: 1,
        stderr: sentence('master.key'),
      });
      expect(await home.helioport('migrate')).toMatchObject({
        exitCode: 1,
        stderr: sentence('master.key'),
      });
      const { exitCode, json } = await home.helioport('doctor', '--json');
      expect(exitCode).toBe(1);
      expect(json().find(({ check }: { check: string }) => check === 'database')).toMatchObject({
        state: 'fault',
      });
      expect(readdirSync(at('data'))).toEqual(left);
    },
  );

  test('is reported where the key is a setting too', async () => {
    const environment = { HELIOPORT_MASTER_KEY: Buffer.alloc(32, 4).toString('base64') };
    await killedServer(environment);
    for (const name of readdirSync(at('data')).filter((file) => file !== 'helioport.db.last-write'))
      rmSync(at('data', name));
    expect(await refusal()).toBe(sentence('helioport.db.last-write'));
  });

  test('begins anew once what the sentence names is moved away', async () => {
    await makeKey(home);
    rmSync(at('data'), { recursive: true });
    await home.ok('migrate');
    expect(await home.ok('user', 'list')).toEqual([]);
  });
});

describe('after the server was killed', () => {
  test('a missing write-ahead log is reported in one sentence that says how to go on', async () => {
    await makeKey(home);
    // What is in the database file now is what remains.
    await killedServer();
    removeLog();
    expect(await refusal()).toMatch(
      /^helioport: the database lacks the last writes before 20\d\d-.*: the file .*-wal is gone, or an older copy has been put in place of the database; .*restore FOLDER/,
    );
    rmSync(at('data', 'helioport.db.last-write'));
    await start().started;
  });

  test('a log that another program has put into the database is not missed', async () => {
    await makeKey(home);
    await killedServer();
    const other = new DatabaseSync(at('data', 'helioport.db'));
    other.prepare('select count(*) from account').get();
    other.close();
    expect(existsSync(at('data', 'helioport.db-wal'))).toBe(false);
    await start().started;
  });

  test('a log that has lost its end is reported: that what was acknowledged last may be missing, and how many cannot be known', async () => {
    await makeKey(home);
    await killedServer();
    const log = at('data', 'helioport.db-wal');
    // Its newest tenth.
    truncateSync(log, Math.floor(statSync(log).size * 0.9));
    const server = start();
    // If a trial write was in the part that is lost, the loss is certain.
    await Promise.race([server.started.catch(() => {}), server.ended]);
    expect(server.output()).toMatch(
      /was not stopped properly: all that was stored up to 20\d\d-.* cannot be known|lacks the last writes before 20\d\d-/,
    );
  });

  test('whole, it is reported as well; after a proper stop, nothing is', async () => {
    await makeKey(home);
    await killedServer();
    const again = start();
    await again.started;
    expect(again.output()).toContain('was not stopped properly');
    again.kill('SIGTERM');
    await again.ended;
    const last = start();
    await last.started;
    expect(last.output()).not.toContain('was not stopped properly');
  });

  test('beside a server that is running, nothing is said of an end', async () => {
    await killedServer();
    const first = start();
    await first.started;
    const second = start();
    await second.started;
    expect(first.output()).toContain('was not stopped properly');
    expect(second.output()).not.toContain('was not stopped properly');
  });

  test('all is as it was with its log, and a file that says nothing is no obstacle', async () => {
    await killedServer();
    writeFileSync(at('data', 'helioport.db.last-write'), '');
    await killedServer();
    await start().started;
  });
});

test('an older copy that was put in place of the database is reported', async () => {
  await makeKey(home);
  const older = readFileSync(at('data', 'helioport.db'));
  const server = start();
  await server.started;
  server.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  writeFileSync(at('data', 'helioport.db'), older);
  expect(await refusal()).toContain('an older copy has been put in place of the database');
});

describe('doctor', () => {
  const findings = async (): Promise<Record<string, { state: string; text: string }>> =>
    Object.fromEntries(
      (await home.helioport('doctor', '--json'))
        .json()
        .map(({ check, ...finding }: { check: string }) => [check, finding]),
    );

  test('changes nothing where there is nothing yet', async () => {
    const { exitCode } = await home.helioport('doctor');
    expect(exitCode).toBe(0);
    expect(readdirSync(home.folder)).toEqual([]);
    await home.ok('migrate');
    const before = readdirSync(at('data'));
    expect(await findings()).toMatchObject({
      'master key': { state: 'ok', text: 'none yet: it will be created at the first start' },
    });
    expect(readdirSync(at('data'))).toEqual(before);
  });

  test('makes no master key where it is missing, and says that it is', async () => {
    await makeKey(home);
    const inode = statSync(at('data', 'helioport.db')).ino;
    rmSync(at('data', 'master.key'));
    expect(await findings()).toMatchObject({
      database: { state: 'ok' },
      'master key': {
        state: 'fault',
        text: expect.stringMatching(/master\.key is missing: put it back/),
      },
    });
    expect(readdirSync(at('data'))).toEqual(['helioport.db']);
    expect(statSync(at('data', 'helioport.db')).ino).toBe(inode);
    // Nor does a start make one.
    expect(await refusal()).toMatch(/^helioport: the master key .* is missing/);
    expect(readdirSync(at('data'))).not.toContain('master.key');
  });

  test('does not blame the clock when the database is away', async () => {
    await makeKey(home);
    rmSync(at('data', 'helioport.db'));
    expect(await findings()).toMatchObject({
      database: { state: 'fault' },
      clock: { state: 'ok', text: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) },
    });
  });

  test('leaves counters as they are, and counts anew when it is asked to', async () => {
    await makeKey(home);
    await home.ok(
      'plant',
      'add',
      '--owner',
      'owner@example.org',
      '--name',
      'Home',
      '--capacity-kwp',
      '10',
      '--time-zone',
      'UTC',
    );
    const database = new DatabaseSync(at('data', 'helioport.db'));
    database.exec('update plant set "deviceCount" = 7');
    database.close();
    const wrong = {
      counters: {
        state: 'warning',
        text: '1 counters of plants and devices are wrong: helioport doctor --repair corrects them',
      },
    };
    expect(await findings()).toMatchObject(wrong);
    expect(await findings()).toMatchObject(wrong);
    expect((await home.helioport('doctor', '--repair')).stdout).toContain(
      '1 counters of plants and devices were wrong and have been corrected',
    );
    expect(await findings()).toMatchObject({ counters: { state: 'ok' } });
  });
});
