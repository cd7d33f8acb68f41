import { auditKinds, plantlessKinds, type AuditKind } from '@helioport/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchAudit } from '../../../packages/server/src/identity/accounts/audit-search.ts';
import { recordAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import { disableAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import {
  addCollector,
  insertCollector,
} from '../../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../../packages/server/src/fleet/collectors/refusals.ts';
import { insertDestination } from '../../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { partsOf } from '../../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { insertApplication } from '../../../packages/server/src/identity/oauth/applications.ts';
import { armTasks } from '../../../packages/server/src/platform/work/arm.ts';
import { addApp } from '../../accounts/factors/fixture.ts';
import { credentials } from '../../support/credentials.ts';
import { createSqliteDatabase, describeEngines } from '../../support/engines.ts';
import { startPortal, visitAs, type PortalVisitor, type TestPortal } from '../../support/portal.ts';
import { createWorld, settableClock } from '../../support/world.ts';

describeEngines('what operators see of the service', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  let portal: TestPortal;
  let visitor: PortalVisitor;
  let operatorId: string;
  let operatorEmail: string;
  beforeAll(async () => {
    portal = await startPortal(database(), clock);
    ({ id: operatorId, email: operatorEmail } = await world.person({
      role: 'operator',
      email: 'op@example.com',
    }));
    await addApp(world, database().db, operatorId);
    ({ visitor } = await visitAs(world, portal.url, operatorId));
  });
  afterAll(() => portal.close());

  const ask = async (id: string, body: unknown = {}) =>
    (await visitor.post(`/portal/console/service/${id}`, body)).body;
  const records = async (id: string, body: unknown) => (await ask(id, body)).data.records;

  test('accounts are found by a text in address or name, by role and by state, page by page', async () => {
    const made: { id: string }[] = [];
    for (const email of ['zoe.a@example.com', 'zoe_b@example.com', 'zoexc@example.com'])
      made.push(await world.person({ email, role: 'installer' }));
    await addApp(world, database().db, made[0]!.id);
    await visitAs(world, portal.url, made[0]!.id);
    await world.write((trx) => disableAccount(trx, world.act(), made[1]!.id));
    const emails = async (body: object) =>
      (await records('accounts', body)).map(({ email }: { email: string }) => email);
    expect(await emails({ search: 'ZOE' })).toEqual([
      'zoe.a@example.com',
      'zoe_b@example.com',
      'zoexc@example.com',
    ]);
    // An underscore is itself, and so is a per cent sign.
    expect(await emails({ search: 'zoe_' })).toEqual(['zoe_b@example.com']);
    expect(await emails({ search: '%' })).toEqual([]);
    expect(await emails({ search: 'zoe', state: 'active' })).toEqual([
      'zoe.a@example.com',
      'zoexc@example.com',
    ]);
    expect(await emails({ search: 'zoe', role: 'owner' })).toEqual([]);
    expect((await ask('accounts', { search: 'zoe', pageSize: 2, pageNo: 2 })).data).toMatchObject({
      total: 3,
      records: [{ email: 'zoexc@example.com' }],
    });
    const [first, second] = await records('accounts', { search: 'zoe' });
    expect(first).toEqual({
      id: made[0]!.id,
      email: 'zoe.a@example.com',
      name: 'zoe.a',
      role: 'installer',
      createdAt: clock.at,
      hasSecondFactor: true,
      sessions: 1,
      lastAt: clock.at,
    });
    expect(second).toMatchObject({ hasSecondFactor: false, sessions: 0, disabledAt: clock.at });
    expect(await ask('accounts', { role: 'king' })).toMatchObject({
      code: 'H0001',
      data: { field: 'role' },
    });
    expect(await ask('accounts', { pageSize: 101 })).toMatchObject({ code: 'H0001' });
  });

  test('collectors are found by serial number and state; nothing tells of their plants', async () => {
    const owner = await world.person();
    const plantId = await world.plant(owner.id, { name: 'Secret Meadow' });
    await world.write(async (trx) => {
      const { id } = await addCollector(trx, world.act(), { sn: 'FIND-1', plantId, model: 'Box' });
      await trx
        .updateTable('device')
        .set({ state: 1, reportedAt: clock.at, clockOffsetSeconds: -3 })
        .where('id', '=', id)
        .execute();
      await rememberRefusals(trx, id, [{ sn: 'X-1', reason: 'not bound' }], clock.at);
      await addCollector(trx, world.act(), { sn: 'FIND-2', plantId });
      await insertCollector(trx, world.act(), { sn: 'FIND-3' });
    });
    await world.device(plantId, { sn: 'FIND-INVERTER' });
    const answer = await ask('collectors', { search: 'find-' });
    expect(answer.data.records).toMatchObject([
      {
        sn: 'FIND-1',
        model: 'Box',
        state: 'reporting',
        lastReportAt: clock.at,
        clockOffsetSeconds: -3,
        tokens: 1,
        devices: 0,
        refused: 1,
      },
      { sn: 'FIND-2', state: 'silent', tokens: 1 },
      { sn: 'FIND-3', state: 'waiting' },
    ]);
    expect(JSON.stringify(answer)).not.toMatch(
      new RegExp(`${plantId}|Secret Meadow|FIND-INVERTER`),
    );
    for (const state of ['waiting', 'reporting', 'silent'])
      expect(
        (await records('collectors', { search: 'find-', state })).map(
          (one: { state: string }) => one.state,
        ),
      ).toEqual([state]);
    const counts = (await ask('health')).data.collectors;
    expect(counts).toEqual({ waiting: 1, reporting: 1, silent: 1, lately: 1 });
    expect(
      (await visitor.post('/portal/console/collector/revoke', { sn: 'FIND-1' })).body.data,
    ).toEqual({ revoked: 1 });
    expect((await records('collectors', { search: 'FIND-1' }))[0]).toMatchObject({ tokens: 0 });
    expect(
      (await visitor.post('/portal/console/collector/revoke', { sn: 'FIND-INVERTER' })).body.code,
    ).toBe('B0049');
  });

  test('health tells of work that waits and fails, of forwarding and of the database', async () => {
    await database().db.deleteFrom('task').execute();
    await world.write((trx) => armTasks(trx, 'sweep', ['one', 'two'], clock.at - 5_000));
    await database().db.updateTable('task').set({ failures: 2 }).where('key', '=', 'two').execute();
    const { data } = await ask('health');
    expect(data).toMatchObject({
      engine: database().engine,
      clockDifferenceMs: expect.any(Number),
      lanes: [{ kind: 'sweep', due: 2, running: 0, oldestDueSeconds: 5, failing: 1 }],
      mailsWaiting: 0,
      forwarding: {
        destinations: 0,
        failing: 0,
        failingApplications: [],
        behindSeconds: 0,
        waitingDevices: 0,
        deadLetters: 0,
      },
      accounts: { loggedIn: expect.any(Number) },
    });
    expect(data.databaseBytes).toBeGreaterThan(50_000);
  });

  test('health names the applications whose destinations do not answer', async () => {
    const person = await world.person();
    const secretBox = await credentials.secretBox();
    const terms = {
      redirectUri: 'https://yield.example/callback',
      scopes: ['access_data'] as const,
      ownerId: person.id,
    };
    await world.write(async (trx) => {
      for (const [name, urls] of [
        ['Mute Watch', ['https://192.0.2.1/a', 'https://192.0.2.1/b']],
        ['Well Watch', ['https://192.0.2.1/c']],
      ] as const) {
        const { application } = await insertApplication(trx, world.act(), { ...terms, name });
        for (const url of urls)
          await insertDestination(trx, world.act(), secretBox, application, {
            ...partsOf({ url }),
            url,
          });
      }
      const mute = trx
        .selectFrom('destination')
        .select('id')
        .where('url', 'in', ['https://192.0.2.1/a', 'https://192.0.2.1/b']);
      await trx
        .updateTable('destinationProgress')
        .set({ failingSince: clock.at })
        .where('destinationId', 'in', mute)
        .execute();
    });
    expect((await ask('health')).data.forwarding).toMatchObject({
      destinations: 3,
      failing: 2,
      failingApplications: ['Mute Watch'],
    });
  });

  test('the trail is searched by time, kind, actor and account, newest first, page by page', async () => {
    const person = await world.person();
    const start = clock.at + 1000;
    for (let i = 0; i < 5; i++) {
      clock.at = start + i * 1000;
      const kind = i % 2 === 0 ? 'session.ended' : 'factor.reset';
      await world.write((trx) =>
        recordAudit(trx, world.act({ actor: `account:${operatorId}` }), {
          kind,
          accountId: person.id,
          data: { i },
        }),
      );
    }
    const about = async (body: object) =>
      (await ask('trail', { email: person.email, ...body })).data.map(
        ({ data }: { data: { i?: number } }) => data.i,
      );
    expect(await about({ from: start })).toEqual([4, 3, 2, 1, 0]);
    expect(await about({ from: start + 1000, to: start + 3000 })).toEqual([2, 1]);
    expect(await about({ from: start, kind: 'factor.reset' })).toEqual([3, 1]);
    expect(await about({ from: start, actor: operatorEmail })).toEqual([4, 3, 2, 1, 0]);
    expect(await about({ from: start, actor: 'operator' })).toEqual([]);
    const [first, second] = (await ask('trail', { email: person.email, limit: 2 })).data;
    expect(first).toMatchObject({
      kind: 'session.ended',
      email: person.email,
      actor: `account:${operatorId}`,
      actorEmail: operatorEmail,
      at: clock.at,
    });
    expect(await about({ from: start, before: second.id })).toEqual([2, 1, 0]);
    expect(await ask('trail', { kind: 'nonsense' })).toMatchObject({
      code: 'H0001',
      data: { field: 'kind' },
    });
    expect(await ask('trail', { email: 'nobody@example.com' })).toMatchObject({ code: 'B0011' });
    expect(await ask('trail', { limit: 201 })).toMatchObject({ code: 'H0001' });
  });

  test('the trail tells operators of no plant, whatever was recorded', async () => {
    const person = await world.person();
    const plantId = '1300000000000000123';
    await world.write(async (trx) => {
      for (const kind of Object.keys(auditKinds) as AuditKind[])
        await recordAudit(trx, world.act(), {
          kind,
          accountId: person.id,
          data: { plantId, plantIds: [plantId], plants: [plantId], subject: plantId },
        });
    });
    const { data } = await ask('trail', { email: person.email, limit: 200 });
    expect(JSON.stringify(data)).not.toContain(plantId);
    const kinds = data.map(({ kind }: { kind: string }) => kind);
    expect(new Set(kinds)).toEqual(new Set(plantlessKinds));
    expect(
      kinds.some((kind: string) => /^(plant|device|strategy|control|alarm|invitation)/.test(kind)),
    ).toBe(false);
    expect(plantlessKinds.length).toBeGreaterThan(30);
    expect((await ask('trail', { email: person.email, kind: 'plant.created' })).data).toEqual([]);
    // A person with the shell may see everything.
    const all = await searchAudit(database().db, {
      accountId: person.id,
      limit: 200,
      withoutPlants: false,
    });
    expect(all).toHaveLength(Object.keys(auditKinds).length + 1);
  });
});

// PostgreSQL plans by statistics, and the table is small.
test('each way to search the trail has an index', async () => {
  const database = await createSqliteDatabase();
  const planOf = async (where: string): Promise<string> => {
    const { rows } = await sql<{
      detail: string;
    }>`explain query plan select * from "auditEvent" where ${sql.raw(where)} and id >= '0' order by id desc limit 50`.execute(
      database.db,
    );
    return rows.map(({ detail }) => detail).join('; ');
  };
  expect(await planOf(`kind = 'logIn.refused'`)).toMatch(
    /SEARCH .*auditEventKind \(kind=\? AND id>\?\)$/,
  );
  expect(await planOf(`actor = 'operator'`)).toMatch(
    /SEARCH .*auditEventActor \(actor=\? AND id>\?\)$/,
  );
  expect(await planOf(`"accountId" = '1'`)).toMatch(
    /SEARCH .*auditEventAccount \(accountId=\? AND id>\?\)$/,
  );
  expect(await planOf('1 = 1')).toMatch(/SEARCH .*\(id>\?\)$/);
  await database.drop();
});
