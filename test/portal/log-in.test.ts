import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disableAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import {
  findSession,
  insertSession,
  listSessions,
  newSessionId,
} from '../../packages/server/src/identity/accounts/sessions.ts';
import { minimal } from '../management/fixture.ts';
import { addOwner, PASSWORD } from '../oauth/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import {
  createPortalVisitor,
  SESSION_COOKIE as SESSION,
  startPortal,
  type PortalVisitor,
  type TestPortal,
} from '../support/portal.ts';
import { createWorld, settableClock } from '../support/world.ts';

const BROWSER = 'helioport_portal_browser';

describeEngines('logging in at the portal', (database) => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  const world = createWorld(database, clock);
  let portal: TestPortal;
  beforeAll(async () => {
    portal = await startPortal(database(), clock, { demoOwner: 'owner@demo.example' });
  });
  afterAll(() => portal.close());

  const visitor = (): PortalVisitor => createPortalVisitor(portal.url);
  const loggedIn = async (email: string): Promise<PortalVisitor> => {
    const somebody = visitor();
    expect((await somebody.logIn(email, PASSWORD)).body).toMatchObject({
      success: true,
      data: { account: { email } },
    });
    return somebody;
  };

  test('begins a session under a new id: one that was planted in the browser is worthless', async () => {
    const owner = await addOwner(world);
    const [victim, planted] = [visitor(), newSessionId()];
    victim.cookies.set(SESSION, planted);
    expect((await victim.session()).account).toBeNull();
    const answer = await victim.logIn(owner.email, PASSWORD);
    expect(answer.body.data.account).toEqual({
      id: owner.id,
      email: owner.email,
      name: owner.name,
      role: 'owner',
      timeZone: 'UTC',
      language: null,
    });
    expect(victim.cookies.get(SESSION)).not.toBe(planted);
    expect(await findSession(database().db, clock.at, 'portal', planted)).toBeUndefined();
    expect(answer.headers.getSetCookie().map((line) => line.replace(/=[^;]+/, '='))).toEqual([
      `${SESSION}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`,
      `${BROWSER}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`,
    ]);
    // The token of the page on which somebody logged in ends with it.
    const { csrf } = victim;
    expect((await victim.session()).csrf).toBe(csrf);
    expect((await victim.call('session/list')).body.data).toMatchObject([
      { current: true, entrance: 'portal' },
    ]);
  });

  test('again replaces the session', async () => {
    const owner = await addOwner(world);
    const browser = await loggedIn(owner.email);
    const former = browser.cookies.get(SESSION)!;
    await browser.logIn(owner.email, PASSWORD);
    expect(await findSession(database().db, clock.at, 'portal', former)).toBeUndefined();
    expect(await listSessions(database().db, clock.at, owner.id)).toHaveLength(1);
  });

  test('takes no session of the authorization pages, though browsers share cookies between ports', async () => {
    const { id: accountId } = await addOwner(world);
    const id = await world.write((trx) =>
      insertSession(trx, world.act(), {
        accountId,
        entrance: 'oauth',
        freshFor: null,
        userAgent: null,
      }),
    );
    const browser = visitor();
    browser.cookies.set('helioport_oauth_session', id);
    expect((await browser.session()).account).toBeNull();
    browser.cookies.set(SESSION, id);
    expect((await browser.session()).account).toBeNull();
    expect((await browser.call('session/list')).status).toBe(401);
    expect(await findSession(database().db, clock.at, 'oauth', id)).toMatchObject({ accountId });
  });

  test('is refused alike for a wrong password, an unknown address and a disabled account', async () => {
    const [owner, disabled] = [await addOwner(world), await addOwner(world)];
    await world.write((trx) => disableAccount(trx, world.act(), disabled.id));
    for (const [email, password] of [
      [owner.email, 'not the password'],
      ['nobody@example.com', PASSWORD],
      [disabled.email, PASSWORD],
    ] as const) {
      const { status, body } = await visitor().logIn(email, password);
      expect([status, body]).toEqual([
        200,
        { success: false, code: 'I0012', msg: 'wrong account or password', data: null },
      ]);
    }
  });

  test('is throttled, but not for a browser that has logged in before', async () => {
    const owner = await addOwner(world);
    const known = await loggedIn(owner.email);
    await known.post('/portal/log-out');
    known.csrf = '';
    const stranger = visitor();
    for (let i = 0; i < 5; i++)
      expect((await stranger.logIn(owner.email, `guess ${i}`)).body.code).toBe('I0012');
    const refused = await stranger.logIn(owner.email, PASSWORD);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '30']);
    expect((await known.logIn(owner.email, PASSWORD)).body.success).toBe(true);
    clock.at += 3_600_000;
  });

  test.each([
    ['nothing', {}, 'I0000'],
    ['no password', { email: 'ada@example.org' }, 'I0000'],
    ['a number', { email: 7, password: ['x'] }, 'H0001'],
    ['NUL', { email: 'a\0@example.org', password: 'x' }, 'H0001'],
    ['half a character', { email: '\ud800@example.org', password: '\udfff' }, 'H0001'],
    ['too much', { email: 'x'.repeat(255), password: 'x' }, 'H0001'],
    ['no JSON', '{"email":', '400'],
    ['an array', '[]', '400'],
    ['something nested deeply', '['.repeat(9000), '400'],
    ['bytes beyond the limit', `{"email":"${'x'.repeat(20_000)}"}`, '413'],
  ])('with %s gets a clear refusal', async (_name, body, code) => {
    const browser = visitor();
    await browser.session();
    expect((await browser.post('/portal/log-in', body)).body).toMatchObject({
      success: false,
      code,
    });
  });

  test('needs the page’s own token, and JSON', async () => {
    const owner = await addOwner(world);
    const browser = visitor();
    await browser.session();
    const body = { email: owner.email, password: PASSWORD };
    for (const headers of [
      { 'X-Helioport-CSRF': 'x' },
      { 'X-Helioport-CSRF': undefined },
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ])
      expect((await browser.post('/portal/log-in', body, headers)).status).toBe(403);
    expect(
      (await browser.post('/portal/log-in', body, { 'Content-Type': 'text/plain' })).status,
    ).toBe(415);
    expect((await visitor().post('/portal/log-in', body)).status).toBe(401);
    expect((await browser.get('/portal/log-in')).status).toBe(405);
    expect(await listSessions(database().db, clock.at, owner.id)).toEqual([]);
  });

  test('as the demo’s owner takes one click where there is a demo, and is not there elsewhere', async () => {
    const demo = await addOwner(world, 'owner@demo.example');
    const browser = visitor();
    expect(await browser.session()).toMatchObject({ account: null, demo: true });
    expect((await browser.post('/portal/demo-log-in')).body.data.account.email).toBe(
      'owner@demo.example',
    );
    expect((await browser.session()).account).toMatchObject({ email: 'owner@demo.example' });
    // A person who has looked around has shown no password: guesses of it count as those of strangers.
    expect(browser.cookies.get(BROWSER)).toBeUndefined();
    expect(
      await database()
        .db.selectFrom('knownBrowser')
        .select('hash')
        .where('accountId', '=', demo.id)
        .execute(),
    ).toEqual([]);
    const strangers = await Promise.all(
      Array.from({ length: 40 }, async () => {
        const stranger = visitor();
        await stranger.session();
        return (await stranger.post('/portal/demo-log-in')).status;
      }),
    );
    expect(strangers.filter((status) => status === 429)).toHaveLength(11);
    clock.at += 10_000;
    expect((await browser.post('/portal/demo-log-in')).status).toBe(200);
    const elsewhere = await startPortal(database(), clock);
    const other = createPortalVisitor(elsewhere.url);
    expect((await other.session()).demo).toBe(false);
    expect((await other.post('/portal/demo-log-in')).status).toBe(404);
    await elsewhere.close();
  });

  describe('sessions', () => {
    test('are listed without what would open them, and ended one by one or all but one’s own', async () => {
      const owner = await addOwner(world);
      const [first, second, third] = [
        await loggedIn(owner.email),
        await loggedIn(owner.email),
        await loggedIn(owner.email),
      ];
      const { body, headers } = await first.call('session/list');
      expect(headers.get('cache-control')).toBe('no-store');
      const sessions = body.data as { id: string; current: boolean; address: string }[];
      expect(sessions.map(({ current, address }) => [current, address])).toEqual([
        [false, '127.0.0.1'],
        [false, '127.0.0.1'],
        [true, '127.0.0.1'],
      ]);
      for (const one of [first, second, third])
        expect(JSON.stringify(body)).not.toContain(one.cookies.get(SESSION));
      await second.call('session/end', { id: sessions[0]!.id });
      expect((await third.session()).account).toBeNull();
      expect((await first.call('session/endOthers')).body.data).toEqual({ ended: 1 });
      expect((await second.call('session/list')).status).toBe(401);
      expect((await first.call('session/list')).body.data).toHaveLength(1);
      const trail = (await first.call('user/events')).body.data as { kind: string }[];
      expect(trail.filter(({ kind }) => kind === 'session.ended')).toHaveLength(2);
    });

    test('of others cannot be ended: they are like unknown ones', async () => {
      const [owner, other] = [await addOwner(world), await addOwner(world)];
      const [browser, theirs] = [await loggedIn(owner.email), await loggedIn(other.email)];
      const [{ id }] = (await theirs.call('session/list')).body.data;
      const answers = [
        await browser.call('session/end', { id }),
        await browser.call('session/end', { id: '1300000000000000009' }),
      ];
      expect(answers.map(({ body }) => body)).toEqual([answers[0]!.body, answers[0]!.body]);
      expect(answers[0]!.body.code).toBe('R0000');
      expect((await theirs.session()).account).not.toBeNull();
    });

    test('last while they are used, and 30 days at most', async () => {
      const owner = await addOwner(world);
      const browser = await loggedIn(owner.email);
      const start = clock.at;
      for (let day = 6; day < 30; day += 6) {
        clock.at = start + day * 86_400_000;
        expect([day, (await browser.session()).account?.id]).toEqual([day, owner.id]);
      }
      clock.at = start + 30 * 86_400_000 - 1;
      expect((await browser.session()).account).not.toBeNull();
      clock.at += 1;
      expect((await browser.session()).account).toBeNull();
    });
  });

  test('a write with an Idempotency-Key is carried out once', async () => {
    const owner = await addOwner(world);
    const browser = await loggedIn(owner.email);
    const other = await loggedIn((await addOwner(world)).email);
    const plant = minimal;
    const key = { 'Idempotency-Key': '5d1f6c1e-1' };
    const answers = await Promise.all([1, 2, 3].map(() => browser.call('addStation', plant, key)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
    expect((await browser.call('addStation', plant, key)).body.msg).toBe(
      'this request has already been carried out',
    );
    expect((await browser.call('userStationList')).body.data.page.total).toBe(1);
    // The key of another account, and another key, are others; and a refused write may be repeated.
    expect((await other.call('addStation', plant, key)).body.success).toBe(true);
    const next = { 'Idempotency-Key': '5d1f6c1e-2' };
    expect((await browser.call('addStation', { ...plant, capacity: -1 }, next)).body.success).toBe(
      false,
    );
    expect((await browser.call('addStation', plant, next)).body.success).toBe(true);
    for (const unreadable of ['', 'a b', 'x'.repeat(201)])
      expect(
        (await browser.call('addStation', plant, { 'Idempotency-Key': unreadable })).status,
      ).toBe(400);
  });

  describe('a write whose answer was lost', () => {
    const outcomeOf = async (browser: PortalVisitor, key: string, operation = 'addStation') =>
      (await browser.post('/portal/outcome', { operation, key })).body.data;

    test('tells what came out, with its answer, to the account that made it alone', async () => {
      const owner = await addOwner(world);
      const [browser, other] = [
        await loggedIn(owner.email),
        await loggedIn((await addOwner(world)).email),
      ];
      const { body } = await browser.call('addStation', minimal, { 'Idempotency-Key': 'lost-1' });
      // Even if the answer to this question is lost too.
      for (let i = 0; i < 2; i++)
        expect(await outcomeOf(browser, 'lost-1')).toEqual({ carriedOut: true, answer: body.data });
      expect(await outcomeOf(other, 'lost-1')).toEqual({ carriedOut: false });
      expect(await outcomeOf(browser, 'lost-1', 'stationUpdate')).toEqual({ carriedOut: false });
      expect(
        (await visitor().post('/portal/outcome', { operation: 'addStation', key: 'lost-1' })).body,
      ).toMatchObject({ success: false });
      const kept = await database()
        .db.selectFrom('onceMark')
        .select('answer')
        .where('holder', '=', `account:${owner.id}`)
        .execute();
      // Answers may have secrets: none can be read in the database.
      expect(kept.some(({ answer }) => answer !== null && answer.length > 0)).toBe(true);
      for (const { answer } of kept)
        expect(Buffer.from(answer ?? []).toString('latin1')).not.toContain(String(body.data));
    });

    test('is never carried out once it was said that it was not, nor is a refused one', async () => {
      const browser = await loggedIn((await addOwner(world)).email);
      const plants = async () => (await browser.call('userStationList')).body.data.page.total;
      for (let i = 0; i < 2; i++)
        expect(await outcomeOf(browser, 'lost-2')).toEqual({ carriedOut: false });
      expect(
        (await browser.call('addStation', minimal, { 'Idempotency-Key': 'lost-2' })).status,
      ).toBe(409);
      expect(await plants()).toBe(0);
      const refused = { ...minimal, capacity: -1 };
      await browser.call('addStation', refused, { 'Idempotency-Key': 'lost-3' });
      expect(await outcomeOf(browser, 'lost-3')).toEqual({ carriedOut: false });
    });

    test('is asked about so often by an account, and by others meanwhile', async () => {
      const [browser, other] = [
        await loggedIn((await addOwner(world)).email),
        await loggedIn((await addOwner(world)).email),
      ];
      const ask = (i: number) =>
        browser.post('/portal/outcome', { operation: 'addStation', key: `many-${i}` });
      const answers = await Promise.all(Array.from({ length: 74 }, (_, i) => ask(i)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(14);
      expect(await outcomeOf(other, 'many-1')).toEqual({ carriedOut: false });
      clock.at += 10_000;
      expect((await ask(99)).status).toBe(200);
    });

    test('is decided between it and the question, no matter which comes first', async () => {
      const browser = await loggedIn((await addOwner(world)).email);
      const outcomes = await Promise.all(
        Array.from({ length: 16 }, async (_, i) => {
          const write = () =>
            browser.call('addStation', minimal, { 'Idempotency-Key': `race-${i}` });
          const [{ status }, { carriedOut }] =
            i % 2 === 0
              ? await Promise.all([write(), outcomeOf(browser, `race-${i}`)])
              : await Promise.all([outcomeOf(browser, `race-${i}`), write()]).then(
                  ([outcome, answer]) => [answer, outcome] as const,
                );
          expect(status).toBe(carriedOut ? 200 : 409);
          return carriedOut as boolean;
        }),
      );
      expect((await browser.call('userStationList')).body.data.page.total).toBe(
        outcomes.filter(Boolean).length,
      );
    });
  });
});
