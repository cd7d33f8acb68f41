import { describe, expect, test } from 'vitest';
import { addClient, answerOf, describeOauth, formOf } from './fixture.ts';
import { authorizeUrl } from './visitor.ts';

const PATHS = [
  '/oauth/authorize',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/.well-known/oauth-authorization-server',
];

describeOauth(
  'behind TLS',
  (t) => {
    const ask = async (path: string, headers: Record<string, string>) =>
      answerOf(
        await fetch(t.oauth.url + path, {
          method: path.includes('authorize') || path.includes('.well-known') ? 'GET' : 'POST',
          headers,
          redirect: 'manual',
        }),
      );

    test.each(PATHS)('%s answers nothing over plain http, and says why (O75)', async (path) => {
      const answer = await ask(path, {});
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('https');
    });

    test('what a trusted proxy says of the scheme counts, and answers carry HSTS (O75)', async () => {
      const client = await addClient(t.world);
      const code = await t.code(client);
      const headers = {
        Authorization: client.basic,
        'Content-Type': 'application/x-www-form-urlencoded',
        'X-Forwarded-Proto': 'https',
      };
      const body = formOf({
        grant_type: 'authorization_code',
        code,
        redirect_uri: client.application.redirectUri,
      });
      const answer = await answerOf(
        await fetch(`${t.oauth.url}/oauth/token`, { method: 'POST', headers, body }),
      );
      expect(answer.status).toBe(200);
      expect(answer.headers.get('strict-transport-security')).toMatch(/^max-age=\d{7,}/);
    });

    test('cookies are Secure and bound to the host (O22)', async () => {
      const client = await addClient(t.world);
      const response = await fetch(authorizeUrl(t.oauth.url, client), {
        headers: { 'X-Forwarded-Proto': 'https' },
      });
      expect(response.headers.getSetCookie()).toEqual([
        expect.stringMatching(
          /^__Host-helioport_oauth_session=[A-Za-z0-9]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
        ),
      ]);
    });

    test('health can be asked over plain http', async () => {
      expect((await fetch(`${t.oauth.url}/healthz`)).status).toBe(200);
    });
  },
  { oauthUrl: 'https://oauth.example', trustedProxies: ['127.0.0.1'] },
);

describeOauth(
  'behind TLS with a proxy that is not listed',
  (t) => {
    test('nobody’s word about the scheme counts (O75)', async () => {
      const response = await fetch(`${t.oauth.url}/oauth/authorize`, {
        headers: { 'X-Forwarded-Proto': 'https', Forwarded: 'proto=https' },
      });
      expect(response.status).toBe(400);
    });
  },
  { oauthUrl: 'https://oauth.example', trustedProxies: ['10.0.0.0/8'] },
);

describeOauth('without TLS', (t) => {
  describe('no page of another origin', () => {
    test.each(['/oauth/token', '/oauth/revoke', '/oauth/introspect'])(
      'can read %s (O75)',
      async (path) => {
        const client = await addClient(t.world);
        const headers = {
          Origin: 'https://evil.example',
          Authorization: client.basic,
          'Content-Type': 'application/x-www-form-urlencoded',
        };
        const response = await fetch(t.oauth.url + path, {
          method: 'POST',
          headers,
          body: 'token=x',
        });
        expect(
          [...response.headers.keys()].filter((name) => name.startsWith('access-control')),
        ).toEqual([]);
      },
    );
  });

  test('there is no HSTS', async () => {
    const response = await fetch(`${t.oauth.url}/.well-known/oauth-authorization-server`);
    expect(response.headers.has('strict-transport-security')).toBe(false);
  });
});
