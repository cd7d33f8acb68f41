import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PortalSession } from '@helioport/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addOwner, PASSWORD } from '../../oauth/fixture.ts';
import { createFleet } from '../../operations/fleet.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { createPortalVisitor, startPortal, type StartPortalOptions } from '../../support/portal.ts';
import { settableClock } from '../../support/world.ts';

const clock = settableClock('2026-11-06T05:01:09Z');
const TOLD =
  '<script id="session">"SESSION-OF-THIS-PAGE"</script><script id="refusal">"REFUSAL-OF-THIS-PAGE"</script>';
const PARTS = ['demo', 'mail', 'signUp', 'askForAccount', 'askForPassword', 'askForBoth'].map(
  (name) => `<!--if ${name}--><b>${name}</b><!--/if-->`,
);
const WINDOW = { 'Sec-Fetch-Dest': 'document', 'Sec-Fetch-Site': 'none', 'Accept-Language': 'en' };

let database: TestDatabase;
let appFolder: string;
const fleet = createFleet(() => database, clock);

beforeAll(async () => {
  database = await createSqliteDatabase();
  appFolder = mkdtempSync(join(tmpdir(), 'helioport-app-'));
  writeFileSync(join(appFolder, 'index.html'), `<meta nonce="NONCE-OF-THIS-PAGE">${TOLD}app`);
  writeFileSync(
    join(appFolder, 'sign-in.en.html'),
    `${TOLD}<form><input value="TOKEN-OF-THIS-PAGE">${PARTS.join('')}</form>`,
  );
});
afterAll(async () => {
  await database.drop();
  rmSync(appFolder, { recursive: true });
});

/** A browser that has opened a page of the portal, and posts its form. */
async function begin(options: StartPortalOptions = {}) {
  const portal = await startPortal(database, clock, { appFolder, ...options });
  onTestFinished(portal.close);
  const visitor = createPortalVisitor(portal.url);
  const page = async (path = '/', headers = WINDOW): Promise<string> =>
    (await visitor.get(path, headers)).text();
  const send = async (
    fields: Record<string, string>,
    path = '/',
    headers: Record<string, string> = {},
  ) => {
    const cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
    const own = {
      Cookie: cookie,
      'Content-Type': 'application/x-www-form-urlencoded',
      'Sec-Fetch-Site': 'same-origin',
      ...headers,
    };
    const response = await fetch(portal.url + path, {
      method: 'POST',
      body: new URLSearchParams(fields).toString(),
      headers: own,
      redirect: 'manual',
    });
    for (const line of response.headers.getSetCookie())
      visitor.cookies.set(...(line.split(';')[0]!.split('=') as [string, string]));
    return {
      status: response.status,
      location: response.headers.get('location'),
      text: await response.text(),
    };
  };
  const tokenOf = (text: string): string => /<input value="([^"]+)">/.exec(text)![1]!;
  const refusalOf = (text: string): unknown => JSON.parse(/id="refusal">([^<]*)</.exec(text)![1]!);
  return { visitor, page, send, tokenOf, refusalOf };
}

test('whoever has to sign in gets the page with the form, with the parts that are true here', async () => {
  const partsOf = (text: string): string[] =>
    [...text.matchAll(/<b>(\w+)<\/b>/g)].map(([, name]) => name!);
  const { page, tokenOf } = await begin();
  const text = await page('/plants/7');
  expect(tokenOf(text)).toBe(
    (JSON.parse(/id="session">([^<]*)</.exec(text)![1]!) as PortalSession).csrf,
  );
  expect(partsOf(text)).toEqual(['askForBoth']);
  const open = await begin({
    signUp: true,
    smtpUrl: 'smtp://localhost',
    demoOwner: 'maria@example.com',
  });
  expect(partsOf(await open.page())).toEqual(['demo', 'mail', 'signUp']);
  expect(partsOf(await (await begin({ signUp: true })).page())).toEqual([
    'signUp',
    'askForPassword',
  ]);
  expect(partsOf(await (await begin({ smtpUrl: 'smtp://localhost' })).page())).toEqual([
    'mail',
    'askForAccount',
  ]);
});

