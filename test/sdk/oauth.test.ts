import { createHash } from 'node:crypto';
import {
  createBearerClient,
  createOAuth,
  createPkce,
  type HelioportError,
  type OAuth,
  type Tokens,
  type TokenStore,
} from '@helioport/sdk';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refusal, startApiDouble, success, type ApiDouble } from './api-double.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const REDIRECT_URI = 'https://app.example/callback?tenant=7';

let api: ApiDouble;
let oauth: OAuth;
let pauses: number[];
const pause = async (ms: number): Promise<void> => void pauses.push(ms);
const pair = (n: number) => ({
  access_token: `access${n}`,
  token_type: 'bearer',
  refresh_token: `refresh${n}`,
  expires_in: 86400,
  scope: 'access_data control_device',
});
const tokens = (n: number, expiresAt = NOW + 86_400_000): Tokens => ({
  accessToken: `access${n}`,
  refreshToken: `refresh${n}`,
  expiresAt,
  scopes: ['access_data', 'control_device'],
});
const rejection = (promise: Promise<unknown>): Promise<HelioportError> =>
  promise.then(
    () => expect.unreachable('should be refused'),
    (error: unknown) => error as HelioportError,
  );

beforeEach(async () => {
  api = await startApiDouble();
  pauses = [];
  oauth = createOAuth({
    oauthUrl: `${api.url}/`,
    clientId: 'client7',
    clientSecret: 'secret7',
    redirectUri: REDIRECT_URI,
    clock: { now: () => NOW },
    pause,
  });
});
afterEach(() => api.close());

