import type { OperationId } from '@helioport/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit } from '../../packages/server/src/identity/accounts/audit.ts';
import { givePlants } from '../../packages/server/src/fleet/plants/companies/giving.ts';
import { sweepCompanyInvitations } from '../../packages/server/src/fleet/plants/companies/invitations.ts';
import { joinCompany } from '../../packages/server/src/fleet/plants/companies/members.ts';
import {
  foundCompany,
  lockWithPlants,
} from '../../packages/server/src/fleet/plants/companies/companies.ts';
import { viewCompany } from '../../packages/server/src/fleet/plants/companies/view.ts';
import { shareWithCompany } from '../../packages/server/src/fleet/plants/companies/plants.ts';
import { countMiscounts } from '../../packages/server/src/fleet/plants/fleet/recount.ts';
import { lockAllPlants, lockPlant } from '../../packages/server/src/fleet/plants/lock.ts';
import { disableOwner, enableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { archivePlant, transferPlant } from '../../packages/server/src/fleet/plants/plants.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { bounds } from '../../packages/server/src/platform/storage/bounds/bounds.ts';
import { engineOf } from '../../packages/server/src/platform/storage/engine.ts';
import { createKilledSteps } from '../closing/killed-steps.ts';
import { minimal } from '../management/fixture.ts';
import { createFleet } from '../operations/fleet.ts';
import { setBounds } from '../../packages/server/src/platform/storage/bounds/within.ts';
import { describeEngines } from '../support/engines.ts';
import { settableClock, userCaller } from '../support/world.ts';

const DAY = 86_400_000;
const OPERATOR = { kind: 'operator', accountId: null, plantIds: null } as const;

describeEngines('companies', (database) => {
  const clock = settableClock('2026-06-01T12:00:00Z');
  const fleet = createFleet(database, clock);
  const { act, write } = fleet;
  const db = () => database().db;
  const steps = createKilledSteps(database, { clock, ids: fleet.newId, outbox: null });

  const as = (
    { id }: Account,
    operation: OperationId,
    body: Record<string, unknown> = {},
  ): Promise<any> => {
    clock.at += 1;
    return fleet.wire(operation, userCaller(id), body);
  };
  const codeOf = (asked: Promise<unknown>): Promise<string> =>
    asked.then(
      () => 'done',
      ({ code, data, message }) => (data?.field ? `${code} ${data.field}` : (code ?? message)),
    );
  const person = (role: Account['role'] = 'installer') => fleet.person({ role });
  const join = async (manager: Account, newcomer: Account, role = 'member'): Promise<void> => {
    const { invitationId: id } = await as(manager, 'company/invite', {
      email: newcomer.email,
      role,
    });
    await as(newcomer, 'company/accept', { id });
  };
  /** Shares a plant of the owner with the company of somebody in it. */
  const share = async (
    owner: Account,
    plantId: string,
    accepting: Account,
    level = 'control',
  ): Promise<void> => {
    const { invitationId: id } = await as(owner, 'share/give', {
      plantId,
      email: accepting.email,
      level,
    });
    await as(accepting, 'invitation/accept', { id, forCompany: 1 });
  };
  /** What somebody may do with a plant, as the interface answers; the counters are right besides. */
  const mayDo = async (who: Account, plantId: string): Promise<string> => {
    expect(await countMiscounts(db())).toBe(0);
    const listed = (
      await as(who, 'userStationList', { pageNo: 1, pageSize: 100 })
    ).page.records.some(({ id }: { id: string }) => id === plantId);
    const sees = (await codeOf(as(who, 'stationDetail', { id: plantId }))) === 'done';
    expect(listed).toBe(sees);
    if (!sees) return 'nothing';
    const level = await codeOf(as(who, 'control/stop', { plantId }));
    if (level === 'done') {
      await as(who, 'control/release', { plantId });
      return 'owner';
    }
    const { sn } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
    return (await codeOf(as(who, 'command/send', { sn, cid: '158', value: '20' }))) === 'done'
      ? 'control'
      : 'read';
  };
  const scene = async () => {
    const [owner, boss, member] = [await person('owner'), await person(), await person()];
    const plantId = await fleet.plant(owner.id);
    const { id: companyId } = await as(boss, 'company/found', { name: 'Sun & Sons' });
    await join(boss, member);
    return { owner, boss, member, plantId, companyId };
  };
  const kindsOf = async ({ id }: Account): Promise<string[]> =>
    (await listAudit(db(), id, { limit: 100 })).map(({ kind }) => kind);
  const rowsOf = (plantId: string) =>
    db()
      .selectFrom('plantAccess')
      .select(['accountId', 'level', 'ownLevel', 'companyLevel'])
      .where('plantId', '=', plantId)
      .orderBy('accountId')
      .execute();

  test('an owner sees in one answer who may see any of their plants, but for those that are archived', async () => {
    const [owner, guest] = [await person(), await person()];
    const [home, barn, old] = [
      await fleet.plant(owner.id),
      await fleet.plant(owner.id),
      await fleet.plant(owner.id),
    ];
    for (const plantId of [home, old])
      await write((trx) => sharePlant(trx, act(), plantId, guest.email, 'read'));
    await write((trx) => archivePlant(trx, act(), old));
    const seen = async (who: Account): Promise<unknown> =>
      (await as(who, 'share/list')).map((one: Record<string, unknown>) => [
        one['plantId'],
        one['email'],
        one['level'],
      ]);
    expect(new Set((await seen(owner)) as unknown[])).toEqual(
      new Set([
        [home, owner.email, 'owner'],
        [barn, owner.email, 'owner'],
        [home, guest.email, 'read'],
      ]),
    );
    expect(await seen(guest)).toEqual([]);
    await expect(fleet.ask('share/list', OPERATOR)).rejects.toMatchObject({ code: 'invalidValue' });
  });

  test('an invited person chooses for whom, and everybody in the company sees the plant', async () => {
    const { owner, boss, member, plantId, companyId } = await scene();
    await share(owner, plantId, member);
    const later = await person();
    await join(boss, later);
    for (const who of [boss, member, later]) expect(await mayDo(who, plantId)).toBe('control');
    const seen = await as(owner, 'share/list', { plantId });
    expect(seen).toHaveLength(4);
    expect(seen.find((one: { email: string }) => one.email === boss.email)).toMatchObject({
      companyId,
      companyName: 'Sun & Sons',
      companyLevel: 'control',
    });
    expect(seen.find((one: { email: string }) => one.email === boss.email)).not.toHaveProperty(
      'level',
    );
    expect(await as(boss, 'company/plants')).toMatchObject({
      total: 1,
      records: [{ id: plantId, owner: owner.email, level: 'control', isInstaller: false }],
    });
    expect(await as(boss, 'company/show')).toMatchObject({
      name: 'Sun & Sons',
      role: 'manager',
      plants: 1,
      members: [{}, {}, { email: later.email }],
    });
    expect(await kindsOf(owner)).toContain('company.plantShared');
    expect((await kindsOf(member)).slice(0, 2)).toEqual([
      'invitation.accepted',
      'company.plantShared',
    ]);
    // For oneself alone, as before.
    const other = await fleet.plant(owner.id);
    const { invitationId: id } = await as(owner, 'share/give', {
      plantId: other,
      email: member.email,
    });
    await as(member, 'invitation/accept', { id });
    expect([await mayDo(member, other), await mayDo(boss, other)]).toEqual(['read', 'nothing']);
  });

  test('the higher of one’s own level and the company’s counts, and each ends by itself', async () => {
    const { owner, boss, member, plantId, companyId } = await scene();
    await write((trx) => sharePlant(trx, act(), plantId, member.email, 'read'));
    await share(owner, plantId, boss);
    expect(await mayDo(member, plantId)).toBe('control');
    await as(owner, 'share/withdraw', { plantId, email: member.email });
    expect(await mayDo(member, plantId)).toBe('control');
    // What only the company gives is no share that could be withdrawn or changed without being accepted.
    expect(await codeOf(as(owner, 'share/withdraw', { plantId, email: member.email }))).toBe(
      'accountUnknown',
    );
    expect(
      await as(owner, 'share/give', { plantId, email: member.email, level: 'read' }),
    ).toHaveProperty('invitationId');
    await write((trx) => sharePlant(trx, act(), plantId, member.email, 'read'));
    expect(await mayDo(member, plantId)).toBe('control');
    await as(owner, 'company/end', { plantId, companyId });
    expect([await mayDo(member, plantId), await mayDo(boss, plantId)]).toEqual(['read', 'nothing']);
    await share(owner, plantId, boss, 'read');
    await write((trx) => sharePlant(trx, act(), plantId, member.email, 'control'));
    expect([await mayDo(member, plantId), await mayDo(boss, plantId)]).toEqual(['control', 'read']);
    await share(owner, plantId, boss, 'control');
    expect(await mayDo(boss, plantId)).toBe('control');
    await as(owner, 'share/withdraw', { plantId, email: member.email });
    expect(
      (await rowsOf(plantId)).map(({ ownLevel, companyLevel }) => [ownLevel, companyLevel]),
    ).toEqual([
      ['owner', null],
      [null, 'control'],
      [null, 'control'],
    ]);
  });

  test.each(['leaves', 'is removed', 'is removed by the operator', 'closes the account'])(
    'what somebody who %s may by the company ends; what they may by themselves does not',
    async (how) => {
      const { owner, boss, member, plantId } = await scene();
      const archived = await fleet.plant(owner.id);
      for (const id of [plantId, archived]) await share(owner, id, boss);
      const own = await fleet.plant(member.id);
      await as(member, 'company/give', { plantIds: [own] });
      expect(await mayDo(boss, own)).toBe('control');
      await write((trx) => archivePlant(trx, act(), archived));
      const { sn } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
      const { id: command } = await as(member, 'command/send', { sn, cid: '158', value: '20' });
      if (how === 'leaves') await as(member, 'company/remove', { email: member.email });
      if (how === 'is removed') await as(boss, 'company/remove', { email: member.email });
      if (how.endsWith('operator'))
        await fleet.ask('company/remove', OPERATOR, { email: member.email });
      if (how.startsWith('closes')) {
        await fleet.ask('user/close', OPERATOR, { email: member.email });
        await steps.all();
        expect(await countMiscounts(db())).toBe(0);
        expect(await rowsOf(plantId)).toHaveLength(2);
        expect(await mayDo(boss, own)).toBe('nothing');
        await fleet.ask('user/reopen', OPERATOR, { email: member.email });
        expect(await mayDo(boss, own)).toBe('nothing');
      } else expect(await mayDo(boss, own)).toBe('control');
      expect([
        await mayDo(member, plantId),
        await mayDo(member, own),
        await mayDo(boss, plantId),
      ]).toEqual(['nothing', 'owner', 'control']);
      expect(await codeOf(as(member, 'command/show', { id: command }))).toBe('noPermission');
      expect(await codeOf(as(member, 'company/plants'))).toBe('noPermission');
      expect((await as(member, 'company/show')).id).toBeUndefined();
      await as(owner, 'plant/restore', { plantId: archived });
      expect([await mayDo(member, archived), await mayDo(boss, archived)]).toEqual([
        'nothing',
        'control',
      ]);
      if (how === 'is removed') expect((await kindsOf(boss))[0]).toBe('company.left');
    },
  );

  test('a company is dissolved, by its manager or by the last one to leave', async () => {
    const { owner, boss, member, plantId } = await scene();
    await share(owner, plantId, boss);
    expect(await codeOf(as(member, 'company/dissolve'))).toBe('noPermission');
    await as(boss, 'company/dissolve');
    expect([
      await mayDo(boss, plantId),
      await mayDo(member, plantId),
      await mayDo(owner, plantId),
    ]).toEqual(['nothing', 'nothing', 'owner']);
    expect((await kindsOf(member))[0]).toBe('company.dissolved');
    await as(boss, 'company/found', { name: 'Again' });
    await share(owner, plantId, boss);
    await as(boss, 'company/invite', { email: 'late@example.com' });
    await as(boss, 'company/remove', { email: boss.email });
    expect(await mayDo(boss, plantId)).toBe('nothing');
    for (const table of ['company', 'companyPlant', 'companyInvitation'] as const) {
      const column = table === 'company' ? 'id' : 'companyId';
      const left = await db()
        .selectFrom(table)
        .select(column)
        .where(column, 'not in', db().selectFrom('companyMember').select('companyId'))
        .execute();
      expect([table, left]).toEqual([table, []]);
    }
  });

  test('the last manager stays until another one is named; a closed account hands over to the longest-standing', async () => {
    const { boss, member } = await scene();
    const third = await person();
    await join(boss, third);
    expect(await codeOf(as(boss, 'company/remove', { email: boss.email }))).toBe(
      'invalidValue email',
    );
    expect(await codeOf(as(boss, 'company/role', { email: boss.email, role: 'member' }))).toBe(
      'invalidValue email',
    );
    expect(await codeOf(as(member, 'company/role', { email: member.email, role: 'manager' }))).toBe(
      'noPermission',
    );
    await as(boss, 'company/role', { email: third.email, role: 'manager' });
    await as(boss, 'company/role', { email: boss.email, role: 'member' });
    expect(await codeOf(as(boss, 'company/rename', { name: 'Mine' }))).toBe('noPermission');
    expect(await codeOf(as(boss, 'company/remove', { email: member.email }))).toBe('noPermission');
    await fleet.ask('user/close', OPERATOR, { email: third.email });
    expect((await as(boss, 'company/show')).members).toMatchObject([
      { email: boss.email, role: 'manager' },
      { email: member.email, role: 'member' },
    ]);
    await fleet.ask('company/role', OPERATOR, { email: member.email, role: 'manager' });
    await as(boss, 'company/remove', { email: boss.email });
    expect((await as(member, 'company/show')).members).toHaveLength(1);
  });

  test('a person alone in a company stays its manager, so that nobody joins one without', async () => {
    const [boss, newcomer] = [await person(), await person()];
    await as(boss, 'company/found', { name: 'Alone' });
    const { invitationId: id } = await as(boss, 'company/invite', {
      email: newcomer.email,
      role: 'member',
    });
    expect(await codeOf(as(boss, 'company/role', { email: boss.email, role: 'member' }))).toBe(
      'invalidValue email',
    );
    await as(newcomer, 'company/accept', { id });
    expect((await as(newcomer, 'company/show')).members).toMatchObject([
      { email: boss.email, role: 'manager' },
      { email: newcomer.email, role: 'member' },
    ]);
  });

  test('anybody leaves a company that has no manager any more; the longest-standing of the others takes over', async () => {
    const { boss, member } = await scene();
    const third = await person();
    await join(boss, third);
    await db()
      .updateTable('companyMember')
      .set({ role: 'member' })
      .where('accountId', '=', boss.id)
      .execute();
    await as(member, 'company/remove', { email: member.email });
    expect((await as(third, 'company/show')).members).toMatchObject([
      { email: boss.email, role: 'manager' },
      { email: third.email, role: 'member' },
    ]);
  });

  test('is shown as a whole or not at all, while it is dissolved', async () => {
    const boss = await person();
    await as(boss, 'company/found', { name: 'Fleeting' });
    let isRead = false;
    let isDissolved = false;
    // Dissolved between the first question about whose company it is and the next.
    const watched = db().withPlugin({
      transformQuery({ node }) {
        isRead ||= JSON.stringify(node).includes('"companyMember"');
        return node;
      },
      async transformResult({ result }) {
        if (isRead && !isDissolved) {
          isDissolved = true;
          await as(boss, 'company/dissolve');
        }
        return result;
      },
    });
    expect(await viewCompany(watched, clock.at, boss.id)).toMatchObject({
      name: 'Fleeting',
      role: 'manager',
    });
    expect(isDissolved).toBe(true);
    expect(await viewCompany(watched, clock.at, boss.id)).toMatchObject({ id: null, name: null });
  });

  test('an owner ends what a company may, or a manager gives it up; nobody else', async () => {
    const { owner, boss, member, plantId, companyId } = await scene();
    const stranger = await person();
    await as(stranger, 'company/found', { name: 'Others' });
    const again = async () => share(owner, plantId, boss);
    await again();
    for (const who of [member, stranger])
      expect(await codeOf(as(who, 'company/end', { plantId, companyId }))).toBe('noPermission');
    for (const who of [owner, boss]) {
      await as(who, 'company/end', { plantId, companyId });
      expect([await mayDo(boss, plantId), await mayDo(member, plantId)]).toEqual([
        'nothing',
        'nothing',
      ]);
      expect(await codeOf(as(who, 'company/end', { plantId, companyId }))).toBe('noPermission');
      await again();
    }
    await write((trx) => transferPlant(trx, act(), plantId, stranger.id));
    expect([
      await mayDo(boss, plantId),
      await mayDo(member, plantId),
      await mayDo(stranger, plantId),
    ]).toEqual(['nothing', 'nothing', 'owner']);
    expect(await as(boss, 'company/plants')).toMatchObject({ total: 0 });
  });

  test('closing the account of an owner ends it too', async () => {
    const { owner, boss, plantId } = await scene();
    await share(owner, plantId, boss);
    await fleet.ask('user/close', OPERATOR, { email: owner.email });
    await steps.all();
    expect(
      await db()
        .selectFrom('companyPlant')
        .select('plantId')
        .where('plantId', '=', plantId)
        .execute(),
    ).toEqual([]);
    await fleet.ask('user/reopen', OPERATOR, { email: owner.email });
    expect([await mayDo(boss, plantId), await mayDo(owner, plantId)]).toEqual(['nothing', 'owner']);
  });

  test('a company installs: it keeps the plant when the house is sold, and another installer replaces it', async () => {
    const { owner, boss, member, plantId } = await scene();
    const buyer = await person('owner');
    await as(owner, 'stationUpdate', { ...minimal, id: plantId, installerEmail: member.email });
    const invitationsOf = async (who: Account) =>
      (await as(who, 'invitation/list')).records.filter(
        (one: { state: string; direction: string }) =>
          one.state === 'open' && one.direction === 'received',
      );
    await as(member, 'invitation/accept', {
      id: (await invitationsOf(member))[0].id,
      forCompany: 1,
    });
    // The owner sees for whom.
    expect((await as(owner, 'invitation/list')).records[0]).toMatchObject({
      direction: 'sent',
      state: 'accepted',
      company: 'Sun & Sons',
    });
    const installer = async () =>
      (
        await db()
          .selectFrom('plant')
          .select('installerId')
          .where('id', '=', plantId)
          .executeTakeFirstOrThrow()
      ).installerId;
    expect([await mayDo(boss, plantId), await installer()]).toEqual(['control', member.id]);
    await as(owner, 'plant/offer', { plantId, email: buyer.email });
    const [offer] = await invitationsOf(buyer);
    await as(buyer, 'company/found', { name: 'Own' });
    expect(await codeOf(as(buyer, 'invitation/accept', { id: offer.id, forCompany: 1 }))).toBe(
      'invalidValue forCompany',
    );
    await as(buyer, 'invitation/accept', { id: offer.id });
    expect([
      await mayDo(owner, plantId),
      await mayDo(boss, plantId),
      await mayDo(member, plantId),
    ]).toEqual(['nothing', 'control', 'control']);
    // A member who leaves hands the plants that they installed for the company to a manager.
    await as(member, 'company/remove', { email: member.email });
    expect([await mayDo(member, plantId), await installer()]).toEqual(['nothing', boss.id]);
    const next = await person();
    await as(buyer, 'stationUpdate', { ...minimal, id: plantId, installerEmail: next.email });
    await as(next, 'invitation/accept', { id: (await invitationsOf(next))[0].id });
    expect((await as(buyer, 'invitation/list')).records[0]).not.toHaveProperty('company');
    expect([await mayDo(boss, plantId), await mayDo(next, plantId)]).toEqual([
      'nothing',
      'control',
    ]);
    // A company dissolved leaves no installer behind.
    await as(next, 'company/found', { name: 'Next' });
    await as(buyer, 'stationUpdate', { ...minimal, id: plantId, installerEmail: boss.email });
    await as(boss, 'invitation/accept', { id: (await invitationsOf(boss))[0].id, forCompany: 1 });
    await as(boss, 'company/dissolve');
    expect([await mayDo(boss, plantId), await installer()]).toEqual(['nothing', null]);
  });

  test('people join and leave, and a company is dissolved, while others change plants that it does not have', async () => {
    const { owner, boss, member, plantId } = await scene();
    await share(owner, plantId, member);
    const foreign = await fleet.plant((await person('owner')).id);
    const newcomer = await person();
    const changes = async (): Promise<void> => {
      await join(boss, newcomer);
      expect(await mayDo(newcomer, plantId)).toBe('control');
      await as(newcomer, 'company/remove', { email: newcomer.email });
      await as(boss, 'company/dissolve');
    };
    // On SQLite, only one transaction writes at a time.
    if (engineOf(db()) === 'sqlite') await changes();
    else
      await db()
        .transaction()
        .execute(async (trx) => {
          await lockPlant(trx, foreign);
          await changes();
        });
    expect([await mayDo(boss, plantId), await mayDo(newcomer, plantId)]).toEqual([
      'nothing',
      'nothing',
    ]);
  });

  test('nobody joins a company while the account is being closed', async () => {
    const { boss } = await scene();
    const newcomer = await person();
    const { invitationId: id } = await as(boss, 'company/invite', { email: newcomer.email });
    let joined: Promise<string> | undefined;
    await write(async (trx) => {
      await lockAllPlants(trx);
      if (engineOf(trx) === 'postgres') {
        let isOver = false;
        joined = codeOf(as(newcomer, 'company/accept', { id })).finally(() => (isOver = true));
        const waits = sql`select 1 from pg_locks where relation = 'plant'::regclass and not granted`;
        await expect
          .poll(async () => isOver || (await waits.execute(db())).rows.length > 0)
          .toBe(true);
      }
      await trx
        .updateTable('account')
        .set({ disabledAt: clock.at })
        .where('id', '=', newcomer.id)
        .execute();
    });
    // As at the door.
    expect(await (joined ?? codeOf(as(newcomer, 'company/accept', { id })))).toBe(
      'notAuthenticated',
    );
  });

  test('who is removed from a company while a gift waits for its plant gives it nothing', async () => {
    const { member } = await scene();
    const plantId = await fleet.plant(member.id);
    const give = (): Promise<string> => codeOf(as(member, 'company/give', { plantIds: [plantId] }));
    let given: Promise<string> | undefined;
    await write(async (trx) => {
      await lockPlant(trx, plantId);
      if (engineOf(trx) === 'postgres') {
        let isOver = false;
        given = give().finally(() => (isOver = true));
        const waits = sql`select 1 from pg_locks where not granted`;
        await expect
          .poll(async () => isOver || (await waits.execute(db())).rows.length > 0)
          .toBe(true);
      }
      await trx.deleteFrom('companyMember').where('accountId', '=', member.id).execute();
    });
    expect(await (given ?? give())).toBe('noPermission');
    expect(await rowsOf(plantId)).toHaveLength(1);
  });

  test('a company that gets a plant while it is being locked with its plants is locked anew', async () => {
    const { owner, boss, plantId, companyId } = await scene();
    if (engineOf(db()) === 'sqlite') return;
    let locked: Promise<string> | undefined;
    await write(async (trx) => {
      await shareWithCompany(trx, act(), await lockPlant(trx, plantId), {
        companyId,
        accountId: boss.id,
        level: 'read',
      });
      locked = codeOf(
        db()
          .transaction()
          .execute((other) => lockWithPlants(other, companyId)),
      );
      const waits = sql`select 1 from pg_locks where not granted`;
      await expect.poll(async () => (await waits.execute(db())).rows.length).toBeGreaterThan(0);
    });
    expect(await locked).toBe('40001');
    expect(await mayDo(owner, plantId)).toBe('owner');
  });

  test('own plants are given one by one, or all in steps of a hundred', async () => {
    const { boss, member, plantId } = await scene();
    for (let i = 0; i < 103; i++) await fleet.plant(boss.id);
    expect((await as(boss, 'company/show')).ungiven).toBe(103);
    expect(await codeOf(as(boss, 'company/give', { plantIds: [plantId] }))).toBe('noPermission');
    const [first] = (await as(boss, 'userStationList', { pageNo: 1, pageSize: 1 })).page.records;
    // All or none: neither one that is unknown nor one in the archive is left out in silence.
    const archived = await fleet.plant(boss.id);
    await as(boss, 'archiveStation', { id: archived });
    for (const other of [archived, '1300000000000000009'])
      expect(await codeOf(as(boss, 'company/give', { plantIds: [first.id, other] }))).toBe(
        'noPermission',
      );
    expect(await rowsOf(first.id)).toHaveLength(1);
    expect(await as(boss, 'company/give', { plantIds: [first.id], level: 'read' })).toEqual({
      given: 1,
      left: 102,
    });
    expect(await mayDo(member, first.id)).toBe('read');
    expect(await as(boss, 'company/give')).toEqual({ given: 100, left: 2 });
    expect(await as(boss, 'company/give')).toEqual({ given: 2, left: 0 });
    expect(await as(boss, 'company/give')).toEqual({ given: 0, left: 0 });
    expect((await as(member, 'userStationList', { pageNo: 1, pageSize: 1 })).page.total).toBe(103);
    // Its owner keeps it whole.
    expect(await mayDo(boss, first.id)).toBe('owner');
  });

  test('a plant that the company has is neither counted twice nor taken down to less when it is given again', async () => {
    const { owner, boss, member, plantId } = await scene();
    const [one, two] = [await fleet.plant(boss.id), await fleet.plant(boss.id)];
    await as(boss, 'company/give', { plantIds: [one] });
    await as(boss, 'company/give', { plantIds: [one, two] });
    const { total } = (await as(member, 'userStationList', { pageNo: 1, pageSize: 1 })).page;
    expect(await as(member, 'plant/overview')).toMatchObject({ plants: total });
    // The company may control it; another of its people can only see it, and brings that.
    await write((trx) => sharePlant(trx, act(), plantId, boss.email, 'control'));
    await as(boss, 'company/give', { plantIds: [plantId] });
    expect(await mayDo(member, plantId)).toBe('control');
    await write((trx) => sharePlant(trx, act(), plantId, member.email, 'read'));
    await as(member, 'company/give', { plantIds: [plantId] });
    expect(await mayDo(member, plantId)).toBe('control');
    expect(await mayDo(owner, plantId)).toBe('owner');
  });

  test('of plants that are too many together, none is given', async () => {
    const { boss } = await scene();
    const plantIds = [await fleet.plant(boss.id), await fleet.plant(boss.id)];
    const has = async (): Promise<number> => (await as(boss, 'company/plants')).total;
    const before = await has();
    setBounds(db(), { companyPlants: before + 1 });
    try {
      expect(await codeOf(as(boss, 'company/give', { plantIds }))).toBe('invalidValue id');
      expect(await has()).toBe(before);
      expect(await as(boss, 'company/give', { plantIds: [plantIds[0]] })).toMatchObject({
        given: 1,
      });
    } finally {
      setBounds(db(), {});
    }
  });

  test('a hundred plants, own ones and others’, are given in as many statements as one', async () => {
    const { owner, boss, member, companyId } = await scene();
    const give = async (most: number): Promise<[given: number, statements: number]> => {
      const plantIds: string[] = [];
      for (let i = 0; i < most; i++) plantIds.push(await fleet.plant(boss.id));
      for (let i = 0; i < most; i++) {
        const id = await fleet.plant(owner.id);
        await write((trx) => sharePlant(trx, act(), id, boss.email, 'control'));
        plantIds.push(id);
      }
      let statements = 0;
      const counting = db().withPlugin({
        transformQuery: ({ node }) => {
          statements += 1;
          return node;
        },
        transformResult: async ({ result }) => result,
      });
      const { given } = await counting
        .transaction()
        .execute((trx) =>
          givePlants(trx, act(), { companyId, accountId: boss.id, level: undefined, plantIds }),
        );
      for (const id of [plantIds[0]!, plantIds.at(-1)!])
        expect(await rowsOf(id)).toContainEqual(
          expect.objectContaining({ accountId: member.id, level: 'control' }),
        );
      return [given, statements];
    };
    const [[one, few], [hundred, many]] = [await give(1), await give(50)];
    expect([one, hundred]).toEqual([2, 100]);
    expect([few, many]).toEqual([few, few]);
    expect(few).toBeGreaterThan(5);
    expect(few).toBeLessThan(30);
  });

  test('a plant that an owner shared with one person is brought into the company, no further than it was shared', async () => {
    const { owner, boss, member, plantId, companyId } = await scene();
    const other = await fleet.plant(owner.id);
    const seen = await fleet.plant(owner.id);
    for (const [id, level] of [
      [other, 'control'],
      [seen, 'read'],
    ] as const)
      await write((trx) => sharePlant(trx, act(), id, boss.email, level));
    expect((await as(boss, 'company/show')).bringable).toEqual([
      { id: other, name: expect.any(String), owner: owner.email, level: 'control' },
      { id: seen, name: expect.any(String), owner: owner.email, level: 'read' },
    ]);
    expect((await as(member, 'company/show')).bringable).toEqual([]);
    for (const id of [plantId, other, seen])
      expect(await codeOf(as(member, 'company/give', { plantIds: [id] }))).toBe('noPermission');
    expect(await codeOf(as(boss, 'company/give', { plantIds: [seen], level: 'control' }))).toBe(
      'invalidValue level',
    );
    expect(await rowsOf(seen)).toHaveLength(2);

    expect(await as(boss, 'company/give', { plantIds: [other, seen] })).toEqual({
      given: 2,
      left: 0,
    });
    expect((await kindsOf(owner)).slice(0, 4).toSorted()).toEqual([
      'company.plantShared',
      'company.plantShared',
      'plant.unshared',
      'plant.unshared',
    ]);
    for (const who of [boss, member])
      expect([await mayDo(who, other), await mayDo(who, seen)]).toEqual(['control', 'read']);
    expect((await rowsOf(other)).filter(({ accountId }) => accountId === boss.id)).toEqual([
      { accountId: boss.id, level: 'control', ownLevel: null, companyLevel: 'control' },
    ]);
    expect((await as(boss, 'company/show')).bringable).toEqual([]);
    // A second time there is nothing of one's own to bring.
    expect(await codeOf(as(boss, 'company/give', { plantIds: [other] }))).toBe('noPermission');
    // The owner ends it for everybody, also for the person who brought it.
    await as(owner, 'company/end', { plantId: other, companyId });
    expect([await mayDo(boss, other), await mayDo(member, other)]).toEqual(['nothing', 'nothing']);
  });

  test('an account belongs to one company at most, operators to none, and a company has at most a hundred people', async () => {
    const { boss, member, companyId } = await scene();
    expect(await codeOf(as(member, 'company/found', { name: 'Second' }))).toBe('invalidValue name');
    const rival = await person();
    await as(rival, 'company/found', { name: 'Rival' });
    const { invitationId: id } = await as(rival, 'company/invite', { email: member.email });
    expect(await codeOf(as(member, 'company/accept', { id }))).toBe('invalidValue id');
    expect((await as(member, 'company/show')).offers).toMatchObject([
      { id, companyName: 'Rival', from: rival.email },
    ]);
    expect(await codeOf(as(boss, 'company/invite', { email: member.email }))).toBe(
      'invalidValue email',
    );
    expect(
      await codeOf(fleet.ask('user/role', OPERATOR, { email: member.email, role: 'operator' })),
    ).toBe('invalidValue role');
    const operator = await fleet.person({ role: 'operator' });
    await expect(
      write((trx) =>
        joinCompany(trx, act(), { accountId: operator.id, companyId, role: 'member' }, boss.id),
      ),
    ).rejects.toMatchObject({
      code: 'noPermission',
    });
    const people = await Promise.all(
      Array.from({ length: bounds.companyMembers.most - 2 }, () => fleet.person()),
    );
    await write(async (trx) => {
      for (const one of people)
        await trx
          .insertInto('companyMember')
          .values({ accountId: one.id, companyId, role: 'member', createdAt: 0 })
          .execute();
    });
    const late = await person();
    const { invitationId } = await as(boss, 'company/invite', { email: late.email });
    expect(await codeOf(as(late, 'company/accept', { id: invitationId }))).toBe('invalidValue id');
    // Nothing of it was written: the invitation can still be accepted once somebody has left.
    await as(boss, 'company/remove', { email: people[0]!.email });
    await as(late, 'company/accept', { id: invitationId });
  });

  test('an invitation is for its address, for 30 days, until it is withdrawn, declined or replaced', async () => {
    const { boss, member } = await scene();
    const [guest, other] = [await person(), await person()];
    const offer = async (): Promise<string> =>
      (await as(boss, 'company/invite', { email: guest.email.toUpperCase() })).invitationId;
    const replaced = await offer();
    const id = await offer();
    expect(await codeOf(as(guest, 'company/accept', { id: replaced }))).toBe('noPermission');
    expect((await as(boss, 'company/show')).invitations).toMatchObject([
      { id, email: guest.email, role: 'member' },
    ]);
    expect((await as(member, 'company/show')).invitations).toEqual([]);
    expect(await codeOf(as(other, 'company/accept', { id }))).toBe('noPermission');
    await as(other, 'company/found', { name: 'Other' });
    expect(await codeOf(as(other, 'company/withdraw', { id }))).toBe('noPermission');
    expect(await codeOf(as(member, 'company/withdraw', { id }))).toBe('noPermission');
    await as(boss, 'company/withdraw', { id });
    expect(await codeOf(as(guest, 'company/accept', { id }))).toBe('noPermission');
    await as(guest, 'company/decline', { id: await offer() });
    expect((await kindsOf(boss))[0]).toBe('company.declined');
    const expired = await offer();
    clock.at += 30 * DAY;
    expect((await as(guest, 'company/show')).offers).toEqual([]);
    expect(await codeOf(as(guest, 'company/accept', { id: expired }))).toBe('noPermission');
    while ((await sweepCompanyInvitations(db(), clock.at, 100)) > 0);
    expect(
      await db().selectFrom('companyInvitation').select('id').where('id', '=', expired).execute(),
    ).toEqual([]);
    await as(boss, 'company/invite', { email: guest.email });
    await fleet.ask('user/close', OPERATOR, { email: boss.email });
    expect((await as(guest, 'company/show')).offers).toEqual([]);
  });

  test('invitations to plants and to companies are counted for those who may still answer them', async () => {
    const { boss, owner } = await scene();
    const [guest, plantId] = [await person(), await fleet.plant(owner.id)];
    const open = (who: Account): Promise<unknown> => as(who, 'invitation/open');
    expect(await open(guest)).toEqual({ plants: 0, companies: 0 });
    const toPlant = async (): Promise<string> =>
      (await as(owner, 'share/give', { plantId, email: guest.email })).invitationId;
    const id = await toPlant();
    await fleet.write((trx) =>
      invite(trx, act(), {
        plantId,
        fromAccountId: owner.id,
        to: { accountId: guest.id },
        kind: 'installer',
      }),
    );
    const toCompany = async (): Promise<string> =>
      (await as(boss, 'company/invite', { email: guest.email })).invitationId;
    const offer = await toCompany();
    expect([await open(guest), await open(owner), await open(boss)]).toEqual([
      { plants: 2, companies: 1 },
      { plants: 0, companies: 0 },
      { plants: 0, companies: 0 },
    ]);
    await as(guest, 'invitation/decline', { id });
    await as(guest, 'company/decline', { id: offer });
    expect(await open(guest)).toEqual({ plants: 1, companies: 0 });
    await Promise.all([toPlant(), toCompany()]);
    expect(await open(guest)).toEqual({ plants: 2, companies: 1 });
    const states = async (): Promise<string[]> =>
      (await as(guest, 'invitation/list')).records.map(({ state }: { state: string }) => state);
    await fleet.write((trx) => disableOwner(trx, act(), owner.id));
    expect([await open(guest), await states()]).toEqual([
      { plants: 0, companies: 1 },
      ['withdrawn', 'withdrawn', 'declined'],
    ]);
    await fleet.write((trx) => enableOwner(trx, act(), owner.id));
    expect([await open(guest), await states()]).toEqual([
      { plants: 2, companies: 1 },
      ['open', 'open', 'declined'],
    ]);
    clock.at += 30 * DAY;
    expect(await open(guest)).toEqual({ plants: 0, companies: 0 });
  });

  test('somebody without a company accepts for none', async () => {
    const { owner, plantId } = await scene();
    const lone = await person();
    const { invitationId: id } = await as(owner, 'share/give', { plantId, email: lone.email });
    expect(await codeOf(as(lone, 'invitation/accept', { id, forCompany: 1 }))).toBe(
      'invalidValue forCompany',
    );
    await as(lone, 'invitation/accept', { id });
    expect(await mayDo(lone, plantId)).toBe('read');
  });

  test('a person who founds two at once has one', async () => {
    const { id } = await person();
    const found = await Promise.allSettled(
      ['A', 'B'].map((name) => write((trx) => foundCompany(trx, act(), id, name))),
    );
    expect(found.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  });

  test('people who come and go while plants do leave every figure right', async () => {
    const { owner, boss, member } = await scene();
    const plants = await Promise.all(Array.from({ length: 4 }, () => fleet.plant(owner.id)));
    for (const plantId of plants) await fleet.device(plantId);
    const newcomers = await Promise.all([person(), person(), person()]);
    const invitations = await Promise.all(
      newcomers.map(
        async ({ email }) => (await as(boss, 'company/invite', { email })).invitationId,
      ),
    );
    const offers: { id: string }[] = [];
    for (const plantId of plants)
      offers.push({
        id: (await as(owner, 'share/give', { plantId, email: boss.email, level: 'read' }))
          .invitationId,
      });
    await Promise.all([
      ...newcomers.map((one, i) => as(one, 'company/accept', { id: invitations[i] })),
      ...offers.map(({ id }) => as(boss, 'invitation/accept', { id, forCompany: 1 })),
      as(member, 'company/remove', { email: member.email }),
    ]);
    for (const plantId of plants) {
      expect([await mayDo(boss, plantId), await mayDo(member, plantId)]).toEqual([
        'read',
        'nothing',
      ]);
      for (const one of newcomers) expect(await mayDo(one, plantId)).toBe('read');
    }
  });
});
