import {
  createBearerClient,
  createOAuth,
  createPkce,
  type OAuth,
  type Tokens,
} from '@helioport/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  getAccountByEmail,
  type Account,
} from '../../packages/server/src/identity/accounts/accounts.ts';
import {
  addClient,
  REDIRECT_URI,
  createRunning,
  type CodeTerms,
  type TestClient,
} from '../oauth/fixture.ts';
import { describeEngines } from '../support/engines.ts';
import { createWorld, settableClock } from '../support/world.ts';
import { startServer, type RunningServer } from './running-server.ts';

describeEngines('the OAuth helper of the SDK', (database) => {
  const clock = settableClock(Date.now());
  const world = createWorld(database, clock);
  let server: RunningServer;
  let owner: Account;
  let application: TestClient;
  let oauth: OAuth;

  beforeAll(async () => {
    server = await startServer(database(), { HELIOPORT_RATE_LIMIT: 'off' });
    owner = await getAccountByEmail(database().db, server.demo.people[0]!.email);
    application = await addClient(world);
    oauth = createOAuth({ oauthUrl: server.oauthUrl, ...application, redirectUri: REDIRECT_URI });
  });
  afterAll(() => server.stop());

  /** A code as the owner's approval makes it. */
  const code = (terms: CodeTerms = {}): Promise<string> =>
    createRunning({
      clock,
      world,
      database,
      oauth: () => expect.unreachable('the helper speaks to the listener'),
    }).code(application, { owner, ...terms });

  function keep(tokens: Tokens): {
    store: Parameters<typeof createBearerClient>[0]['store'];
    kept: () => Tokens;
  } {
    let kept = tokens;
    return {
      store: { load: async () => kept, save: async (fresh) => void (kept = fresh) },
      kept: () => kept,
    };
  }

  test('makes a request that the authorization endpoint takes', async () => {
    const { challenge } = await createPkce();
    const response = await fetch(
      oauth.authorizeUrl({ state: 'a b&ü', scopes: ['access_data'], codeChallenge: challenge }),
      { redirect: 'manual' },
    );
    // The log-in page, or the way to it: no refusal.
    expect(response.headers.get('location') ?? '').not.toContain('error=');
    expect(response.status).toBeLessThan(400);
  });

  test('gets from a code to plants, and renews what has ended', async () => {
    const { verifier, challenge } = await createPkce();
    const tokens = await oauth.exchange(await code({ challenge }), verifier);
    expect(tokens.scopes).toEqual(['access_data', 'control_device']);
    const { store, kept } = keep({ ...tokens, expiresAt: 0 });
    const client = createBearerClient({ oauthUrl: server.oauthUrl, oauth, store });
    const names: (string | undefined)[] = [];
    for await (const plant of client.all('userStationList')) names.push(plant.stationName);
    expect(names).toHaveLength(4);
    expect(kept().refreshToken).not.toBe(tokens.refreshToken);
  });

  test('renews once when many calls are refused at once', async () => {
    const first = await oauth.exchange(await code());
    const { store, kept } = keep(first);
    // Revoking the access token alone leaves the refresh token alive.
    await oauth.revoke(first.accessToken);
    const client = createBearerClient({ oauthUrl: server.oauthUrl, oauth, store });
    const pages = await Promise.all(
      Array.from({ length: 8 }, () => client.call('userStationList')),
    );
    expect(pages.every(({ page }) => page.total === 4)).toBe(true);
    expect(kept().refreshToken).not.toBe(first.refreshToken);
  });

  test('gets the same pair again when the answer to a refresh was lost', async () => {
    const first = await oauth.exchange(await code());
    let lost = 0;
    const losing: typeof fetch = async (...request) => {
      const response = await fetch(...request);
      if (lost++ > 0) return response;
      await response.text();
      throw new TypeError('the line broke');
    };
    const unlucky = createOAuth({
      oauthUrl: server.oauthUrl,
      ...application,
      redirectUri: REDIRECT_URI,
      fetch: losing,
      pause: async () => {},
    });
    const second = await unlucky.refresh(first.refreshToken);
    expect(lost).toBe(2);
    const client = createBearerClient({
      oauthUrl: server.oauthUrl,
      oauth,
      store: keep(second).store,
    });
    expect(await client.call('userStationList')).toMatchObject({ page: { total: 4 } });
  });

  test('learns when the permission has ended', async () => {
    const tokens = await oauth.exchange(await code());
    await oauth.revoke(tokens.refreshToken);
    const client = createBearerClient({
      oauthUrl: server.oauthUrl,
      oauth,
      store: keep(tokens).store,
    });
    await expect(client.call('userStationList')).rejects.toMatchObject({ status: 401 });
    await expect(oauth.exchange('no-such-code')).rejects.toMatchObject({
      status: 400,
      code: 'invalid_grant',
    });
  });
});
