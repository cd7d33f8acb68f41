import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  disableAccount,
  findAccount,
  getAccountByEmail,
  insertAccount,
  setLanguage,
  type Account,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit, recordAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { insertPasskey } from '../../packages/server/src/identity/accounts/factors/passkey-rows.ts';
import {
  insertKeyPair,
  listKeyPairs,
} from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { rememberBrowser } from '../../packages/server/src/identity/accounts/known-browsers.ts';
import { resetPassword } from '../../packages/server/src/identity/accounts/mail-tokens/reset.ts';
import {
  insertSession,
  listSessions,
} from '../../packages/server/src/identity/accounts/sessions.ts';
import { OWN_TABLES } from '../../packages/server/src/data-rights/closing/forget.ts';
import { removeClosed } from '../../packages/server/src/data-rights/closing/remove.ts';
import {
  allowSupport,
  findLivingSupport,
} from '../../packages/server/src/identity/accounts/support.ts';
import { sweepExports } from '../../packages/server/src/data-rights/exports/rows.ts';
import { createOutbox } from '../../packages/server/src/identity/mail/outbox.ts';
import { insertApplication } from '../../packages/server/src/identity/oauth/applications.ts';
import { listGrants } from '../../packages/server/src/identity/oauth/grants.ts';
import type { Operations } from '../../packages/server/src/interfaces/operations/index.ts';
import { archivePlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { engineOf } from '../../packages/server/src/platform/storage/engine.ts';
import { createMailScene, tokenIn } from '../accounts/mail-tokens/fixture.ts';
import { addApp, sources, STEP_MS } from '../accounts/factors/fixture.ts';
import { addClient, addOwner, createRunning, PASSWORD } from '../oauth/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { cheaplyHashed } from '../support/cheap-hash.ts';
import { createKilledSteps } from './killed-steps.ts';
import { describeEngines } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { settableClock, userCaller } from '../support/world.ts';

const DAY = 86_400_000;
/** Tables whose rows of a removed account stay, under its pseudonym, or are treated one by one. */
const PSEUDONYMOUS: string[] = [
  'accountClosing',
  'accountExport',
  'applicationUse',
  'auditEvent',
  'command',
  'companyMember',
  'device',
  'event',
  'eventStream',
  'invitation',
  'oauthGrant',
  'snapshot',
  'plantAccess',
  'strategy',
  'tokenFamily',
  'visibleCount',
];
const OPERATOR = { kind: 'operator', accountId: null, plantIds: null } as const;

describeEngines('closing an account', (database) => {
  const clock = settableClock('2026-06-15T12:00:00Z');
  const fleet = createFleet(database, clock);
  const db = () => database().db;
  const { sent, letters } = createMailScene(database, fleet);
  const running = createRunning({ clock, world: fleet, database, oauth: () => undefined as never });
  const outbox = createOutbox({ ids: fleet.newId, secretBox: sources.secretBox });
  const steps = createKilledSteps(database, { clock, ids: fleet.newId, outbox });
  const operations = (): Operations =>
    operationsOn(db(), clock, fleet.newId, {
      notifications: { outbox, portalUrl: 'https://portal.example.org' },
      closedRetention: 14,
    });
  const close = ({ id }: Account, password = PASSWORD, secondFactor?: string) =>
    operations()['account/close'](userCaller(id), { password, secondFactor });
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      ({ code, message }: Error & { code?: string }) => code ?? message,
    );
  /** Removes what is due. */
  const remove = async (): Promise<void> => {
    while ((await sweepExports(db(), clock.at, 500)) > 0);
    while ((await removeClosed({ db: db(), clock, ids: fleet.newId })) > 0);
    await steps.all();
  };
  const isRemoved = async ({ id }: Account): Promise<boolean> =>
    (await findAccount(db(), id))!.name === '';

  /** A household has a passkey, which nobody here can answer with. */
  const shut = async ({ email }: Account) => {
    const shown = await operations()['user/close'](OPERATOR, { email });
    await steps.all();
    return shown;
  };

  let made = 0;
  /** Somebody who has one of everything, and somebody with whom it is shared. */
  const household = async () => {
    const name = `Ottilie Sonnenschein ${++made}`;
    const email = `ottilie-${made}@example.com`;
    const place = `203.0.113.${100 + made}`;
    const latitude = 52.123 + made / 1e6;
    const owner = await fleet.write((trx) =>
      insertAccount(trx, fleet.act(), {
        email,
        name,
        role: 'owner',
        timeZone: 'Europe/Berlin',
        passwordHash: cheaplyHashed(PASSWORD),
        legacyHash: null,
      }),
    );
    const guest = await addOwner(fleet);
    const address = `Sonnengasse ${made}, 12345 Lichtstadt`;
    const plantName = `Ottilies Dach ${made}`;
    const plantId = await fleet.plant(owner.id, {
      name: plantName,
      address,
      latitude,
      longitude: 13.123456,
    });
    const oldPlantId = await fleet.plant(owner.id, { name: `${plantName} alt`, address });
    const device = await fleet.device(plantId, { name: `${plantName} Gerät` });
    const others = await fleet.plant(guest.id, { name: 'of the guest' });
    const offered = await fleet.plant(guest.id, { name: 'not shared yet' });
    const client = await addClient(fleet);
    await running.code(client, { owner });
    const act = fleet.act({ actor: `account:${owner.id}`, address: place });
    const sessionId = await fleet.write(async (trx) => {
      await archivePlant(trx, act, oldPlantId);
      await sharePlant(trx, act, plantId, guest.email, 'control');
      await sharePlant(trx, fleet.act({ actor: `account:${guest.id}` }), others, email, 'read');
      const { keyId } = await insertKeyPair(trx, act, sources.secretBox, owner.id, {
        label: `${name} key`,
        canControl: true,
        plantIds: null,
        cidrs: [`${place}/32`],
        expiresAt: null,
      });
      await recordAudit(trx, fleet.act({ actor: `key:${keyId}`, address: place }), {
        kind: 'plant.changed',
        accountId: guest.id,
        data: { plantId: others },
      });
      const passkey = {
        accountId: owner.id,
        credentialId: Buffer.from(name),
        publicKey: Buffer.alloc(1),
        counter: 0,
        transports: [],
        name: `${name} phone`,
      };
      await insertPasskey(trx, act, passkey);
      await rememberBrowser(trx, clock.at, owner.id, undefined);
      const registration = {
        name: `App ${made}`,
        redirectUri: 'https://app.example/cb',
        scopes: ['access_data'],
        ownerId: owner.id,
        purpose: `write to ${email}`,
      } as const;
      await insertApplication(trx, act, registration);
      return insertSession(trx, act, {
        accountId: owner.id,
        entrance: 'portal',
        freshFor: null,
        userAgent: `${name} browser`,
      });
    });
    await sent(email);
    const { id: deviceId, sn } = await fleet.device(others);
    const times = {
      beginAt: clock.at,
      beginDay: 20_260_615,
      endAt: null,
      processedAt: clock.at,
      notedAt: clock.at,
    };
    const alarm = {
      id: fleet.newId(),
      deviceId,
      plantId: others,
      sn,
      kind: 'inverter',
      code: 'TEST1',
      level: 2,
      message: '',
      state: 1,
    } as const;
    await db()
      .insertInto('alarm')
      .values({ ...alarm, ...times, processedBy: `account:${owner.id}`, note: `call ${email}` })
      .execute();
    const asOwner = userCaller(owner.id, { address: place });
    const ask = operations();
    await ask['notifications/set'](asOwner, { weekly: true, alarmsByMail: true } as never);
    await ask['webhook/add'](asOwner, { url: `https://93.184.215.14/${email}` });
    await ask['share/give'](asOwner, { plantId, email: 'somebody@example.com', level: 'read' });
    await ask['share/give'](userCaller(guest.id), { plantId: offered, email, level: 'control' });
    await ask['export/start'](asOwner, { format: undefined });
    await db()
      .insertInto('exportChunk')
      .values({
        exportId: (await ask['export/list'](asOwner, {}))[0]!.id,
        entryNo: 0,
        no: 0,
        content: Buffer.from(email),
      })
      .execute();
    await fleet.write((trx) =>
      outbox.post(trx, clock.at, {
        accountId: owner.id,
        address: email,
        letter: { language: 'en', subject: 'waits', paragraphs: [], footer: '' },
        expiresAt: clock.at + 90 * DAY,
      }),
    );
    return {
      owner,
      guest,
      plantId,
      oldPlantId,
      others,
      device,
      sessionId,
      personal: [email, name, plantName, address, place, String(latitude)],
    };
  };
  test('is said before, in numbers', async () => {
    const { owner } = await household();
    expect(await operations()['account/closing'](userCaller(owner.id), {})).toEqual({
      plants: 1,
      archivedPlants: 1,
      sharesGiven: 1,
      sharesReceived: 1,
      keys: 1,
      authorizations: 1,
      strategies: 0,
      commands: 0,
      invitations: 2,
      applications: 1,
      destinations: 0,
      browsers: 0,
      webhooks: 1,
      retentionDays: 14,
    });
    const nobody = await addOwner(fleet);
    const numbers = Object.values(await operations()['account/closing'](userCaller(nobody.id), {}));
    expect(numbers.toSorted((a, b) => a - b)).toEqual([...Array(13).fill(0), 14]);
  });

  test('asks for the password and the second factor, and changes nothing without them', async () => {
    clock.at += 10 * STEP_MS;
    const owner = await addOwner(fleet);
    const { app } = await addApp(fleet, db(), owner.id);
    clock.at += STEP_MS;
    expect(await codeOf(close(owner, 'guess'))).toBe('wrongLogin');
    expect(await codeOf(close(owner))).toBe('secondFactorRequired');
    expect(await codeOf(close(owner, PASSWORD, '000000'))).toBe('wrongFactor');
    expect(await findAccount(db(), owner.id)).toMatchObject({ closedAt: null, disabledAt: null });
    expect(await codeOf(close(owner, PASSWORD, app.at(clock.at)))).toBe('done');
    expect(await codeOf(close(owner, PASSWORD, app.at(clock.at)))).not.toBe('done');
  });

  test('ends all access by it and to it at once, and tells those with whom plants were shared', async () => {
    const { owner, guest, plantId, others } = await household();
    await fleet.write((trx) => setLanguage(trx, guest.id, 'de'));
    await letters();
    await fleet.write((trx) =>
      outbox.post(trx, clock.at, {
        accountId: owner.id,
        address: owner.email,
        letter: { language: 'en', subject: 'waits', paragraphs: [], footer: '' },
        expiresAt: clock.at + DAY,
      }),
    );
    const item = {
      accountId: owner.id,
      level: 1,
      since: clock.at,
      waits: 1,
      announced: 0,
    } as const;
    await db()
      .insertInto('newsItem')
      .values(['1', '2'].map((alarmId) => ({ ...item, via: 'people', alarmId })))
      .execute();
    const message = {
      accountId: owner.id,
      channel: 'push',
      target: '1',
      content: '{}',
      createdAt: clock.at,
      dueAt: clock.at,
      attempts: 0,
    } as const;
    await db()
      .insertInto('newsMessage')
      .values({ ...message, id: fleet.newId() })
      .execute();
    const support = await fleet.write((trx) =>
      allowSupport(trx, fleet.act({ actor: `account:${owner.id}` }), owner.id),
    );
    const { removeAt } = await shut(owner);
    expect(removeAt).toBe(clock.at + 14 * DAY);
    expect(await listSessions(db(), clock.at, owner.id)).toEqual([]);
    for (const table of ['newsItem', 'newsMessage'] as const)
      expect(
        await db().selectFrom(table).selectAll().where('accountId', '=', owner.id).execute(),
      ).toEqual([]);
    expect(await findLivingSupport(db(), clock.at, support.id)).toBeUndefined();
    expect(
      await db()
        .selectFrom('supportPermission')
        .select('endedAt')
        .where('accountId', '=', owner.id)
        .execute(),
    ).toEqual([{ endedAt: clock.at }]);
    expect((await listKeyPairs(db(), owner.id)).map(({ disabledAt }) => disabledAt)).toEqual([
      clock.at,
    ]);
    expect((await listGrants(db(), owner.id)).map(({ revokedAt }) => revokedAt)).toEqual([
      clock.at,
    ]);
    for (const [who, plant] of [
      [owner.id, plantId],
      [guest.id, plantId],
      [owner.id, others],
    ] as const)
      expect(
        await codeOf(operations().stationDetail(userCaller(who), { id: plant } as never)),
      ).toBe('noPermission');
    expect(
      await db()
        .selectFrom('plantAccess')
        .select(['accountId', 'plantId'])
        .where('level', '!=', 'owner')
        .where('plantId', 'in', [plantId, others])
        .execute(),
    ).toEqual([]);
    expect(
      await db()
        .selectFrom('invitation')
        .select('id')
        .where('state', '=', 'open')
        .where('plantId', 'in', [plantId, others])
        .execute(),
    ).toEqual([]);
    expect(
      await db()
        .selectFrom('application')
        .select('disabledAt')
        .where('ownerId', '=', owner.id)
        .execute(),
    ).toEqual([{ disabledAt: clock.at }]);
    expect(await operations()['export/list'](userCaller(owner.id), {})).toEqual([]);
    const mails = await letters();
    expect(mails.map(({ address, language, subject }) => [address, language, subject])).toEqual([
      [owner.email, 'en', 'Your account is closed'],
      [guest.email, 'de', 'Anlagen werden nicht mehr mit Ihnen geteilt'],
    ]);
    expect(mails[0]!.paragraphs.join()).toContain('June 29, 2026');
    expect(await codeOf(operations()['user/close'](OPERATOR, { email: owner.email }))).toBe(
      'invalidValue',
    );
    expect(await codeOf(operations()['user/enable'](OPERATOR, { email: owner.email }))).toBe(
      'invalidValue',
    );
    expect((await sent(owner.email)).length).toBe(0);
    await remove();
    expect(await isRemoved(owner)).toBe(false);
  });

  test('can be taken back by the operator within the time; plants are there again with their devices, and what ended stays ended', async () => {
    const { owner, guest, plantId, device } = await household();
    await shut(owner);
    clock.at += 14 * DAY - 1;
    await remove();
    expect(await isRemoved(owner)).toBe(false);
    await operations()['user/reopen'](OPERATOR, { email: owner.email });
    clock.at += 30 * DAY;
    await remove();
    expect(await findAccount(db(), owner.id)).toMatchObject({
      email: owner.email,
      name: owner.name,
      disabledAt: null,
      closedAt: null,
      removeAt: null,
    });
    expect(
      await operations().stationDetail(userCaller(owner.id), { id: plantId } as never),
    ).toMatchObject({ id: plantId });
    expect(
      await operations().userStationList(userCaller(owner.id), {
        pageNo: 1,
        pageSize: 10,
      } as never),
    ).toMatchObject({ page: { total: 1 } });
    expect(
      await db()
        .selectFrom('device')
        .select('plantId')
        .where('id', '=', device.id)
        .executeTakeFirst(),
    ).toEqual({ plantId });
    expect(
      await codeOf(operations().stationDetail(userCaller(guest.id), { id: plantId } as never)),
    ).toBe('noPermission');
    expect(await codeOf(operations()['user/reopen'](OPERATOR, { email: owner.email }))).toBe(
      'done',
    );
  });

  test('makes links in e-mails worthless, even if it is taken back', async () => {
    const owner = await addOwner(fleet);
    await letters();
    const token = tokenIn((await sent(owner.email))[0]);
    await shut(owner);
    await operations()['user/reopen'](OPERATOR, { email: owner.email });
    const deps = { db: db(), clock, ids: fleet.newId, factors: sources, legacyLogin: false };
    await expect(
      resetPassword(deps, '', { token, newPassword: 'meadow lane in july' }, async () => {}),
    ).rejects.toMatchObject({ data: { field: 'token' } });
    await letters();
  });

  test('of somebody whom the operator had disabled leaves them disabled when it is taken back', async () => {
    const owner = await addOwner(fleet);
    await fleet.write((trx) => disableAccount(trx, fleet.act(), owner.id));
    clock.at += 1;
    await operations()['user/close'](OPERATOR, { email: owner.email });
    await operations()['user/reopen'](OPERATOR, { email: owner.email });
    expect(await findAccount(db(), owner.id)).toMatchObject({
      disabledAt: clock.at - 1,
      closedAt: null,
    });
  });

  test('leaves nothing personal in any table once its time has come, and the address is free', async () => {
    const before = await household();
    const { owner, guest, plantId, device, others, personal } = before;
    await database()
      .db.updateTable('plant')
      .set({ installerId: owner.id })
      .where('id', '=', others)
      .execute();
    await shut(owner);
    clock.at += 14 * DAY;
    // Somebody shares a plant with the address while it is closed.
    await fleet.write((trx) =>
      sharePlant(trx, fleet.act({ actor: `account:${guest.id}` }), others, owner.email, 'read'),
    );
    expect(await traces(personal)).not.toEqual([]);
    // Parts of exports go first.
    while ((await removeClosed({ db: db(), clock, ids: fleet.newId })) > 0);
    expect(await isRemoved(owner)).toBe(false);
    // Two instances do so at once.
    await Promise.allSettled([remove(), remove()]);
    await remove();
    expect(await traces(personal)).toEqual([]);
    expect(await findAccount(db(), owner.id)).toMatchObject({
      name: '',
      email: `${owner.id}@removed.invalid`,
      removeAt: null,
    });
    // What happened is known of the pseudonym.
    expect((await listAudit(db(), owner.id, { limit: 100 })).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['account.removed', 'account.closed', 'account.created']),
    );
    expect(
      (await listAudit(db(), owner.id, { limit: 100 })).filter(
        ({ kind }) => kind === 'account.removed',
      ),
    ).toHaveLength(1);
    expect(
      await db()
        .selectFrom('plantAccess')
        .select('plantId')
        .where('accountId', '=', owner.id)
        .where('level', '!=', 'owner')
        .execute(),
    ).toEqual([]);
    // The devices are free for the person who has them now; the guest's plants are as they were.
    expect(
      await db()
        .selectFrom('device')
        .select(['plantId', 'accountId', 'name'])
        .where('id', '=', device.id)
        .executeTakeFirst(),
    ).toEqual({
      plantId: null,
      accountId: null,
      name: null,
    });
    expect(
      await db()
        .selectFrom('plant')
        .select(['name', 'archivedAt'])
        .where('id', '=', plantId)
        .executeTakeFirst(),
    ).toEqual({
      name: '',
      archivedAt: clock.at,
    });
    expect(
      await operations().stationDetail(userCaller(guest.id), { id: others } as never),
    ).toMatchObject({ id: others });
    expect(
      await operations().userStationList(userCaller(guest.id), {
        pageNo: 1,
        pageSize: 10,
      } as never),
    ).toMatchObject({ page: { total: 2 } });
    expect(await codeOf(operations()['user/reopen'](OPERATOR, { email: owner.email }))).toBe(
      'accountUnknown',
    );
    expect(
      await codeOf(operations()['user/reopen'](OPERATOR, { email: `${owner.id}@removed.invalid` })),
    ).toBe('invalidValue');
    expect(
      await codeOf(operations()['user/enable'](OPERATOR, { email: `${owner.id}@removed.invalid` })),
    ).toBe('invalidValue');
    await operations()['user/add'](OPERATOR, {
      email: owner.email,
      password: 'meadow lane in june',
    } as never);
    expect((await getAccountByEmail(db(), owner.email)).id).not.toBe(owner.id);
  });

  test('that cannot be removed keeps no other one', async () => {
    const [first, second] = [await addOwner(fleet), await addOwner(fleet)];
    await shut(first);
    clock.at += 1;
    await shut(second);
    clock.at += 14 * DAY;
    // Somebody has the address that stands for the first one.
    const other = await addOwner(fleet);
    const rename = (email: string) =>
      db().updateTable('account').set({ email }).where('id', '=', other.id).execute();
    await rename(`${first.id}@removed.invalid`);
    await expect(remove()).rejects.toThrow(/unique/i);
    expect([await isRemoved(first), await isRemoved(second)]).toEqual([false, true]);
    await rename(other.email);
    await remove();
    expect(await isRemoved(first)).toBe(true);
  });

  test('has been decided for every table with rows of accounts', async () => {
    const query =
      engineOf(db()) === 'postgres'
        ? sql`select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'accountId'`
        : sql`select m.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' and c.name = 'accountId'`;
    const { rows } = (await query.execute(db())) as { rows: { name: string }[] };
    expect(
      rows
        .map(({ name }) => name)
        .filter((name) => !(OWN_TABLES as readonly string[]).includes(name))
        .toSorted(),
    ).toEqual(PSEUDONYMOUS.toSorted());
  });

  /** Where some texts stand in the database, as `table: text`. */
  async function traces(texts: readonly string[]): Promise<string[]> {
    const named =
      engineOf(db()) === 'postgres'
        ? sql`select tablename as name from pg_tables where schemaname = 'public'`
        : sql`select name from sqlite_master where type = 'table'`;
    const { rows: tables } = (await named.execute(db())) as { rows: { name: string }[] };
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db());
      const content = JSON.stringify(rows, (_, value: unknown) =>
        typeof value === 'bigint'
          ? String(value)
          : isBytes(value)
            ? Buffer.from(value.data).toString('latin1')
            : value,
      );
      for (const text of texts) if (content.includes(text)) found.push(`${name}: ${text}`);
    }
    return found;
  }
});

/** Bytes as `Buffer.toJSON` leaves them. */
const isBytes = (value: unknown): value is { data: number[] } =>
  typeof value === 'object' && value !== null && (value as { type?: unknown }).type === 'Buffer';
