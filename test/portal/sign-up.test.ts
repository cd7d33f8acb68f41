import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAccountByEmail } from '../../packages/server/src/identity/accounts/accounts.ts';
import { createMailScene, tokenIn } from '../accounts/mail-tokens/fixture.ts';
import { addOwner } from '../oauth/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { createPortalVisitor, startPortal, type TestPortal } from '../support/portal.ts';
import { createWorld, settableClock } from '../support/world.ts';

describeEngines('signing up at the portal', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  const { work, letters } = createMailScene(database, world);
  let portal: TestPortal;
  let closed: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock, { smtpUrl: 'smtp://127.0.0.1', signUp: true });
    closed = await startPortal(database(), clock, { smtpUrl: 'smtp://127.0.0.1' });
  });
  afterAll(async () => void (await Promise.all([portal.close(), closed.close()])));

  const account = {
    name: 'Ada',
    password: 'meadow lane in june',
    timeZone: 'Europe/Berlin',
    language: 'en',
  };

  test('logs the person who gets the e-mail in, under a new session', async () => {
    const owner = await addOwner(world);
    const visitor = createPortalVisitor(portal.url);
    expect((await visitor.session()).signUp).toBe(true);
    const before = visitor.cookies.get('helioport_portal_session');
    const bodies = await Promise.all(
      ['ada@example.org', owner.email].map(
        async (email) =>
          (await visitor.post('/portal/sign-up-request', { email, language: 'en' })).body,
      ),
    );
    expect(bodies).toEqual([expect.objectContaining({ success: true, data: null }), bodies[0]]);
    await work();
    const token = tokenIn((await letters()).find(({ address }) => address === 'ada@example.org'));
    const signUp = (change: object, headers = {}) =>
      visitor.post('/portal/sign-up', { token, ...account, ...change }, headers);
    expect((await signUp({}, { 'X-Helioport-CSRF': 'x' })).status).toBe(403);
    for (const [change, field] of [
      [{ token: 'x' }, 'token'],
      [{ password: 'password12' }, 'password'],
      [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
      [{ language: 'tlh' }, 'language'],
      [{ name: 'a\u0000b' }, 'name'],
      [{ name: 'x'.repeat(101) }, 'name'],
    ] as const)
      expect((await signUp(change)).body).toMatchObject({ code: 'H0001', data: { field } });
    expect(await findAccountByEmail(database().db, 'ada@example.org')).toBeUndefined();
    expect((await signUp({ role: 'operator', email: 'other@example.org' })).body).toMatchObject({
      success: true,
      data: { account: { email: 'ada@example.org', role: 'owner' } },
    });
    expect(visitor.cookies.get('helioport_portal_session')).not.toBe(before);
    expect((await visitor.session()).account).toMatchObject({ email: 'ada@example.org' });
    expect(portal.log()).not.toContain(token);
  });

  test('makes one account, however often that is sent under one key, and logs in with its password', async () => {
    const email = 'eva@example.org';
    const visitor = createPortalVisitor(portal.url);
    await visitor.session();
    await visitor.post('/portal/sign-up-request', { email, language: 'en' });
    await work();
    const token = tokenIn((await letters()).find(({ address }) => address === email));
    const signUp = (from: typeof visitor, key: string, change = {}) =>
      from.post('/portal/sign-up', { token, ...account, ...change }, { 'Idempotency-Key': key });
    const others = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const other = createPortalVisitor(portal.url);
        await other.session();
        return other;
      }),
    );
    const all = await Promise.all([visitor, ...others].map((one) => signUp(one, 'the-key')));
    for (const { body } of all)
      expect(body).toMatchObject({ success: true, data: { account: { email } } });
    await others[0]!.session();
    expect(
      (await signUp(others[0]!, 'the-key', { password: 'another one of june' })).body,
    ).toMatchObject({ success: false, code: 'I0012' });
    const stranger = createPortalVisitor(portal.url);
    await stranger.session();
    expect((await signUp(stranger, 'another')).body).toMatchObject({
      code: 'H0001',
      data: { field: 'token' },
    });
    expect((await stranger.session()).account).toBeNull();
  });

  test('is off unless the operator allows it', async () => {
    const visitor = createPortalVisitor(closed.url);
    expect((await visitor.session()).signUp).toBe(false);
    for (const [path, body] of [
      ['/portal/sign-up-request', { email: 'eve@example.org', language: 'en' }],
      ['/portal/sign-up', { token: 'x', ...account }],
    ] as const)
      expect((await visitor.post(path, body)).status).toBe(404);
    expect(await database().db.selectFrom('mailTokenRequest').selectAll().execute()).toEqual([]);
  });
});
