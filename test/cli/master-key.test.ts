import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { reseal } from '../../packages/server/src/compose/master-key/reseal.ts';
import { sealedColumns } from '../../packages/server/src/compose/master-key/sealed-columns.ts';
import {
  createSecretBox,
  LINK_IN_MAIL,
} from '../../packages/server/src/platform/kernel/secrets.ts';
import {
  followRotation,
  isRotating,
  openKeyRing,
} from '../../packages/server/src/platform/storage/checks/master-key-check.ts';
import { createInstallation, makeKey, type Installation } from '../support/command.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import {
  findValue,
  setValue,
} from '../../packages/server/src/platform/storage/installation/values.ts';
import { describeEngines, settingsOf } from '../support/engines.ts';
import { startApp } from '../support/running-app.ts';
import { spawnHelioport } from '../support/server-process.ts';
import { createWorld, settableClock } from '../support/world.ts';

const OLD = Buffer.alloc(32, 7);
const NEW = Buffer.alloc(32, 9);

/** Every other column of bytes, and why no key of ours is needed for it. */
const OPEN: Readonly<Record<string, RegExp>> = {
  hashes: /Hash$|^hash$|^digest$|^freshFor$|^key$|^decision$|^request$|^checksum$/,
  measurements: /^(values|state|samples|content)$/,
  'public keys and their names': /^(credentialId|publicKey)$/,
};
/** Encrypted with what the client presents, so that the database alone does not suffice. */
const BY_CLIENT = ['tokenAnswer.sealed'];

