import { hasDoor, operations } from '@helioport/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOf, STEP_MS } from '../../accounts/factors/fixture.ts';
import { PASSWORD } from '../../oauth/fixture.ts';
import { describeEngines } from '../../support/engines.ts';
import { cheaplyHashed } from '../../support/cheap-hash.ts';
import {
  createPortalVisitor,
  startPortal,
  visitAs,
  type PortalAnswer,
  type TestPortal,
} from '../../support/portal.ts';
import { insertAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { createWorld, settableClock } from '../../support/world.ts';

/** Everything that an operator may do about the own account in the portal and that changes something. */
const OWN_WRITES = Object.values(operations)
  .filter((one) => one.write && 'operatorsToo' in one && hasDoor(one, 'portal'))
  .map(({ id }) => id as string);

describeEngines('an operator of the service at the portal', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock);
  });
  afterAll(() => portal.close());

  test('sets up all that the own account needs, and then uses the console', async () => {
    const { id: accountId, email } = await world.write((trx) =>
      insertAccount(trx, world.act(), {
        email: 'operator@example.com',
        role: 'operator',
        timeZone: 'UTC',
        passwordHash: cheaplyHashed(PASSWORD),
        legacyHash: null,
      }),
    );
    const visitor = createPortalVisitor(portal.url);
    expect((await visitor.logIn(email, PASSWORD)).body.success).toBe(true);
    const atConsole = () => visitor.post('/portal/console/application/list', {});
    expect((await atConsole()).body.code).toBe('H0012');

    const asked = new Set<string>();
    const ask = async (id: string, body: object = {}): Promise<PortalAnswer> => {
      asked.add(id);
      return visitor.call(id, body);
    };
    const done = async (id: string, body: object = {}): Promise<any> => {
      const answer = await ask(id, body);
      expect([id, answer.body]).toMatchObject([id, { success: true }]);
      return answer.body.data;
    };
    const { secret } = await done('totp/begin', { password: PASSWORD });
    const app = appOf(secret);
    const nextCode = (): string => app.at((clock.at += STEP_MS));
    await done('totp/confirm', { code: nextCode() });
    expect((await atConsole()).body.success).toBe(true);
    await done('recovery/renew', { password: PASSWORD, secondFactor: nextCode() });
    await done('account/language', { language: 'de' });
    await done('account/timeZone', { timeZone: 'Europe/Madrid' });
    await visitAs(world, portal.url, accountId);
    const [other] = await done('session/list');
    await done('session/end', { id: other.id });
    await visitAs(world, portal.url, accountId);
    await done('session/endOthers');
    // Each is refused for what it names, and not for who asks.
    for (const [id, body] of [
      ['passkey/add', { name: 'Phone', answer: '{}' }],
      ['passkey/rename', { id: '1300000000000000009', name: 'Phone' }],
      [
        'passkey/remove',
        { id: '1300000000000000009', password: PASSWORD, secondFactor: nextCode() },
      ],
    ] as const) {
      const { status, body: answer } = await ask(id, body);
      expect([id, status, answer.code, answer.success]).not.toContain(401);
      expect([id, answer.success]).toEqual([id, false]);
    }
    await done('password/change', {
      password: PASSWORD,
      secondFactor: nextCode(),
      newPassword: 'meadow lane in july',
    });
    expect((await atConsole()).status).toBe(401);
    await visitor.logIn(email, 'meadow lane in july');
    const step = await visitor.post('/portal/log-in', { email, password: 'meadow lane in july' });
    await visitor.post('/portal/second-step', {
      ticket: step.body.data.ticket,
      secondFactor: nextCode(),
    });
    await visitor.session();
    expect((await atConsole()).body.success).toBe(true);
    await done('totp/remove', { password: 'meadow lane in july', secondFactor: nextCode() });
    expect((await atConsole()).body.code).toBe('H0012');

    expect(OWN_WRITES.filter((id) => !asked.has(id))).toEqual([]);
  });

  test('whose role is taken away does nothing with the session of before, nor the other way round', async () => {
    for (const [before, after] of [
      ['operator', 'owner'],
      ['owner', 'operator'],
    ] as const) {
      const { id } = await world.person({ role: before });
      const { visitor } = await visitAs(world, portal.url, id);
      const change = () => visitor.call('account/language', { language: 'de' });
      const { db } = database();
      expect((await change()).body.success).toBe(true);
      const answers: Promise<PortalAnswer>[] = [];
      await db.transaction().execute(async (trx) => {
        await trx.updateTable('account').set({ role: after }).where('id', '=', id).execute();
        await trx.deleteFrom('session').where('accountId', '=', id).execute();
        for (let i = 0; i < 12; i++) answers.push(change());
      });
      for (const { status } of await Promise.all(answers)) expect(status).toBe(401);
    }
  });
});
