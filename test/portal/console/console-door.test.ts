import { hasDoor, operations, type OperationId } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { disableAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { listKeyPairs } from '../../../packages/server/src/identity/accounts/key-pairs.ts';
import { listSessions } from '../../../packages/server/src/identity/accounts/sessions.ts';
import { requesterOf } from '../../../packages/server/src/control/commands/requester.ts';
import type { NewMail } from '../../../packages/server/src/identity/mail/outbox.ts';
import { createOperatorDoor } from '../../../packages/server/src/interfaces/operations/operator-door.ts';
import { reachOf } from '../../../packages/server/src/fleet/plants/access.ts';
import { archivePlant } from '../../../packages/server/src/fleet/plants/plants.ts';
import type { Db } from '../../../packages/server/src/platform/storage/database.ts';
import { addApp } from '../../accounts/factors/fixture.ts';
import { describeEngines } from '../../support/engines.ts';
import { operationSources, operationsOn } from '../../support/operations.ts';
import {
  startPortal,
  visitAs,
  type PortalAnswer,
  type PortalVisitor,
  type TestPortal,
} from '../../support/portal.ts';
import { createWorld, settableClock } from '../../support/world.ts';

const REFUSED = { status: 200, body: { success: false, code: 'R0000', data: null } };

describeEngines('the console', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock);
  });
  afterAll(() => portal.close());

  const shell = () => {
    const { db } = database();
    return createOperatorDoor(operationSources(db, clock, world.newId));
  };
  const logIn = async (accountId: string): Promise<PortalVisitor> =>
    (await visitAs(world, portal.url, accountId)).visitor;
  const operator = async (withFactor = true) => {
    const account = await world.person({ role: 'operator' });
    if (withFactor) await addApp(world, database().db, account.id);
    return { ...account, visitor: await logIn(account.id) };
  };
  const atConsole = (
    visitor: PortalVisitor,
    id: string,
    body: unknown = {},
  ): Promise<PortalAnswer> => visitor.post(`/portal/console/${id}`, body);
  const ids = Object.keys(operations) as OperationId[];

  test('serves the operations that list its door and no other, and none that tells of a plant', async () => {
    const { visitor } = await operator();
    for (const id of ids.filter((one) => !hasDoor(operations[one], 'console')))
      expect([id, await atConsole(visitor, id)]).toMatchObject([
        id,
        { status: 404, body: { code: '404' } },
      ]);
    const families = new Set(
      ids.filter((id) => hasDoor(operations[id], 'console')).map((id) => operations[id].family),
    );
    expect([...families].toSorted()).toEqual([
      'accounts',
      'applications',
      'installation',
      'service',
    ]);
  });

  test('hands out nothing with which one could report, ask or log in as somebody else', async () => {
    const { visitor } = await operator();
    for (const id of [
      'collector/rotate',
      'collector/add',
      'key/create',
      'user/password',
      'session/end',
    ])
      expect([id, await atConsole(visitor, id)]).toMatchObject([id, { status: 404 }]);
  });

  test('reaches no plant and commands no device, even if an operation were there by mistake', async () => {
    const caller = {
      kind: 'console',
      operatorId: '1',
      sessionId: '1',
      accountId: null,
      plantIds: null,
      address: '192.0.2.1',
    } as const;
    for (const permission of ['read', 'control', 'manage'] as const)
      expect(() => reachOf(caller, permission)).toThrow('no permission');
    expect(() => requesterOf(caller, world.act())).toThrow('no permission');
  });

  test('is closed to everybody who is no operator, operation by operation', async () => {
    const visitors = await Promise.all(
      (['owner', 'installer', 'developer'] as const).map(async (role) =>
        logIn((await world.person({ role })).id),
      ),
    );
    for (const id of ids.filter((one) => hasDoor(operations[one], 'console')))
      for (const visitor of visitors)
        expect([id, await atConsole(visitor, id)]).toMatchObject([id, REFUSED]);
  });

  test('is closed to an operator without a second factor, also once it was removed', async () => {
    const { id, visitor } = await operator(false);
    const ask = async () =>
      (await atConsole(visitor, 'session/list', { email: person.email })).body.code;
    const person = await world.person();
    expect(await ask()).toBe('H0012');
    await addApp(world, database().db, id);
    expect(await ask()).toBe('0');
    await database().db.deleteFrom('totp').where('accountId', '=', id).execute();
    expect(await ask()).toBe('H0012');
  });

  test('is closed with the session of the authorization pages, and without the token of its pages', async () => {
    const { visitor } = await operator();
    expect(
      await visitor.post('/portal/console/session/list', {}, { 'X-Helioport-CSRF': undefined }),
    ).toMatchObject({ status: 403 });
    expect(
      await visitor.post('/portal/console/session/list', {}, { Origin: 'https://evil.example' }),
    ).toMatchObject({ status: 403 });
  });

  test('leaves an operator nothing at the portal but the own account', async () => {
    const { visitor } = await operator();
    for (const id of ids.filter((one) => hasDoor(operations[one], 'portal'))) {
      const answer = await visitor.call(id, operations[id].example.request);
      const isOpen = !answer.body.msg.startsWith('operators of the service see no plants');
      expect([id, isOpen]).toEqual([id, 'operatorsToo' in operations[id]]);
    }
    expect(await visitor.get('/portal/live').then((answer) => answer.json())).toMatchObject({
      code: 'R0000',
    });
    expect(await visitor.get('/portal/exports/1').then((answer) => answer.json())).toMatchObject({
      code: 'R0000',
    });
  });

  test('disables, enables and resets people, ends their sessions, and says who did it', async () => {
    const { id, visitor } = await operator();
    const person = await world.person();
    await addApp(world, database().db, person.id);
    const theirs = await logIn(person.id);
    expect(
      (await atConsole(visitor, 'session/list', { email: person.email })).body.data,
    ).toHaveLength(1);
    expect(await atConsole(visitor, 'session/list')).toMatchObject({ body: { code: 'I0000' } });
    expect(
      (await atConsole(visitor, 'session/endOthers', { email: person.email })).body.data,
    ).toEqual({ ended: 1 });
    expect((await theirs.call('factor/list')).status).toBe(401);
    expect((await atConsole(visitor, 'user/resetFactors', { email: person.email })).body.code).toBe(
      '0',
    );
    const again = await logIn(person.id);
    expect((await again.call('factor/list')).body.code).toBe('0');
    expect((await atConsole(visitor, 'user/disable', { email: person.email })).body.code).toBe('0');
    expect((await atConsole(visitor, 'user/enable', { email: person.email })).body.code).toBe('0');
    expect((await again.call('factor/list')).status).toBe(401);
    const trail = await database()
      .db.selectFrom('auditEvent')
      .select(['kind', 'address'])
      .where('accountId', '=', person.id)
      .where('actor', '=', `account:${id}`)
      .orderBy('id')
      .execute();
    expect(trail.map(({ kind }) => kind)).toEqual([
      'session.ended',
      'factor.reset',
      'account.disabled',
      'account.enabled',
    ]);
    expect(trail.every(({ address }) => address !== null)).toBe(true);
  });

  test('sends a link to a person who has lost the password, and shows it to nobody', async () => {
    const person = await world.person();
    const posted: NewMail[] = [];
    const outbox = { post: async (_: Db, __: number, mail: NewMail) => void posted.push(mail) };
    const withMail = await startPortal(database(), clock, {
      handlers: operationsOn(database().db, clock, world.newId, {
        notifications: { outbox, portalUrl: portal.url },
      }),
    });
    const { id } = await operator();
    const { visitor } = await visitAs(world, withMail.url, id);
    const answer = await atConsole(visitor, 'user/resetLink', { email: person.email });
    expect(answer.body.data).toEqual({ id: person.id, email: person.email });
    expect(posted).toMatchObject([
      {
        accountId: person.id,
        address: person.email,
        letter: { link: { url: expect.stringContaining(`${portal.url}/reset#`) } },
      },
    ]);
    // As often as the operator likes: strangers have no say in it.
    for (let i = 0; i < 4; i++) await atConsole(visitor, 'user/resetLink', { email: person.email });
    expect(posted).toHaveLength(5);
    await shell().call('user/disable', { email: person.email });
    expect(await atConsole(visitor, 'user/resetLink', { email: person.email })).toMatchObject({
      body: { code: 'H0001' },
    });
    await shell().call('user/enable', { email: person.email });
    expect(
      await atConsole(visitor, 'user/resetLink', { email: 'nobody@example.com' }),
    ).toMatchObject({ body: { code: 'B0011' } });
    await withMail.close();
    // Without a way to send e-mails, nothing is promised.
    const { visitor: mute } = await visitAs(world, portal.url, id);
    expect(await atConsole(mute, 'user/resetLink', { email: person.email })).toMatchObject(REFUSED);
    expect(posted).toHaveLength(5);
  });

  test('does not reach the accounts of operators', async () => {
    const { email, visitor } = await operator();
    const { email: colleague } = await operator();
    for (const id of [
      'user/disable',
      'user/enable',
      'user/resetFactors',
      'user/resetLink',
      'session/list',
      'session/endOthers',
    ])
      for (const one of [email, colleague])
        expect([id, await atConsole(visitor, id, { email: one })]).toMatchObject([id, REFUSED]);
  });

  test('is given and taken by the command line; taking it ends the sessions at once, and nobody is made an operator who has plants', async () => {
    const person = await world.person();
    const before = await logIn(person.id);
    await shell().call('key/create', { email: person.email });
    expect(
      await shell().call('user/role', { email: person.email, role: 'operator' }),
    ).toMatchObject({ role: 'operator' });
    expect((await before.call('factor/list')).status).toBe(401);
    expect(
      (await listKeyPairs(database().db, person.id)).map(({ disabledAt }) => disabledAt),
    ).toEqual([clock.at]);
    await addApp(world, database().db, person.id);
    const visitor = await logIn(person.id);
    expect(
      (await atConsole(visitor, 'session/list', { email: (await world.person()).email })).body.code,
    ).toBe('0');
    await shell().call('user/role', { email: person.email, role: 'owner' });
    expect((await atConsole(visitor, 'session/list')).status).toBe(401);
    expect(await listSessions(database().db, clock.at, person.id)).toEqual([]);
    expect(
      await atConsole(await logIn(person.id), 'session/list', { email: person.email }),
    ).toMatchObject(REFUSED);

    const owner = await world.person();
    const plantId = await world.plant(owner.id);
    const guest = await world.person();
    await shell().call('share/give', { plantId, email: guest.email });
    const former = await world.person();
    const archived = await world.plant(former.id);
    await world.write((trx) => archivePlant(trx, world.act(), archived));
    for (const { email } of [owner, guest, former])
      await expect(shell().call('user/role', { email, role: 'operator' })).rejects.toMatchObject({
        code: 'invalidValue',
        data: { field: 'role' },
      });
    await shell().call('share/withdraw', { plantId, email: guest.email });
    await shell().call('user/role', { email: guest.email, role: 'operator' });
  });

  test('is closed to a disabled operator', async () => {
    const { id, visitor } = await operator();
    await world.write((trx) => disableAccount(trx, world.act(), id));
    expect((await atConsole(visitor, 'session/list')).status).toBe(401);
  });
});