test('every place that encrypts is known', () => {
  const sealing = globSync('packages/server/src/**/*.ts')
    .filter((file) => /[bB]ox(Of\(\w+\))?\.seal\(|\bring\.seal\(/.test(readFileSync(file, 'utf8')))
    .map((file) => file.slice('packages/server/src/'.length))
    .toSorted();
  expect(sealing).toEqual([
    'compose/master-key/remove-sealed.ts',
    'identity/accounts/factors/challenges.ts', // for minutes, in the browser
    'identity/accounts/factors/totp.ts',
    'identity/accounts/key-pairs.ts',
    'identity/mail/outbox.ts',
    'identity/oauth/answers.ts', // by what the client presents
    'identity/oauth/consent/consent-tickets.ts',
    'interfaces/edges/portal/outcome.ts',
    'interfaces/edges/user-api/authenticate.ts', // nobody's
    'outbound/forwarding/destinations/settings.ts',
    'outbound/notifications/outlets/push-keys.ts',
    'outbound/notifications/settings/stop-link.ts', // links in e-mails: the former key opens them
    'outbound/notifications/settings/subscriptions.ts',
    'platform/kernel/secrets.ts',
    'platform/storage/checks/master-key-check.ts',
  ]);
});

describeEngines('the master key', (database) => {
  const world = createWorld(database, settableClock(Date.now()));
  let home: Installation;
  let folder: string;
  let file: string;
  const db = (): Kysely<any> => database().db as Kysely<any>;

  beforeAll(async () => {
    home = createInstallation(settingsOf(database()));
    folder = mkdtempSync(join(tmpdir(), 'helioport-key-'));
    file = join(folder, 'new.key');
    writeFileSync(file, NEW.toString('base64'));
    await openKeyRing(database().db, OLD);
  });
  afterAll(() => {
    home.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A row in every table with something encrypted. */
  async function fill(box: ReturnType<typeof createSecretBox>): Promise<void> {
    const { id: accountId } = await world.person();
    const hash = Buffer.alloc(32, 1);
    const rows: Record<string, Record<string, unknown>> = {
      totp: { accountId, createdAt: 1 },
      mail: { id: 'm1', accountId, address: 'a@example.org', createdAt: 1, expiresAt: 2 },
      onceMark: { holder: 'account:1', digest: hash, expiresAt: 2 },
      consentTicket: { hash, sessionHash: hash, request: hash, expiresAt: 2 },
      newsWebhook: { id: 'w1', accountId, url: 'https://example.org', createdAt: 1 },
      pushSubscription: {
        id: 'p1',
        accountId,
        endpointHash: hash,
        label: '',
        createdAt: 1,
      },
      installation: { name: 'pushKeys' },
    };
    for (const { table, column, context } of sealedColumns) {
      const row = rows[table];
      if (!row) continue;
      const sealed = box.seal(`secret of ${table}`, context(row)!);
      await db()
        .insertInto(table)
        .values({ ...row, [column]: sealed })
        .execute();
    }
    const applicationId = 'app-1';
    await db()
      .insertInto('application')
      .values(await applicationRow(applicationId, accountId))
      .execute();
    await db()
      .insertInto('destination')
      .values({
        id: 'd1',
        applicationId,
        url: 'https://example.org',
        kinds: 1,
        options: '{}',
        state: 'active',
        createdAt: 1,
        sinceAt: 1,
        secrets: box.seal('secret of destination', 'destination:d1'),
      })
      .execute();
  }

  /** The values that every column has under a key alone. Throws if one is not encrypted with it. */
  async function openAll(key: Buffer): Promise<Record<string, string[]>> {
    const box = createSecretBox(key);
    const found: Record<string, string[]> = {};
    for (const { table, column, context } of sealedColumns) {
      const rows = await db().selectFrom(table).selectAll().where(column, 'is not', null).execute();
      found[table] = rows.flatMap((row) => {
        const bound = context(row);
        return bound === undefined ? [] : [box.open(row[column] as Buffer, bound)];
      });
    }
    return found;
  }

  /** What the audit trail has of the key itself. */
  const recorded = async (): Promise<[kind: string, data: object][]> =>
    (
      await database()
        .db.selectFrom('auditEvent')
        .select(['kind', 'data', 'actor', 'accountId'])
        .where('kind', 'like', 'masterKey.%')
        .orderBy('id')
        .execute()
    ).map(({ kind, data, actor, accountId }) => {
      expect([actor, accountId]).toEqual(['operator', null]);
      return [kind, JSON.parse(data) as object];
    });

  async function applicationRow(id: string, ownerId: string): Promise<Record<string, unknown>> {
    const table = (await db().introspection.getTables()).find(({ name }) => name === 'application');
    const values: Record<string, unknown> = { id, name: 'App', ownerId };
    for (const { name, isNullable, hasDefaultValue, dataType } of table!.columns)
      if (!isNullable && !hasDefaultValue && values[name] === undefined)
        values[name] = /int/i.test(dataType) ? 0 : '';
    delete values['ownerId'];
    return values;
  }

  test('is known for every column of bytes', async () => {
    const tables = await db().introspection.getTables();
    const bytes = tables.flatMap(({ name, columns }) =>
      columns
        .filter(({ dataType }) => /blob|bytea/i.test(dataType))
        .map((column) => [name, column.name] as const),
    );
    expect(bytes.length).toBeGreaterThan(30);
    const unexplained = bytes.filter(
      ([table, column]) =>
        !sealedColumns.some((one) => one.table === table && one.column === column) &&
        !BY_CLIENT.includes(`${table}.${column}`) &&
        !Object.values(OPEN).some((names) => names.test(column)),
    );
    expect(unexplained).toEqual([]);
    for (const { table, column } of sealedColumns)
      expect(bytes.some(([a, b]) => a === table && b === column)).toBe(true);
  });

  test(
    'is replaced under load, killed in the middle and continued, and nothing is lost',
    { timeout: 300_000 },
    async () => {
      const { id: accountId } = await world.person();
      const box = createSecretBox(OLD);
      const secrets = new Map<string, string>();
      const keep = async (by: typeof box): Promise<void> => {
        const terms = {
          label: '',
          canControl: false,
          plantIds: null,
          cidrs: null,
          expiresAt: null,
        };
        const made = await world.write((trx) =>
          insertKeyPair(trx, world.act(), by, accountId, terms as never),
        );
        secrets.set(made.keyId, made.keySecret);
      };
      await fill(box);
      const before = await openAll(OLD);
      const rows = Array.from({ length: 1_500 }, (_, i) => {
        const id = `k${i}`;
        secrets.set(id, `secret ${i}`);
        return {
          id,
          accountId,
          label: '',
          secret: box.seal(`secret ${i}`, id),
          canControl: 0,
          pending: 0,
          createdAt: 1,
          // Those that are disabled do not count against the bounds of an account.
          disabledAt: 1,
        };
      });
      for (let from = 0; from < rows.length; from += 500)
        await db()
          .insertInto('keyPair')
          .values(rows.slice(from, from + 500))
          .execute();

      // The load is a running instance: it makes key pairs and reads others all the time.
      const app = await startApp(database());
      const ring = await openKeyRing(database().db, OLD);
      const unfollow = followRotation(database().db, ring);
      const during = { isOver: false };
      const load = (async () => {
        for (let i = 0; !during.isOver; i++) {
          // As between two requests.
          await setImmediate();
          if (i < 12) await keep(ring);
          const id = `k${i % rows.length}`;
          const row = await db()
            .selectFrom('keyPair')
            .select('secret')
            .where('id', '=', id)
            .executeTakeFirstOrThrow();
          expect(ring.open(row['secret'] as Buffer, id)).toBe(secrets.get(id));
        }
      })();

      const environment = settingsOf(database());
      const rotation = () =>
        spawnHelioport(folder, ['master-key', 'rotate', '--new-key', file], environment);
      const former = new Map(rows.map(({ id, secret }) => [id, secret]));
      /** How many are encrypted anew. */
      const count = async (): Promise<number> => {
        const all = await db().selectFrom('keyPair').select(['id', 'secret']).execute();
        return all.filter(({ id, secret }) => former.get(id)?.equals(secret as Buffer) === false)
          .length;
      };
      const killed = rotation();
      await expect.poll(count, { timeout: 100_000, interval: 20 }).toBeGreaterThan(50);
      killed.kill('SIGKILL');
      await once(killed, 'close');
      expect(await isRotating(database().db)).toBe(true);
      const done = await count();
      expect(done).toBeLessThan(1_500);
      // In between, either key opens the database, and each opens everything.
      for (const key of [OLD, NEW])
        for (const { id, secret } of await db()
          .selectFrom('keyPair')
          .select(['id', 'secret'])
          .execute())
          (await openKeyRing(database().db, key)).open(secret as Buffer, id as string);

      const other = join(folder, 'other.key');
      writeFileSync(other, Buffer.alloc(32, 3).toString('base64'));
      expect(await home.helioport('master-key', 'rotate', '--new-key', other)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('a rotation to another key is under way'),
      });

      const again = await home.helioport('master-key', 'rotate', '--new-key', file, '--json');
      expect(again.exitCode).toBe(0);
      expect(again.json().encrypted).toBeGreaterThan(0);
      during.isOver = true;
      await load;
      unfollow();
      await app.stop();

      const { keyPair, ...others } = await openAll(NEW);
      expect(new Set(keyPair)).toEqual(new Set(secrets.values()));
      const { keyPair: _, ...othersBefore } = before;
      expect(others).toEqual(othersBefore);
      expect(await isRotating(database().db)).toBe(false);
      await expect(openKeyRing(database().db, OLD)).rejects.toThrow(
        'the master key is not the one',
      );
      // Links that were sent out under the former key still open, for a while; nothing else does.
      const time = { at: Date.now() };
      const opened = await openKeyRing(database().db, NEW, () => time.at);
      const [link, ticket] = [box.seal('a link', LINK_IN_MAIL), box.seal('a ticket', 'ticket')];
      const opens = (): string[] =>
        (
          [
            [link, LINK_IN_MAIL],
            [ticket, 'ticket'],
          ] as const
        ).flatMap(([sealed, bound]) => {
          try {
            return [opened.open(sealed, bound)];
          } catch {
            return [];
          }
        });
      expect(opens()).toEqual(['a link', 'a ticket']);
      // So it is at an instance that was running.
      expect(ring.open(ticket, 'ticket')).toBe('a ticket');
      time.at += 16 * 60_000;
      expect(opens()).toEqual(['a link']);
      time.at += 30 * 86_400_000;
      expect(opens()).toEqual([]);
      home.environment['HELIOPORT_MASTER_KEY'] = NEW.toString('base64');
      const said = async () =>
        ((await home.helioport('doctor', '--json')).json() as { check: string }[]).find(
          ({ check }) => check === 'master key',
        );
      expect(await said()).toMatchObject({
        state: 'warning',
        text: expect.stringContaining('the former key opens links in e-mails until'),
      });
      await home.ok('master-key', 'end-former');
      expect(await said()).toMatchObject({ state: 'ok' });
      // There is nothing to end any more, and nothing is recorded.
      await home.ok('master-key', 'end-former');
      // The rotation that was killed is recorded once it has come to its end.
      expect(await recorded()).toEqual([
        ['masterKey.rotated', { encrypted: again.json().encrypted }],
        ['masterKey.formerEnded', {}],
      ]);
      const without = await openKeyRing(database().db, NEW);
      expect(() => without.open(link, LINK_IN_MAIL)).toThrow('authenticate');
      expect(await reseal(database().db, opened)).toBe(0);
    },
  );

  test('is forgotten if it is lost, and the rest works', { timeout: 100_000 }, async () => {
    const third = Buffer.alloc(32, 5);
    home.environment['HELIOPORT_MASTER_KEY'] = NEW.toString('base64');
    expect(await home.helioport('master-key', 'forget')).toMatchObject({ exitCode: 2 });
    expect(await home.helioport('master-key', 'forget', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('nothing is lost'),
    });
    home.environment['HELIOPORT_MASTER_KEY'] = third.toString('base64');
    const active = await db()
      .selectFrom('keyPair')
      .select('id')
      .where('disabledAt', 'is', null)
      .execute();
    expect(await home.ok('master-key', 'forget', '--yes')).toEqual({
      keyPairs: active.length,
      authenticatorApps: 1,
      destinations: 1,
      webhooks: 1,
      pushSubscriptions: 1,
      mails: 1,
    });
    await openAll(third);
    expect((await recorded()).at(-1)).toEqual([
      'masterKey.forgotten',
      expect.objectContaining({ keyPairs: active.length, authenticatorApps: 1 }),
    ]);
    const [left] = await db()
      .selectFrom('keyPair')
      .select((eb) => eb.fn.countAll().as('n'))
      .where('disabledAt', 'is', null)
      .execute();
    expect(Number(left!['n'])).toBe(0);
    await home.ok(
      'user',
      'add',
      '--email',
      'b@example.org',
      '--role',
      'owner',
      '--password',
      'kestrel meadow 42',
    );
    expect(await home.ok('key', 'create', '--user', 'b@example.org')).toMatchObject({
      keyId: expect.any(String),
    });
  });
});

test(
  'is not found by the former one in what is left in the files of the embedded database',
  { timeout: 100_000 },
  async () => {
    const home = createInstallation();
    await makeKey(home);
    const data = join(home.folder, 'data');
    const former = readFileSync(join(data, 'master.key'), 'utf8').trim();
    // A running instance reads and writes meanwhile.
    const seen = new Set<string>();
    const storage = openStorage(join(data, 'helioport.db'));
    const ring = await openKeyRing(storage.db, Buffer.from(former, 'base64'));
    const unfollow = followRotation(storage.db, ring);
    let written = 0;
    const follow = setInterval(() => {
      void setValue(storage.db, 'lastBackup', Buffer.alloc(64, ++written));
      void findValue(storage.db, 'nextMasterKey').then(
        (sealed) => sealed && seen.add(Buffer.from(sealed).toString('hex')),
      );
    }, 50);
    const before = (await storage.db.selectFrom('keyPair').select('secret').execute()).map(
      ({ secret }) => Buffer.from(secret).toString('hex'),
    );
    await home.ok('master-key', 'rotate');
    clearInterval(follow);
    unfollow();
    const contents = globSync(join(data, 'helioport.db*')).map((name) =>
      readFileSync(name).toString('hex'),
    );
    expect(seen.size).toBe(1);
    for (const sealed of [...seen, ...before])
      expect(contents.filter((text) => text.includes(sealed))).toEqual([]);
    expect(readFileSync(join(data, 'master.key'), 'utf8').trim()).not.toBe(former);
    await storage.close();
    home.remove();
  },
);

test('an embedded installation makes its new key itself', { timeout: 100_000 }, async () => {
  const home = createInstallation();
  await makeKey(home);
  const file = join(home.folder, 'data', 'master.key');
  const before = readFileSync(file, 'utf8');
  expect(await home.ok('master-key', 'rotate')).toEqual({ encrypted: 1 });
  const after = readFileSync(file, 'utf8');
  expect(after).not.toBe(before);
  expect(await home.ok('key', 'create', '--user', 'owner@example.org')).toBeDefined();
  rmSync(file);
  expect((await home.helioport('key', 'create', '--user', 'owner@example.org')).stderr).toContain(
    'helioport master-key forget',
  );
  expect(await home.ok('master-key', 'forget', '--yes')).toMatchObject({ keyPairs: 2 });
  expect(await home.ok('key', 'create', '--user', 'owner@example.org')).toBeDefined();
  home.remove();
});
