import { beforeAll, describe, expect, test } from 'vitest';
import {
  responseUri,
  checkRedirectUri,
} from '../../../packages/server/src/identity/oauth/redirect-uri.ts';
import { addClient, addOwner, describeOauth, type TestClient } from '../fixture.ts';
import { authorizeUrl, createVisitor, signIn } from '../visitor.ts';

const REGISTERED = 'https://platform.example/oauth/callback';

// Forms that other servers have let through: each must be refused without a redirect.
const hostile: readonly (readonly [name: string, address: string])[] = [
  ['another host', 'https://evil.example/oauth/callback'],
  ['a longer host', 'https://platform.example.evil.example/oauth/callback'],
  ['a sub-domain', 'https://www.platform.example/oauth/callback'],
  ['upper case in the host', 'https://Platform.example/oauth/callback'],
  ['upper case in the scheme', 'HTTPS://platform.example/oauth/callback'],
  ['upper case in the path', 'https://platform.example/OAuth/callback'],
  ['http', 'http://platform.example/oauth/callback'],
  ['no scheme', '//platform.example/oauth/callback'],
  ['no host', '/oauth/callback'],
  ['a default port', 'https://platform.example:443/oauth/callback'],
  ['another port', 'https://platform.example:8443/oauth/callback'],
  ['a dot after the host', 'https://platform.example./oauth/callback'],
  ['a slash at the end', `${REGISTERED}/`],
  ['two slashes', 'https://platform.example//oauth/callback'],
  ['a deeper path', `${REGISTERED}/evil`],
  ['a longer last segment', `${REGISTERED}2`],
  ['a shorter path', 'https://platform.example/oauth'],
  ['dot segments', 'https://platform.example/oauth/x/../callback'],
  ['dot segments at the end', `${REGISTERED}/../../evil`],
  ['encoded dot segments', `${REGISTERED}/%2e%2e/evil`],
  ['a semicolon and dots', `${REGISTERED}/..;/evil`],
  ['a single dot', 'https://platform.example/./oauth/callback'],
  ['an encoded slash', 'https://platform.example/oauth%2Fcallback'],
  ['an encoded letter', 'https://platform.example/oauth/%63allback'],
  ['an encoding twice', 'https://platform.example/oauth%252Fcallback'],
  ['a backslash', 'https://platform.example\\oauth\\callback'],
  ['a backslash before the host', 'https:\\\\platform.example/oauth/callback'],
  ['a user name', 'https://evil@platform.example/oauth/callback'],
  ['the host as user name', 'https://platform.example@evil.example/oauth/callback'],
  ['several @', 'https://platform.example@a@evil.example/oauth/callback'],
  ['an encoded @', 'https://platform.example%40evil.example/oauth/callback'],
  ['a fragment', `${REGISTERED}#x`],
  ['an empty fragment', `${REGISTERED}#`],
  ['a query', `${REGISTERED}?x=1`],
  ['an empty query', `${REGISTERED}?`],
  ['a code in the query', `${REGISTERED}?code=x`],
  ['CRLF', `${REGISTERED}\r\nSet-Cookie: a=b`],
  ['an encoded CRLF', `${REGISTERED}%0d%0aSet-Cookie:%20a=b`],
  ['NUL', `${REGISTERED}\u0000`],
  ['an encoded NUL', `${REGISTERED}%00`],
  ['a tab', 'https://platform.exam\tple/oauth/callback'],
  ['a blank in front', ` ${REGISTERED}`],
  ['a blank at the end', `${REGISTERED} `],
  ['another alphabet', 'https://plаtform.example/oauth/callback'],
  ['full-width letters', 'https://ｐlatform.example/oauth/callback'],
  ['a wide slash', 'https://platform.example／oauth/callback'],
  ['a wildcard', 'https://*.example/oauth/callback'],
  ['javascript', 'javascript:alert(1)//https://platform.example/oauth/callback'],
  ['data', 'data:text/html,https://platform.example/oauth/callback'],
  ['a file', 'file:///oauth/callback'],
  ['loopback', 'http://127.0.0.1/oauth/callback'],
  ['two addresses', `${REGISTERED},https://evil.example/`],
  ['nothing but a scheme', 'https:'],
  ['eight kilobytes', `${REGISTERED}?${'x'.repeat(8000)}`],
];

