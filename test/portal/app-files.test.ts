import type { PortalSession } from '@helioport/contract';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pageToken } from '../../packages/server/src/interfaces/edges/portal/own-pages.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { SESSION_COOKIE, startPortal, visitAs, type TestPortal } from '../support/portal.ts';
import { createWorld, settableClock } from '../support/world.ts';

const clock = settableClock('2026-11-06T05:01:09Z');
const PAGE =
  '<!doctype html><title>Helioport</title><script type="module" src="/assets/app-1a2b.js"></script>';
const SCRIPT = `console.log('${'sun '.repeat(100)}');`;

let database: TestDatabase;
let folder: string;
let portal: TestPortal;

beforeAll(async () => {
  database = await createSqliteDatabase();
  folder = mkdtempSync(join(tmpdir(), 'helioport-app-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'manifest.webmanifest'), '{}');
  writeFileSync(join(folder, 'notes.unknown'), 'not for the world');
  writeFileSync(join(folder, 'assets', 'app-1a2b.js'), SCRIPT);
  writeFileSync(join(folder, 'assets', 'app-1a2b.js.gz'), gzipSync(SCRIPT));
  portal = await startPortal(database, clock, { appFolder: folder });
});
afterAll(async () => {
  await portal.close();
  rmSync(folder, { recursive: true, force: true });
  await database.drop();
});

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(portal.url + path, { headers: { 'Accept-Encoding': 'identity', ...headers } });

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self'; " +
  "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

describe('the app', () => {
  test('lets its pages load pictures from the source of the map’s tiles, and from nowhere else, if the operator names one', async () => {
    const mapped = await startPortal(database, clock, {
      appFolder: folder,
      mapTiles: 'https://tiles.example.org:8443/a/{z}/{x}/{y}.png?key=k',
      mapAttribution: '© Us',
    });
    const policyOf = async (path: string): Promise<string | null> =>
      (await fetch(mapped.url + path)).headers.get('content-security-policy');
    const expected = POLICY.replace(
      "img-src 'self' data:",
      "img-src 'self' data: https://tiles.example.org:8443",
    );
    expect([await policyOf('/'), await policyOf('/assets/app-1a2b.js')]).toEqual([
      expected,
      expected,
    ]);
    await mapped.close();
  });

  test.each([
    '/',
    '/plants/1300386381676644700',
    '/keys?x=1',
    '/index.html',
    '/index.de.html',
    '/no/such/file.js',
    '/..%2f..%2fetc/passwd',
    '/healthz/',
  ])('shows its page at %s, which nobody may frame', async (path) => {
    const response = await get(path);
    expect([response.status, await response.text()]).toEqual([200, PAGE]);
    expect(
      Object.fromEntries(
        ['content-type', 'cache-control', 'content-security-policy', 'x-frame-options'].map(
          (name) => [name, response.headers.get(name)],
        ),
      ),
    ).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'x-frame-options': 'DENY',
    });
    expect(
      [
        'x-content-type-options',
        'referrer-policy',
        'cross-origin-opener-policy',
        'cross-origin-resource-policy',
      ].map((name) => response.headers.get(name)),
    ).toEqual(['nosniff', 'no-referrer', 'same-origin', 'same-origin']);
  });

  test('has files that browsers keep for good, and compressed where the build did so', async () => {
    const plain = await get('/assets/app-1a2b.js');
    expect([
      await plain.text(),
      plain.headers.get('cache-control'),
      plain.headers.get('content-type'),
    ]).toEqual([SCRIPT, 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8']);
    const packed = await get('/assets/app-1a2b.js', { 'Accept-Encoding': 'gzip, br' });
    expect([
      packed.headers.get('content-encoding'),
      packed.headers.get('vary'),
      await packed.text(),
    ]).toEqual(['gzip', 'Accept-Encoding', SCRIPT]);
    const again = await get('/assets/app-1a2b.js', { 'If-None-Match': plain.headers.get('etag')! });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/manifest.webmanifest')).headers.get('content-type')).toBe(
      'application/manifest+json; charset=utf-8',
    );
  });

  test('has no page where a file is missing, nor for other methods, nor files of unknown kinds', async () => {
    expect((await get('/assets/app-0000.js')).status).toBe(404);
    expect(await (await get('/notes.unknown')).text()).toBe(PAGE);
    expect((await fetch(`${portal.url}/plants`, { method: 'POST' })).status).toBe(404);
    expect((await get('/portal/nothing')).status).toBe(404);
    expect([(await get('/healthz')).status, (await get('/readyz')).status]).toEqual([200, 200]);
  });

  test('gets a nonce for its styles where its page asks for one, another each time', async () => {
    const other = mkdtempSync(join(tmpdir(), 'helioport-app-'));
    writeFileSync(
      join(other, 'index.html'),
      '<meta property="csp-nonce" nonce="NONCE-OF-THIS-PAGE">',
    );
    const nonced = await startPortal(database, clock, { appFolder: other });
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const response = await fetch(nonced.url);
        const [, nonce] = /nonce="([^"]+)"/.exec(await response.text())!;
        expect(response.headers.get('content-security-policy')).toContain(
          `style-src 'self' 'nonce-${nonce}'`,
        );
        expect(response.headers.get('cache-control')).toBe('no-store');
        return nonce;
      }),
    );
    expect(nonces[0]).not.toBe(nonces[1]);
    await nonced.close();
    rmSync(other, { recursive: true });
  });

  describe('knows for whom its page is', () => {
    const SLOT =
      '<meta property="csp-nonce" nonce="NONCE-OF-THIS-PAGE"><script type="application/json">"SESSION-OF-THIS-PAGE"</script>';
    const typed = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none' };
    const world = createWorld(() => database, clock);
    let own: string;
    let server: TestPortal;

    beforeAll(async () => {
      own = mkdtempSync(join(tmpdir(), 'helioport-app-'));
      writeFileSync(join(own, 'index.html'), `plain ${SLOT}`);
      for (const language of ['en', 'de', 'zh'])
        writeFileSync(join(own, `index.${language}.html`), `${language} ${SLOT}`);
      server = await startPortal(database, clock, { appFolder: own });
    });
    afterAll(async () => {
      await server.close();
      rmSync(own, { recursive: true });
    });

    const open = async (headers: Record<string, string>, url = server.url) => {
      const response = await fetch(url, { headers });
      const text = await response.text();
      const [, json] = /<script type="application\/json">([^<]*)<\/script>$/.exec(text)!;
      return {
        language: text.split(' ')[0],
        session: JSON.parse(json!) as PortalSession | null,
        cookie: response.headers.get('set-cookie'),
      };
    };

    test('who is logged in, in the language of the account, whatever its name is', async () => {
      const { id } = await world.person();
      await database.db
        .updateTable('account')
        .set({ language: 'zh', name: '</script><script>alert(1)</script>' })
        .where('id', '=', id)
        .execute();
      const { visitor } = await visitAs(world, server.url, id);
      const cookie = { Cookie: `${SESSION_COOKIE}=${visitor.cookies.get(SESSION_COOKIE)}` };
      const {
        language,
        session,
        cookie: set,
      } = await open({
        ...cookie,
        'Accept-Language': 'de',
        'Sec-Fetch-Site': 'cross-site',
        'Sec-Fetch-Dest': 'document',
      });
      expect([language, set]).toEqual(['zh', null]);
      expect(session).toEqual(await visitor.session());
      expect(session!.account).toMatchObject({ id, name: '</script><script>alert(1)</script>' });
    });

    test('a stranger who typed its address gets a token to log in with, and the language of the browser', async () => {
      const { language, session, cookie } = await open({
        ...typed,
        'Accept-Language': 'fr-FR,de-AT;q=0.8,en;q=0.5',
      });
      expect([language, session!.account]).toEqual(['de', null]);
      const [, id] = new RegExp(`^${SESSION_COOKIE}=([^;]+)`).exec(cookie!)!;
      expect(session!.csrf).toBe(pageToken(id!));
      expect((await open({ ...typed, 'Accept-Language': 'fr' })).language).toBe('en');
      expect(
        (await open({ ...typed, 'Accept-Language': 'en;q=0.3, zh;q=0, de;q=0.9' })).language,
      ).toBe('de');
      expect((await open({ ...typed, 'Accept-Language': 'es' })).language).toBe('plain');
    });

    test.each([
      [
        'a link on another site, which comes without the cookie',
        { ...typed, 'Sec-Fetch-Site': 'cross-site' },
      ],
      ['what is no page of a window', { ...typed, 'Sec-Fetch-Dest': 'empty' }],
      ['a browser that does not say', {}],
    ])('%s says nothing, and keeps the cookie as it is', async (_what, headers) => {
      expect(await open(headers)).toMatchObject({ session: null, cookie: null });
    });

    test('while the database is away, it is sent as it is', async () => {
      const away = await createSqliteDatabase();
      const { visitor } = await visitAs(
        createWorld(() => away, clock),
        server.url,
        (await createWorld(() => away, clock).person()).id,
      );
      const lost = await startPortal(away, clock, { appFolder: own });
      await away.drop();
      expect(
        await open(
          { Cookie: `${SESSION_COOKIE}=${visitor.cookies.get(SESSION_COOKIE)}` },
          lost.url,
        ),
      ).toMatchObject({ session: null, cookie: null });
      await lost.close();
    });
  });

  test('that was not built yet is a page that says how to build it, until it was', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'helioport-app-'));
    const early = await startPortal(database, clock, { appFolder: empty });
    const response = await fetch(`${early.url}/plants/7`, { headers: { Accept: 'text/html' } });
    expect([response.status, await response.text()]).toEqual([
      200,
      expect.stringContaining('Build it with: npm run build'),
    ]);
    expect(response.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^;]+; .*frame-ancestors 'none'$/,
    );
    writeFileSync(join(empty, 'index.html'), PAGE);
    expect(await (await fetch(early.url)).text()).toBe(PAGE);
    await early.close();
    rmSync(empty, { recursive: true });
  });

  test('is served over TLS alone where its address says so', async () => {
    const secure = await startPortal(database, clock, {
      appFolder: folder,
      portalUrl: 'https://portal.solar.example',
      trustedProxies: ['127.0.0.1/32'],
    });
    for (const path of ['/', '/portal/session']) {
      expect([path, (await fetch(secure.url + path)).status]).toEqual([path, 400]);
      const proxied = await fetch(secure.url + path, { headers: { 'X-Forwarded-Proto': 'https' } });
      expect([path, proxied.status, proxied.headers.get('strict-transport-security')]).toEqual([
        path,
        200,
        'max-age=31536000',
      ]);
      if (path === '/portal/session')
        expect(proxied.headers.get('set-cookie')).toMatch(
          /^__Host-helioport_portal_session=.*; SameSite=Strict; Max-Age=2592000; Secure$/,
        );
    }
    await secure.close();
  });
});
