import { beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { disableApplication } from '../../../packages/server/src/identity/oauth/applications.ts';
import {
  addClient,
  addOwner,
  answerOf,
  REDIRECT_URI,
  describeOauth,
  type TestClient,
} from '../fixture.ts';
import { authorizeUrl, createVisitor, signIn, type Page, type Visitor } from '../visitor.ts';

describeOauth('the authorization endpoint', (t) => {
  let client: TestClient;
  let owner: Account;
  let visitor: Visitor;
  beforeAll(async () => {
    client = await addClient(t.world);
    owner = await addOwner(t.world);
    visitor = createVisitor();
    await signIn(visitor, authorizeUrl(t.oauth.url, client), owner.email);
  });
  const open = (change: Record<string, string | undefined> = {}, by = client): Promise<Page> =>
    visitor.open(authorizeUrl(t.oauth.url, by, { prompt: 'consent', ...change }));
  const openQuery = (query: string): Promise<Page> =>
    visitor.open(`${t.oauth.url}/oauth/authorize?${query}`);
  const approve = async (
    change: Record<string, string | undefined> = {},
    by = client,
  ): Promise<Page> => visitor.submit(await open(change, by), 'consent', { decision: 'approve' });

  const expectPage = (page: Page, text: string | RegExp = ''): void => {
    expect(page.status).toBe(400);
    expect(page.location).toBeUndefined();
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
    expect(page.text).toMatch(text);
    // Somebody reads it: it always says something.
    expect(page.text).toMatch(/role="alert">[^<]+</);
    expect(page.text).toMatch(/Request ID: <code>[^<]+<\/code>/);
  };
  const expectRedirect = (page: Page, error: string): URLSearchParams => {
    expect(page.status).toBe(303);
    expect(page.location!.href.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(page.location!.searchParams.get('error')).toBe(error);
    expect(page.location!.searchParams.has('code')).toBe(false);
    return page.location!.searchParams;
  };

  test('answers GET; HEAD, POST and everything else are 405 and issue no code (O1)', async () => {
    expect((await open()).status).toBe(200);
    for (const method of ['HEAD', 'POST', 'PUT', 'DELETE']) {
      const response = await fetch(authorizeUrl(t.oauth.url, client), {
        method,
        redirect: 'manual',
      });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('GET');
    }
  });

  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['unknown', 'nobody'],
    ['in another case', 'lower'],
  ])('a client_id that is %s gets a page and no redirect (O2)', async (_name, id) => {
    expectPage(await open({ client_id: id === 'lower' ? client.clientId.toLowerCase() : id }));
  });

  test('a disabled application gets a page and no redirect (O2, O30)', async () => {
    const disabled = await addClient(t.world);
    await t.world.write((trx) => disableApplication(trx, t.world.act(), disabled.application.id));
    expectPage(await open({}, disabled));
  });

  test('a missing or empty redirect_uri gets a page and no redirect (O3)', async () => {
    for (const redirect_uri of [undefined, ''])
      expectPage(await open({ redirect_uri }), 'redirect_uri is missing');
  });

  test('of two client_id or redirect_uri there is no redirect (O13)', async () => {
    const query = new URL(authorizeUrl(t.oauth.url, client)).search.slice(1);
    expectPage(await openQuery(`${query}&client_id=${client.clientId}`), 'only once');
    expectPage(
      await openQuery(`${query}&redirect_uri=${encodeURIComponent(REDIRECT_URI)}`),
      'only once',
    );
    expectPage(await openQuery(`${query}&redirect_uri=https%3A%2F%2Fevil.example`), 'only once');
  });

  test.each(['state', 'scope', 'response_type', 'code_challenge', 'prompt'])(
    'two of %s are invalid_request (O13)',
    async (name) => {
      const query = new URL(authorizeUrl(t.oauth.url, client)).search.slice(1);
      const parameters = expectRedirect(
        await openQuery(`${query}&${name}=a&${name}=b`),
        'invalid_request',
      );
      expect(parameters.get('state')).toBe(name === 'state' ? null : 's');
    },
  );

  test('parameters that nobody asks for are ignored, however often they come (O14)', async () => {
    const query = new URL(authorizeUrl(t.oauth.url, client)).search.slice(1);
    expect(
      (await openQuery(`${query}&nonce=1&nonce=2&display=page&scope[]=x&__proto__=y`)).status,
    ).toBe(200);
  });

  test('response_type missing is invalid_request (O8)', async () => {
    for (const response_type of [undefined, ''])
      expect(expectRedirect(await open({ response_type }), 'invalid_request').get('state')).toBe(
        's',
      );
  });

  test.each(['token', 'code token', 'id_token', 'CODE', 'code ', 'none'])(
    'response_type %s is unsupported_response_type (O8, O9)',
    async (response_type) => {
      expect(
        expectRedirect(await open({ response_type }), 'unsupported_response_type').get('state'),
      ).toBe('s');
    },
  );

  describe('state', () => {
    const nasty = 'a b+c&d=é%/?#"\'<>\\';
    test('comes back unchanged on success and on error (O10)', async () => {
      expect((await approve({ state: nasty })).location!.searchParams.get('state')).toBe(nasty);
      expect(
        expectRedirect(
          await open({ state: nasty, response_type: 'token' }),
          'unsupported_response_type',
        ).get('state'),
      ).toBe(nasty);
    });

    test('of every byte comes back unchanged (O10)', async () => {
      for (const from of [0, 86, 172]) {
        const bytes = Array.from(
          { length: Math.min(86, 256 - from) },
          (_, i) => `%${(from + i).toString(16).toUpperCase().padStart(2, '0')}`,
        ).join('');
        const query = new URL(
          authorizeUrl(t.oauth.url, client, { state: undefined, response_type: 'token' }),
        ).search.slice(1);
        const { headers } = await openQuery(`${query}&state=${bytes}`);
        const sent = /[?&]state=([^&]*)/.exec(headers.get('location')!)![1]!;
        const plain = (text: string): string =>
          Buffer.from(
            text.replace(/%(..)/g, (_, hex: string) =>
              String.fromCharCode(Number.parseInt(hex, 16)),
            ),
            'latin1',
          ).toString('hex');
        expect(plain(sent)).toBe(plain(bytes));
      }
    });

    test.each([
      ['ASCII', 'x'],
      ['another script', '日'],
      ['characters of four bytes', '😀'],
    ])(
      'of 180 characters of %s is taken, of 181 invalid_request (O11)',
      async (_name, character) => {
        expect((await open({ state: character.repeat(180) })).status).toBe(200);
        expect(
          expectRedirect(await open({ state: character.repeat(181) }), 'invalid_request').get(
            'state',
          ),
        ).toBe(character.repeat(181));
      },
    );

    test('that was not sent, or was empty, does not come back (O11, O12)', async () => {
      for (const state of [undefined, '']) {
        expect((await approve({ state })).location!.searchParams.has('state')).toBe(false);
        expect(
          expectRedirect(await open({ state, scope: 'x' }), 'invalid_scope').has('state'),
        ).toBe(false);
      }
    });
  });

  describe('scope', () => {
    test.each([
      'openid',
      'access_data openid',
      'Access_Data',
      'access_data,control_device',
      '\u00ff',
    ])('%s is invalid_scope (O15, O16)', async (scope) => {
      expectRedirect(await open({ scope }), 'invalid_scope');
    });

    test('that the application may not ask for is invalid_scope (O15)', async () => {
      const reading = await addClient(t.world, { scopes: ['access_data'] });
      const answer = expectRedirect(
        await open({ scope: 'access_data control_device' }, reading),
        'invalid_scope',
      );
      expect(answer.get('error_description')).toBe(
        'the application may not ask for control_device: see its registration',
      );
    });

    test('omitted or empty means all that the application may ask for (O15)', async () => {
      const reading = await addClient(t.world, { scopes: ['access_data'] });
      for (const scope of [undefined, '']) {
        const code = (await approve({ scope }, reading)).location!.searchParams.get('code')!;
        expect((await t.exchange(reading, code)).body.scope).toBe('access_data');
      }
      expect(
        (await t.exchange(client, (await approve()).location!.searchParams.get('code')!)).body
          .scope,
      ).toBe('access_data control_device');
    });

    test.each([
      'control_device%20access_data',
      'control_device+access_data',
      'access_data+access_data%20%20control_device+',
    ])('%s is both (O16)', async (scope) => {
      const query = new URL(authorizeUrl(t.oauth.url, client, { prompt: 'consent' })).search.slice(
        1,
      );
      const page = await visitor.submit(await openQuery(`${query}&scope=${scope}`), 'consent', {
        decision: 'approve',
      });
      expect((await t.exchange(client, page.location!.searchParams.get('code')!)).body.scope).toBe(
        'access_data control_device',
      );
    });
  });

  describe('PKCE', () => {
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    test.each([
      ['plain', { code_challenge: challenge, code_challenge_method: 'plain' }],
      ['no method, which would mean plain', { code_challenge: challenge }],
      ['an unknown method', { code_challenge: challenge, code_challenge_method: 's256' }],
      ['a short challenge', { code_challenge: challenge.slice(1), code_challenge_method: 'S256' }],
      ['a long challenge', { code_challenge: `${challenge}x`, code_challenge_method: 'S256' }],
      [
        'a challenge of other characters',
        { code_challenge: `${challenge.slice(1)}+`, code_challenge_method: 'S256' },
      ],
      ['a method without challenge', { code_challenge_method: 'S256' }],
    ])('%s is invalid_request (O43)', async (_name, change) => {
      expectRedirect(await open(change), 'invalid_request');
    });

    test('an application without it need not send it; one that has to is refused without (O45)', async () => {
      const strict = await addClient(t.world, { challengeRequired: true });
      expectRedirect(await open({}, strict), 'invalid_request');
      expect(
        (await open({ code_challenge: challenge, code_challenge_method: 'S256' }, strict)).status,
      ).toBe(200);
      expect((await open()).status).toBe(200);
    });

    test('the challenge holds for the code that comes of it (O42)', async () => {
      const page = await approve({ code_challenge: challenge, code_challenge_method: 'S256' });
      const code = page.location!.searchParams.get('code')!;
      expect((await t.exchange(client, code)).body.error).toBe('invalid_grant');
      expect(
        (
          await t.exchange(client, code, {
            code_verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
          })
        ).status,
      ).toBe(200);
    });
  });

  test('names the issuer in every answer (O23)', async () => {
    expect((await approve()).location!.searchParams.get('iss')).toBe('http://127.0.0.1:8081');
    expect(expectRedirect(await open({ scope: 'x' }), 'invalid_scope').get('iss')).toBe(
      'http://127.0.0.1:8081',
    );
  });

  test('redirects with 303, after GET and after POST (O21)', async () => {
    expect((await approve()).status).toBe(303);
    expect((await open({ scope: 'x' })).status).toBe(303);
  });

  test('a query that is not UTF-8 gets a page', async () => {
    expectPage(await openQuery('client_id=%ff&redirect_uri=%fe'));
    expectPage(await openQuery('client_id=%00&redirect_uri=%00'));
    expectPage(await openQuery(`client_id=${client.clientId}%00&redirect_uri=x`));
    expectPage(await openQuery(''));
    expectPage(await openQuery('&&&==&%'));
  });

  test('under /oauth/ there is nothing else', async () => {
    const answer = await answerOf(await fetch(`${t.oauth.url}/oauth/authorise`));
    expect(answer.status).toBe(404);
  });
});

describeOauth(
  'without the issuer parameter',
  (t) => {
    test('answers carry none (O23)', async () => {
      const client = await addClient(t.world);
      const page = await createVisitor().open(authorizeUrl(t.oauth.url, client, { scope: 'x' }));
      expect(page.location!.searchParams.has('iss')).toBe(false);
    });
  },
  { oauthIssuerParameter: false },
);