describeOauth('redirect_uri', (t) => {
  let client: TestClient;
  beforeAll(async () => {
    client = await addClient(t.world, { redirectUri: REGISTERED });
  });

  test.each(hostile)('with %s is refused without a redirect (O4)', async (_name, redirect_uri) => {
    const page = await createVisitor().open(authorizeUrl(t.oauth.url, client, { redirect_uri }));
    expect(page.status).toBe(400);
    expect(page.location).toBeUndefined();
    expect(page.text).not.toMatch(/(href|action|content)="[^"?]*evil/);
  });

  test('to the letter is taken', async () => {
    expect((await createVisitor().open(authorizeUrl(t.oauth.url, client))).status).toBe(200);
  });

  test('whose own query was not encoded gets a page that says so (O6)', async () => {
    const own = await addClient(t.world, { redirectUri: `${REGISTERED}?tenant=1&region=eu` });
    const query = `client_id=${own.clientId}&response_type=code&state=s`;
    const page = await createVisitor().open(
      `${t.oauth.url}/oauth/authorize?${query}&redirect_uri=${REGISTERED}?tenant=1&region=eu`,
    );
    expect(page.status).toBe(400);
    expect(page.location).toBeUndefined();
    expect(page.text).toContain('looks unencoded');
  });

  test.each([
    [`${REGISTERED}?x=1&y=a%20b`, `${REGISTERED}?x=1&y=a%20b&code=`],
    [`${REGISTERED}?y=a+b%2Fc%C3%A9`, `${REGISTERED}?y=a+b%2Fc%C3%A9&code=`],
    [`${REGISTERED}?`, `${REGISTERED}?code=`],
    [`${REGISTERED}?x&`, `${REGISTERED}?x&code=`],
    [`${REGISTERED}?a=1&a=2`, `${REGISTERED}?a=1&a=2&code=`],
  ])('with a query of its own keeps it as it is: %s (O5)', async (redirectUri, start) => {
    const own = await addClient(t.world, { redirectUri });
    const owner = await addOwner(t.world);
    const visitor = createVisitor();
    const page = await visitor.submit(
      await signIn(visitor, authorizeUrl(t.oauth.url, own), owner.email),
      'consent',
      { decision: 'approve' },
    );
    const location = page.headers.get('location')!;
    expect(location.startsWith(start)).toBe(true);
    for (const name of ['code', 'state', 'iss'])
      expect(location.split(new RegExp(`[?&]${name}=`)).length).toBe(2);
    const code = new URL(location).searchParams.get('code')!;
    expect((await t.exchange(own, code)).status).toBe(200);
  });
});

describe('the redirect URI of a registration', () => {
  test.each([
    'https://platform.example/callback',
    'https://platform.example',
    'https://platform.example:8443/a/b?x=1&y=a%20b',
    'https://xn--pltform-5fg.example/',
    'http://127.0.0.1:3000/callback',
    'http://localhost/callback',
    'http://[::1]:3000/callback',
  ])('may be %s (O7)', (address) => {
    expect(() => checkRedirectUri(address)).not.toThrow();
  });

  test.each([
    ['a fragment', 'https://platform.example/#x'],
    ['http', 'http://platform.example/callback'],
    ['http on a host that looks like loopback', 'http://127.0.0.1.evil.example/'],
    ['a loopback name as user name', 'http://127.0.0.1@evil.example/'],
    ['a user name', 'https://user@platform.example/'],
    ['a user name before loopback', 'http://attacker@127.0.0.1/'],
    ['a wildcard host', 'https://*.platform.example/'],
    ['a wildcard path', 'https://platform.example/*'],
    ['javascript', 'javascript:alert(1)'],
    ['data', 'data:text/html,x'],
    ['a private scheme', 'com.example.app:/callback'],
    ['no host', 'https:///callback'],
    ['one slash', 'https:/platform.example/callback'],
    ['a backslash', 'https:\\\\platform.example/'],
    ['dot segments', 'https://platform.example/a/../b'],
    ['encoded dot segments', 'https://platform.example/a/%2E%2e/b'],
    ['a dot and a semicolon', 'https://platform.example/..;/b'],
    ['a blank', 'https://platform.example/a b'],
    ['a line break', 'https://platform.example/\r\n'],
    ['NUL', 'https://platform.example/\u0000'],
    ['another alphabet', 'https://plаtform.example/'],
    ['a relative address', '/callback'],
    ['nothing', ''],
    ['quotes', 'https://platform.example/"onload="x'],
    ['code in its query', 'https://platform.example/callback?x=1&code=2'],
    ['state in its query, encoded', 'https://platform.example/callback?st%61te'],
    ['iss in its query', 'https://platform.example/callback?iss=x'],
    ['3,000 characters', `https://platform.example/${'x'.repeat(3000)}`],
  ])('may not have %s (O7)', (_name, address) => {
    expect(() => checkRedirectUri(address)).toThrow('redirectUri');
  });

  test.each([
    ['https://platform.example/callback?x=1', /has a query/],
    ['https://platform.example', /no path/],
    ['http://localhost:3000/callback', /http/],
  ])('%s is warned about (O5)', (address, warning) => {
    expect(checkRedirectUri(address)).toEqual([expect.stringMatching(warning)]);
  });

  test('is answered at its end, whatever it ends with', () => {
    expect(responseUri('https://a.example', [['code', 'x']])).toBe('https://a.example?code=x');
    expect(responseUri('https://a.example/?b', [['code', 'x']])).toBe(
      'https://a.example/?b&code=x',
    );
  });
});
