import { afterAll, beforeAll, expect, test } from 'vitest';
import { addOwner, PASSWORD } from '../oauth/fixture.ts';
import { createMailScene, tokenIn } from '../accounts/mail-tokens/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { createPortalVisitor, startPortal, type TestPortal } from '../support/portal.ts';
import { createWorld, settableClock } from '../support/world.ts';

describeEngines('a forgotten password at the portal', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  const { work, letters } = createMailScene(database, world);
  let portal: TestPortal;
  let silent: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock, { smtpUrl: 'smtp://127.0.0.1' });
    silent = await startPortal(database(), clock);
  });
  afterAll(async () => void (await Promise.all([portal.close(), silent.close()])));

  test('is replaced by the person who gets the e-mail, who then logs in with the new one', async () => {
    const owner = await addOwner(world);
    const visitor = createPortalVisitor(portal.url);
    expect((await visitor.session()).mail).toBe(true);
    const bodies = await Promise.all(
      [owner.email, 'nobody@example.com'].map(
        async (email) =>
          (await visitor.post('/portal/reset-request', { email, language: 'de' })).body,
      ),
    );
    expect(bodies).toEqual([expect.objectContaining({ success: true, data: null }), bodies[0]]);
    await work();
    const [letter] = await letters();
    expect(letter).toMatchObject({ address: owner.email, language: 'de' });
    const token = tokenIn(letter);
    const reset = (body: object, headers = {}) =>
      visitor.post(
        '/portal/reset',
        { token, newPassword: 'meadow lane in july', ...body },
        headers,
      );
    expect((await reset({}, { 'X-Helioport-CSRF': 'x' })).status).toBe(403);
    expect((await reset({ newPassword: 'password12' })).body).toMatchObject({
      code: 'H0001',
      data: { field: 'password' },
    });
    expect((await reset({ token: 'x' })).body).toMatchObject({
      code: 'H0001',
      data: { field: 'token' },
    });
    expect((await reset({ endAllAccess: 2 })).body).toMatchObject({
      code: 'H0001',
      data: { field: 'endAllAccess' },
    });
    expect((await reset({ newPassword: undefined })).body).toMatchObject({
      code: 'I0000',
      data: { field: 'newPassword' },
    });
    expect((await reset({ endAllAccess: 1 })).body.success).toBe(true);
    expect((await visitor.logIn(owner.email, PASSWORD)).body.success).toBe(false);
    expect((await visitor.logIn(owner.email, 'meadow lane in july')).body.success).toBe(true);
    expect(portal.log()).not.toContain(token);
  });

  test('is replaced once, however often that is sent under one key', async () => {
    const owner = await addOwner(world);
    const visitor = createPortalVisitor(portal.url);
    await visitor.session();
    await visitor.post('/portal/reset-request', { email: owner.email, language: 'en' });
    await work();
    const token = tokenIn((await letters())[0]);
    const reset = (key?: string, newPassword = 'meadow lane in july') =>
      visitor.post(
        '/portal/reset',
        { token, newPassword },
        key === undefined ? {} : { 'Idempotency-Key': key },
      );
    expect((await reset('two words')).status).toBe(400);
    const all = await Promise.all(Array.from({ length: 12 }, () => reset('the-key')));
    for (const { body } of all) expect(body).toMatchObject({ success: true, data: null });
    const events = await database()
      .db.selectFrom('auditEvent')
      .select('id')
      .where('accountId', '=', owner.id)
      .where('kind', '=', 'account.passwordReset')
      .execute();
    expect(events).toHaveLength(1);
    // Its answer may be lost for a while; nobody else gets it.
    expect((await reset('the-key')).body.success).toBe(true);
    for (const key of [undefined, 'another'])
      expect((await reset(key, 'meadow lane in august')).body).toMatchObject({
        code: 'H0001',
        data: { field: 'token' },
      });
    expect((await visitor.logIn(owner.email, 'meadow lane in july')).body.success).toBe(true);
  });

  test('is a matter of the operator where no e-mails are sent', async () => {
    const visitor = createPortalVisitor(silent.url);
    expect((await visitor.session()).mail).toBe(false);
    const { status, body } = await visitor.post('/portal/reset-request', {
      email: 'ada@example.org',
      language: 'en',
    });
    expect([status, body.msg]).toEqual([404, expect.stringContaining('ask its operator')]);
    expect(await database().db.selectFrom('mailTokenRequest').selectAll().execute()).toEqual([]);
  });

  test.each([
    [{ email: 'ada@example.org' }, 'I0000'],
    [{ email: 'ada@example.org', language: 'tlh' }, 'H0001'],
    [{ email: 'no address', language: 'en' }, 'H0001'],
    [{ email: { $ne: 1 }, language: 'en' }, 'H0001'],
  ])('is refused %j', async (body, code) => {
    const visitor = createPortalVisitor(portal.url);
    await visitor.session();
    expect((await visitor.post('/portal/reset-request', body)).body).toMatchObject({
      success: false,
      code,
    });
  });
});