describe('the authorization request', () => {
  test('has every parameter, encoded as the specification says', async () => {
    const { verifier, challenge } = await createPkce();
    const url = oauth.authorizeUrl({
      state: 'a b&c',
      scopes: ['access_data', 'control_device'],
      codeChallenge: challenge,
    });
    expect(url).toContain('scope=access_data%20control_device');
    expect(url).toContain(`redirect_uri=${encodeURIComponent(REDIRECT_URI)}`);
    expect(Object.fromEntries(new URL(url).searchParams)).toEqual({
      client_id: 'client7',
      response_type: 'code',
      redirect_uri: REDIRECT_URI,
      state: 'a b&c',
      scope: 'access_data control_device',
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    expect(new URL(oauth.authorizeUrl({ state: 's' })).searchParams.has('scope')).toBe(false);
  });
});

describe('the authorization response', () => {
  const response = (query: Record<string, string>): string =>
    `${REDIRECT_URI}&${new URLSearchParams(query).toString()}`;

  test('gives its code when it answers this very request', () => {
    expect(oauth.codeOf(response({ code: 'c1', state: 's1', iss: api.url }), 's1')).toBe('c1');
    expect(oauth.codeOf('/callback?code=c1&state=s1', 's1')).toBe('c1');
  });

  test.each([
    ['another state', { code: 'c1', state: 'other' }, 'state_mismatch'],
    ['no state', { code: 'c1' }, 'state_mismatch'],
    ['another issuer', { code: 'c1', state: 's1', iss: 'https://evil.example' }, 'issuer_mismatch'],
    ['a denial', { error: 'access_denied', state: 's1' }, 'access_denied'],
    ['no code', { state: 's1' }, 'invalid_callback'],
  ])('is refused with %s', (_, query, code) => {
    expect(() => oauth.codeOf(response(query as Record<string, string>), 's1')).toThrow(
      expect.objectContaining({ code }) as Error,
    );
  });
});

describe('a token request', () => {
  test('sends the form with the credentials in the Basic header alone', async () => {
    api.answers.push(() => ({ body: pair(1) }));
    expect(await oauth.exchange('c1', 'verifier')).toEqual(tokens(1));
    expect(api.calls[0]).toMatchObject({
      path: '/oauth/token',
      headers: {
        authorization: `Basic ${btoa('client7:secret7')}`,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: {
        grant_type: 'authorization_code',
        code: 'c1',
        redirect_uri: REDIRECT_URI,
        code_verifier: 'verifier',
      },
    });
  });

  test.each(['cut' as const, { status: 503, body: { error: 'temporarily_unavailable' } }])(
    'is repeated under the same Idempotency-Key when its answer is lost (%j)',
    async (lost) => {
      api.answers.push(
        () => lost,
        () => ({ body: pair(2) }),
      );
      expect(await oauth.refresh('refresh1')).toEqual(tokens(2));
      const keys = api.calls.map(({ headers }) => headers['idempotency-key']);
      expect(keys).toEqual([keys[0], keys[0]]);
      expect(keys[0]).toMatch(/^[!-~]{16,64}$/);
      expect(api.calls.map(({ body }) => body)).toEqual(
        Array.from({ length: 2 }, () => ({
          grant_type: 'refresh_token',
          refresh_token: 'refresh1',
        })),
      );
    },
  );

  test('that is refused is not repeated and says why in the words of RFC 6749', async () => {
    api.answers.push(() => ({
      status: 400,
      body: { error: 'invalid_grant', error_description: 'the code was used before' },
    }));
    expect(await rejection(oauth.exchange('c1'))).toMatchObject({
      status: 400,
      code: 'invalid_grant',
      message: expect.stringContaining('used before'),
    });
    expect(api.calls).toHaveLength(1);
  });

  test('gives up when no answer ever comes', async () => {
    api.answers.push(...Array.from({ length: 9 }, () => () => 'cut' as const));
    expect((await rejection(oauth.refresh('r'))).code).toBe('network');
    expect(pauses).toEqual([250, 1000, 4000]);
  });

  test('ends a token', async () => {
    api.answers.push(() => ({ body: {} }));
    await oauth.revoke('refresh1');
    expect(api.calls[0]).toMatchObject({ path: '/oauth/revoke', body: { token: 'refresh1' } });
  });
});

describe('a client with an owner’s permission', () => {
  let stored: Tokens;
  const store: TokenStore = {
    load: async () => stored,
    save: async (fresh) => void (stored = fresh),
  };
  const client = () =>
    createBearerClient({ oauthUrl: api.url, oauth, store, clock: { now: () => NOW }, pause });
  const answer = (call: ApiDouble['calls'][0]) => {
    if (call.path === '/oauth/token') return { body: pair(2) };
    const good = call.headers.authorization === 'Bearer access2';
    return good
      ? { body: success({ sn: 'A' }) }
      : { status: 401, body: refusal('401', 'token expired') };
  };
  const refreshes = (): number => api.calls.filter(({ path }) => path === '/oauth/token').length;

  beforeEach(() => void (stored = tokens(1)));

  test('calls the path of the scope with the token', async () => {
    api.answers.push(() => ({ body: success({ sn: 'A' }) }));
    expect(await client().call('inverterDetail', { sn: 'A' })).toEqual({ sn: 'A' });
    expect(api.calls[0]).toMatchObject({
      path: '/api/access_data/inverterDetail',
      headers: { authorization: 'Bearer access1' },
    });
  });

  test('renews the pair when the server refuses it, keeps the new one and repeats the call', async () => {
    api.answers.push(answer, answer, answer);
    expect(await client().call('inverterDetail')).toEqual({ sn: 'A' });
    expect(stored).toEqual(tokens(2));
  });

  test('renews once, however many calls find the token ended', async () => {
    api.answers.push(...Array.from({ length: 40 }, () => answer));
    const shared = client();
    const results = await Promise.all(
      Array.from({ length: 12 }, () => shared.call('inverterDetail')),
    );
    expect(results).toEqual(Array.from({ length: 12 }, () => ({ sn: 'A' })));
    expect(refreshes()).toBe(1);
  });

  test('renews a pair that is about to end before it is refused', async () => {
    stored = tokens(1, NOW + 30_000);
    api.answers.push(answer, answer);
    await client().call('inverterDetail');
    expect(api.calls.map(({ path }) => path)).toEqual([
      '/oauth/token',
      '/api/access_data/inverterDetail',
    ]);
  });

  test('takes the pair that another process of the application has renewed meanwhile', async () => {
    api.answers.push(() => {
      stored = tokens(2);
      return { status: 401, body: refusal('401', 'token expired') };
    }, answer);
    expect(await client().call('inverterDetail')).toEqual({ sn: 'A' });
    expect(refreshes()).toBe(0);
  });

  test('takes the winner’s pair when another process was faster at renewing', async () => {
    stored = tokens(1, NOW);
    api.answers.push(() => {
      stored = tokens(2);
      return { status: 400, body: { error: 'invalid_grant' } };
    }, answer);
    expect(await client().call('inverterDetail')).toEqual({ sn: 'A' });
  });

  test('says that it was refused when the owner has ended the permission', async () => {
    api.answers.push(
      () => ({ status: 401, body: refusal('401', 'revoked') }),
      () => ({ status: 400, body: { error: 'invalid_grant' } }),
    );
    expect(await rejection(client().call('inverterDetail'))).toMatchObject({ status: 401 });
    expect(api.calls).toHaveLength(2);
  });

  test('does not renew twice for one call', async () => {
    api.answers.push(
      () => ({ status: 401, body: refusal('401', 'no') }),
      answer,
      () => ({ status: 401, body: refusal('401', 'no') }),
    );
    expect((await rejection(client().call('inverterDetail'))).status).toBe(401);
    expect(api.calls).toHaveLength(3);
  });
});