test('pages that are open to all are the app’s, and so is what the service worker keeps', async () => {
  const { page } = await begin();
  for (const path of ['/debugger', '/sign-up', '/reset?x=1'])
    expect([path, await page(path)]).toEqual([path, expect.stringMatching(/app$/)]);
  expect(await page('/', { ...WINDOW, 'Sec-Fetch-Dest': 'empty' })).toMatch(/app$/);
});

test('the form signs in and leads back to its page, which is then the app’s', async () => {
  const owner = await addOwner(fleet, 'form@example.com');
  const { page, send, tokenOf, visitor } = await begin();
  const token = tokenOf(await page('/plants/7?day=2026-11-01'));
  const before = visitor.cookies.get('helioport_portal_session');
  expect(
    await send({ token, email: owner.email, password: PASSWORD }, '/plants/7?day=2026-11-01'),
  ).toMatchObject({
    status: 303,
    location: '/plants/7?day=2026-11-01',
  });
  expect(visitor.cookies.get('helioport_portal_session')).not.toBe(before);
  expect((await visitor.session()).account?.email).toBe(owner.email);
  expect(await page('/plants/7')).toMatch(/app$/);
});

test('an address that would lead elsewhere leads to the overview', async () => {
  const owner = await addOwner(fleet, 'elsewhere@example.com');
  for (const path of ['//evil.example/', String.raw`/\evil.example/`]) {
    const { page, send, tokenOf } = await begin();
    const token = tokenOf(await page());
    const { status, location } = await send(
      { token, email: owner.email, password: PASSWORD },
      path,
    );
    expect([
      path,
      status,
      location === null ? '/' : new URL(location, 'http://portal.example').host,
    ]).toEqual([path, 303, 'portal.example']);
  }
});

test('a wrong password is answered with the app’s page, which says so and keeps the address', async () => {
  const { page, send, tokenOf, refusalOf, visitor } = await begin();
  const email = '"SESSION-OF-THIS-PAGE"</script>@example.com';
  const { status, text } = await send({ token: tokenOf(await page()), email, password: 'wrong' });
  expect([status, text]).toEqual([200, expect.stringMatching(/app$/)]);
  expect(refusalOf(text)).toMatchObject({ email, code: 'I0012' });
  expect((await visitor.session()).account).toBeNull();
});

test('in the demo, its button is enough', async () => {
  const owner = await addOwner(fleet, 'demo@example.com');
  const { page, send, tokenOf, visitor } = await begin({ demoOwner: owner.email });
  expect(
    await send({ token: tokenOf(await page()), demo: '1', email: '', password: '' }),
  ).toMatchObject({ status: 303 });
  expect((await visitor.session()).account?.email).toBe(owner.email);
});

test('nobody is signed in by another site’s page, nor without the token of this browser', async () => {
  const owner = await addOwner(fleet, 'foreign@example.com');
  const { page, send, tokenOf, visitor } = await begin();
  const fields = { token: tokenOf(await page()), email: owner.email, password: PASSWORD };
  const other = await begin();
  const foreign = { ...fields, token: other.tokenOf(await other.page()) };
  expect(await send(fields, '/', { 'Sec-Fetch-Site': 'cross-site' })).toMatchObject({
    status: 403,
  });
  expect(await send(fields, '/', { Origin: 'https://evil.example' })).toMatchObject({
    status: 403,
  });
  expect(await send(foreign)).toMatchObject({ status: 403 });
  expect(await send({ ...fields, token: '' })).toMatchObject({ status: 403 });
  expect(await send(fields, '/', { 'Content-Type': 'application/json' })).toMatchObject({
    status: 404,
  });
  expect((await visitor.session()).account).toBeNull();
});
