import { beforeAll, describe, expect, test } from 'vitest';
import {
  disableAccount,
  type Account,
} from '../../../packages/server/src/identity/accounts/accounts.ts';
import { listAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import { listGrants, revokeGrant } from '../../../packages/server/src/identity/oauth/grants.ts';
import { createIdSource } from '../../../packages/server/src/platform/kernel/ids.ts';
import { sweepOauth } from '../../../packages/server/src/identity/oauth/housekeeping.ts';
import { addClient, addOwner, REDIRECT_URI, describeOauth, type TestClient } from '../fixture.ts';
import { startOauth } from '../listener.ts';
import { authorizeUrl, createVisitor, signIn, type Page, type Visitor } from '../visitor.ts';

describeOauth('the consent page', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world, {
      purpose: 'Compares yields.',
      homePage: 'https://platform.example/about',
    });
  });
  const url = (change: Record<string, string | undefined> = {}): string =>
    authorizeUrl(t.oauth.url, client, change);
  const codeIn = (page: Page): string => page.location!.searchParams.get('code')!;
  const grants = (owner: Account) => listGrants(t.database().db, owner.id);
  const audit = async (owner: Account): Promise<string[]> =>
    (await listAudit(t.database().db, owner.id, { limit: 100 })).map(({ kind }) => kind);

  test('names the application, its home page, the host of the redirect URI, the scopes, the plants and who is signed in', async () => {
    const owner = await addOwner(t.world);
    const plantId = await t.world.plant(owner.id, { name: 'Roof <b>"north"</b>' });
    const { text } = await signIn(createVisitor(), url(), owner.email);
    for (const part of [
      client.application.name,
      'Compares yields.',
      'https://platform.example/about',
      'platform.example',
      'Read data',
      'Control devices',
      owner.email,
      plantId,
    ])
      expect(text).toContain(part);
    expect(text).toContain('Roof &lt;b&gt;&quot;north&quot;&lt;/b&gt;');
  });

  test('lets control alone stand out, says whose words the purpose is and where access ends', async () => {
    const { text } = await signIn(createVisitor(), url(), (await addOwner(t.world)).email);
    const choices = [
      ...text.matchAll(
        /<label class="choice( warning)?"[^]*?value="(access_data|control_device)"/g,
      ),
    ];
    expect(choices.map(([, warning, scope]) => [scope, warning !== undefined])).toEqual([
      ['access_data', false],
      ['control_device', true],
    ]);
    expect(text).toContain('can cut your power supply');
    expect(text).toContain(
      `<p class="purpose">${client.application.name} says: <q>Compares yields.</q></p>`,
    );
    expect(text).toContain('To end this access later, contact the operator of this service');
  });

  test('leads to the portal to end access later, where there is one', async () => {
    const served = await startOauth(t.database(), t.clock, {
      portalUrl: 'https://portal.example.org',
      portalServed: true,
    });
    try {
      const { text } = await signIn(
        createVisitor(),
        authorizeUrl(served.url, client),
        (await addOwner(t.world)).email,
      );
      expect(text).toContain(
        'You can end this access yourself at any time; it ends immediately. <a href="https://portal.example.org/authorizations" target="_blank" rel="noopener">To your authorizations in the portal</a>',
      );
      expect(text).not.toContain('contact the operator');
    } finally {
      await served.close();
    }
  });

  test.each([
    [7, false],
    [8, true],
  ])('of %i plants has a filter and buttons for all and none: %s', async (count, filtered) => {
    const owner = await addOwner(t.world);
    for (let i = 0; i < count; i++) await t.world.plant(owner.id);
    const { text } = await signIn(createVisitor(), url(), owner.email);
    for (const part of ['id="plant-filter"', 'data-all', 'data-none'])
      expect([part, text.includes(part)]).toEqual([part, filtered]);
  });

  test('approved as it is grants everything that was asked for (O17)', async () => {
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    const back = await visitor.submit(
      await signIn(visitor, url({ state: 'x y' }), owner.email),
      'consent',
      { decision: 'approve' },
    );
    expect(back.location!.href.startsWith(`${REDIRECT_URI}?code=`)).toBe(true);
    expect(back.location!.searchParams.get('state')).toBe('x y');
    expect((await t.exchange(client, codeIn(back))).body.scope).toBe('access_data control_device');
    expect(await grants(owner)).toMatchObject([
      {
        applicationId: client.application.id,
        scopes: ['access_data', 'control_device'],
        plantIds: null,
        revokedAt: null,
      },
    ]);
    expect(await audit(owner)).toContain('grant.given');
  });

  test('may be approved in part: fewer scopes, some plants (O17)', async () => {
    const owner = await addOwner(t.world);
    const [plant] = [await t.world.plant(owner.id), await t.world.plant(owner.id)];
    const visitor = createVisitor();
    const back = await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
      decision: 'approve',
      scope: 'access_data',
      plants: 'some',
      plant,
    });
    expect((await t.exchange(client, codeIn(back))).body.scope).toBe('access_data');
    expect(await grants(owner)).toMatchObject([{ scopes: ['access_data'], plantIds: [plant] }]);
    expect(await audit(owner)).toContain('grant.narrowed');
  });

  test('cannot grant what was not asked for, nor plants of somebody else (O71)', async () => {
    const [owner, other] = [await addOwner(t.world), await addOwner(t.world)];
    const [own, foreign] = [await t.world.plant(owner.id), await t.world.plant(other.id)];
    const visitor = createVisitor();
    const page = await signIn(visitor, url({ scope: 'access_data' }), owner.email);
    const form = page.forms.find(({ action }) => action.startsWith('consent?'))!;
    const ticket = form.fields.find(([name]) => name === 'ticket')![1];
    const body = new URLSearchParams([
      ['ticket', ticket],
      ['scope', 'access_data'],
      ['scope', 'control_device'],
      ['plants', 'some'],
      ['plant', own],
      ['plant', foreign],
      ['decision', 'approve'],
    ]);
    const back = await visitor.open(new URL(form.action, page.url).href, { method: 'POST', body });
    expect((await t.exchange(client, codeIn(back))).body.scope).toBe('access_data');
    expect((await grants(owner))[0]!.plantIds).toEqual([own]);
  });

  test.each([
    ['nothing that it may do', { scope: undefined }, 'Select at least one thing'],
    ['no plant', { plants: 'some' }, 'Select at least one plant'],
  ])(
    'with %s ticked comes again with a word about it, and can be sent then',
    async (_name, change, text) => {
      const owner = await addOwner(t.world);
      await t.world.plant(owner.id);
      const visitor = createVisitor();
      const again = await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
        ...change,
      });
      expect(again.status).toBe(200);
      expect(again.text).toContain(text);
      expect(await grants(owner)).toEqual([]);
      expect(
        (
          await visitor.submit(again, 'consent', {
            decision: 'approve',
            scope: 'access_data',
            plants: 'all',
          })
        ).status,
      ).toBe(303);
    },
  );

  test('without a word about plants grants none of them', async () => {
    const owner = await addOwner(t.world);
    await t.world.plant(owner.id);
    const visitor = createVisitor();
    const again = await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
      decision: 'approve',
      plants: undefined,
    });
    expect(again.text).toContain('Select at least one plant');
    expect(await grants(owner)).toEqual([]);
  });

  test('says all plants to an owner whose chosen ones are gone and who has no other', async () => {
    const owner = await addOwner(t.world);
    await t.code(client, { owner, plantIds: ['1000000000000000001'] });
    const visitor = createVisitor();
    const page = await signIn(visitor, url(), owner.email);
    expect(page.forms.find(({ action }) => action.startsWith('consent?'))!.fields).toContainEqual([
      'plants',
      'all',
    ]);
  });

  test('denied sends access_denied and state, and leaves nothing to exchange (O18)', async () => {
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    const back = await visitor.submit(
      await signIn(visitor, url({ state: 'xyz' }), owner.email),
      'consent',
      { decision: 'deny' },
    );
    expect(back.status).toBe(303);
    expect(Object.fromEntries(back.location!.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'xyz',
    });
    expect(back.location!.searchParams.has('code')).toBe(false);
    expect(await grants(owner)).toEqual([]);
    expect(
      await t
        .database()
        .db.selectFrom('tokenFamily')
        .selectAll()
        .where('accountId', '=', owner.id)
        .execute(),
    ).toEqual([]);
    expect(await audit(owner)).toContain('grant.denied');
  });

  describe('is a page of its own kind:', () => {
    test('no script but their own file, nothing from elsewhere, in no frame, not cached, no Referer (O19)', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const logIn = await visitor.open(url());
      const pages = [
        logIn,
        await signIn(visitor, url(), owner.email),
        await visitor.open(`${t.oauth.url}/oauth/authorize`),
      ];
      for (const { headers, text } of pages) {
        const policy = headers.get('content-security-policy')!;
        expect(policy).toContain("default-src 'none'");
        expect(policy).toContain("frame-ancestors 'none'");
        expect(policy).toContain("script-src 'self'");
        expect(policy).not.toMatch(/unsafe|http/);
        expect(headers.get('x-frame-options')).toBe('DENY');
        expect(headers.get('x-content-type-options')).toBe('nosniff');
        expect(headers.get('referrer-policy')).toBe('no-referrer');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(text.replace('<script src="pages.js" defer></script>', '')).not.toMatch(
          /<script|\son\w+=|src="(?!data:)/i,
        );
      }
      // Chromium holds every redirect after a form to form-action: the way to the redirect URI must be open.
      expect(pages[1]!.headers.get('content-security-policy')).not.toContain('form-action');
      expect(logIn.headers.get('content-security-policy')).toContain("form-action 'self'");
    });

    test.each([
      ['de-CH,de;q=0.9,en;q=0.1', 'de', 'Anmelden'],
      ['fr,es;q=0.5,en;q=0.1', 'es', 'Iniciar sesión'],
      ['zh-Hans-CN', 'zh', '登录'],
      ['en;q=0.1,de;q=0', 'en', 'Sign in'],
      ['fr', 'en', 'Sign in'],
      [',;q=x,,', 'en', 'Sign in'],
    ])('speaks the language of %s', async (accept, language, text) => {
      const page = await createVisitor({ 'Accept-Language': accept }).open(url());
      expect(page.text).toContain(`<html lang="${language}">`);
      expect(page.text).toContain(text);
    });

    test('and changes it on request, without losing the request or skipping the decision', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      const stranger = createVisitor();
      const page = await signIn(stranger, url(), owner.email);
      const link = /<a lang="de"[^>]*href="([^"]*)"/.exec(page.text)![1]!.replaceAll('&amp;', '&');
      const german = await stranger.open(new URL(link, page.url).href);
      expect(german.status).toBe(200);
      expect(german.text).toContain('bittet um Zugriff');
      expect(
        (
          await stranger.submit(german, 'consent', { decision: 'approve' })
        ).location!.searchParams.get('state'),
      ).toBe('s');
    });
  });

  describe('counts once:', () => {
    const codesOf = async (owner: Account): Promise<number> =>
      (
        await t
          .database()
          .db.selectFrom('tokenFamily')
          .select('codeHash')
          .where('accountId', '=', owner.id)
          .execute()
      ).length;
    const approve = { decision: 'approve' };
    const many = (visitor: Visitor, page: Page, count = 16): Promise<Page[]> =>
      Promise.all(Array.from({ length: count }, () => visitor.submit(page, 'consent', approve)));

    test('sent again and again, also at once, it leads to the same redirect, with one code (O20)', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      const all = [...(await many(visitor, page)), await visitor.submit(page, 'consent', approve)];
      expect(all.map(({ status }) => status)).toEqual(all.map(() => 303));
      expect(new Set(all.map(({ location }) => location!.href)).size).toBe(1);
      expect([await codesOf(owner), (await grants(owner)).length]).toEqual([1, 1]);
      const answer = await t.exchange(client, codeIn(all[0]!));
      expect(answer.status).toBe(200);
    });

    test('for a minute; then the code is forgotten, and it is a page', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      const first = await visitor.submit(page, 'consent', approve);
      t.clock.at += 59_999;
      const again = await visitor.submit(page, 'consent', approve);
      expect(again.location!.href).toBe(first.location!.href);
      t.clock.at += 1;
      const late = await visitor.submit(page, 'consent', approve);
      expect([late.status, late.text.includes('Start again')]).toEqual([200, true]);
      await sweepOauth(t.database().db, t.clock.now(), createIdSource(t.clock));
      const tickets = t.database().db.selectFrom('consentTicket').select('sealedCode');
      expect(await tickets.where('sealedCode', 'is not', null).execute()).toEqual([]);
    });

    test('by the same session, with the same decision', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      const first = await visitor.submit(page, 'consent', approve);
      const other = createVisitor();
      await signIn(other, url(), owner.email);
      for (const [who, change] of [
        [visitor, { decision: 'deny' }],
        [visitor, { ...approve, scope: 'access_data' }],
        [other, approve],
      ] as const) {
        const refused = await who.submit(page, 'consent', change);
        expect([refused.status, refused.text.includes('already submitted')]).toEqual([200, true]);
      }
      expect((await visitor.submit(page, 'consent', approve)).location!.href).toBe(
        first.location!.href,
      );
    });

    test('a denial as well', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      const before = (await audit(owner)).length;
      const both = await Promise.all(
        [1, 2].map(() => visitor.submit(page, 'consent', { decision: 'deny' })),
      );
      for (const { location } of both)
        expect(location!.searchParams.get('error')).toBe('access_denied');
      expect(await audit(owner)).toHaveLength(before + 1);
    });

    test('a code that was used stays dead, and its second use still ends its tokens', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      const code = codeIn(await visitor.submit(page, 'consent', approve));
      const { body } = await t.exchange(client, code);
      // Long after the first use, so that it is no repetition by mistake.
      t.clock.at += 55_000;
      expect(codeIn(await visitor.submit(page, 'consent', approve))).toBe(code);
      expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
      expect((await t.refresh(client, body.refresh_token)).body.error).toBe('invalid_grant');
    });

    test('a code whose authorization was revoked stays dead', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      const code = codeIn(await visitor.submit(page, 'consent', approve));
      const [grant] = await grants(owner);
      await t.world.write((trx) => revokeGrant(trx, t.world.act(), grant!.id, owner.id));
      await visitor.submit(page, 'consent', approve);
      expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
      expect(await codesOf(owner)).toBe(1);
    });

    test('for this request alone: a page of another request is refused (O20)', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const one = await signIn(visitor, url({ state: 'one' }), owner.email);
      const other = await visitor.open(url({ state: 'other' }));
      const ticket = (page: Page): string =>
        page.forms
          .find(({ action }) => action.startsWith('consent?'))!
          .fields.find(([name]) => name === 'ticket')![1];
      expect(
        (await visitor.submit(other, 'consent', { decision: 'approve', ticket: ticket(one) })).text,
      ).toContain('already submitted');
      // Both tabs work for themselves.
      expect(
        (await visitor.submit(one, 'consent', { decision: 'approve' })).location!.searchParams.get(
          'state',
        ),
      ).toBe('one');
      expect(
        (
          await visitor.submit(other, 'consent', { decision: 'approve' })
        ).location!.searchParams.get('state'),
      ).toBe('other');
    });

    test.each([
      ['no ticket', undefined],
      ['an empty ticket', ''],
      ['a made-up ticket', 'x'.repeat(43)],
    ])('with %s it is refused, approving as well as denying (O20)', async (_name, ticket) => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      for (const decision of ['approve', 'deny'])
        expect((await visitor.submit(page, 'consent', { decision, ticket })).text).toContain(
          'already submitted',
        );
      expect(await grants(owner)).toEqual([]);
    });

    test('with the cookie of another owner it is refused (O20)', async () => {
      const [owner, other] = [await addOwner(t.world), await addOwner(t.world)];
      const [mine, theirs] = [createVisitor(), createVisitor()];
      const page = await signIn(mine, url(), owner.email);
      await signIn(theirs, url(), other.email);
      expect((await theirs.submit(page, 'consent', { decision: 'approve' })).text).toContain(
        'already submitted',
      );
      expect(await grants(other)).toEqual([]);
    });

    test('without a session it leads back to the log-in', async () => {
      const owner = await addOwner(t.world);
      const page = await signIn(createVisitor(), url(), owner.email);
      const back = await createVisitor().submit(page, 'consent', { decision: 'approve' });
      expect(back.location!.pathname).toBe('/oauth/authorize');
      expect(await grants(owner)).toEqual([]);
    });

    test('within half an hour (O20)', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      const page = await signIn(visitor, url(), owner.email);
      t.clock.at += 30 * 60_000 + 1;
      expect((await visitor.submit(page, 'consent', { decision: 'approve' })).text).toContain(
        'already submitted',
      );
    });
  });

  describe('is skipped', () => {
    test('for an owner who is signed in and granted the same or more before', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      const same = await visitor.open(url({ state: 'again' }));
      expect(same.status).toBe(303);
      expect((await t.exchange(client, codeIn(same))).body.scope).toBe(
        'access_data control_device',
      );
      const less = await visitor.open(url({ scope: 'access_data' }));
      expect((await t.exchange(client, codeIn(less))).body.scope).toBe('access_data');
    });

    test('and stands in the audit trail all the same: the code and its exchange', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      // Several in one millisecond have no order.
      const before = (await audit(owner)).length;
      const code = codeIn(await visitor.open(url({ state: 'again' })));
      expect(await audit(owner)).toHaveLength(before + 1);
      await t.exchange(client, code, { redirect_uri: 'https://elsewhere.example/' });
      expect(await audit(owner)).toHaveLength(before + 1);
      await t.exchange(client, code, {}, { 'Idempotency-Key': 'exchanged-in-one-transaction' });
      const events = await listAudit(t.database().db, owner.id, { limit: 100 });
      expect(events).toHaveLength(before + 2);
      const [grant] = await grants(owner);
      const data = { applicationId: client.application.id, grantId: grant!.id };
      for (const event of [
        {
          kind: 'grant.exchanged',
          actor: `application:${client.application.id}`,
          address: '127.0.0.1',
          data,
        },
        {
          kind: 'grant.codeIssued',
          actor: `account:${owner.id}`,
          address: '127.0.0.1',
          data: { ...data, scopes: 'access_data control_device' },
        },
      ])
        expect(events).toContainEqual(expect.objectContaining(event));
    });

    test('not when the application sends prompt=consent', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      expect((await visitor.open(url({ prompt: 'consent' }))).status).toBe(200);
    });

    test('not when more is asked for than was granted', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(
        await signIn(visitor, url({ scope: 'access_data' }), owner.email),
        'consent',
        { decision: 'approve' },
      );
      expect((await visitor.open(url())).status).toBe(200);
    });

    test('not after a log-in in this flow, whatever was granted before', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      expect((await signIn(createVisitor(), url(), owner.email)).status).toBe(200);
    });

    test('not after the owner has revoked (O65)', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      const [grant] = await grants(owner);
      await t.world.write((trx) => revokeGrant(trx, t.world.act(), grant!.id, owner.id));
      const asked = await visitor.open(url());
      expect(asked.status).toBe(200);
      await visitor.submit(asked, 'consent', { decision: 'approve', scope: 'access_data' });
      expect(await grants(owner)).toMatchObject([
        { scopes: ['access_data'], revokedAt: null },
        { revokedAt: expect.any(Number) },
      ]);
    });

    test('not for an owner who was disabled: the session is none', async () => {
      const owner = await addOwner(t.world);
      const visitor = createVisitor();
      await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
        decision: 'approve',
      });
      await t.world.write((trx) => disableAccount(trx, t.world.act(), owner.id));
      expect((await visitor.open(url())).text).toContain('Sign in');
    });
  });

  test('asked for less, an approval leaves what was granted before; what is unticked ends', async () => {
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    const first = await visitor.submit(await signIn(visitor, url(), owner.email), 'consent', {
      decision: 'approve',
    });
    const pair = (await t.exchange(client, codeIn(first))).body;
    await visitor.submit(
      await visitor.open(url({ scope: 'access_data', prompt: 'consent' })),
      'consent',
      { decision: 'approve' },
    );
    expect((await grants(owner))[0]!.scopes).toEqual(['access_data', 'control_device']);
    await visitor.submit(await visitor.open(url({ prompt: 'consent' })), 'consent', {
      decision: 'approve',
      scope: 'access_data',
    });
    expect((await grants(owner))[0]!.scopes).toEqual(['access_data']);
    expect((await t.introspect(client, pair.access_token)).body.scope).toBe('access_data');
  });

  test('after approval the back button shows a page that cannot be sent again', async () => {
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    const page = await signIn(visitor, url(), owner.email);
    const first = await visitor.submit(page, 'consent', { decision: 'approve' });
    const second = await visitor.submit(page, 'consent', { decision: 'deny' });
    expect(second.text).toContain('already submitted');
    // The first one was.
    expect(second.text).not.toContain('Nothing was granted');
    expect((await t.exchange(client, codeIn(first))).status).toBe(200);
  });

  test.each(['log-in', 'consent', 'log-out'])(
    'the address of the form %s, opened, begins the request again',
    async (form) => {
      const back = await createVisitor().open(url().replace('/oauth/authorize', `/oauth/${form}`));
      expect(back.status).toBe(303);
      expect(back.location!.href).toBe(url());
    },
  );
});
