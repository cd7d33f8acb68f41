import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInstallation, type Installation } from '../support/command.ts';
import {
  complaintsOf,
  findChromium,
  sharedChromium,
  openWindow,
  picture,
  seriousBarriers,
} from '../support/browser.ts';
import { serve, type ServerProcess } from '../support/server-process.ts';

const listeners = ['user-api', 'oauth', 'gateway', 'ops'] as const;
const PORTAL = 'https://solar.example';
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let home: Installation;
let server: ServerProcess;
let addresses: Record<string, string>;

beforeAll(async () => {
  home = createInstallation();
  server = serve(home.folder, {
    HELIOPORT_OAUTH_URL: 'https://login.solar.example/cloud',
    HELIOPORT_USER_API_URL: 'https://api.solar.example',
    HELIOPORT_PORTAL_URL: PORTAL,
  });
  addresses = await server.started;
});
afterAll(async () => {
  server.kill('SIGKILL');
  await server.ended;
  home.remove();
});

const front = (name: string, accept: string): Promise<Response> =>
  fetch(`${addresses[name]}/`, { headers: { Accept: accept } });

test.each(listeners)(
  '/ of %s is a page for browsers that says what it is, without a script and under a strict policy',
  async (name) => {
    const response = await front(name, BROWSER);
    const page = await response.text();
    expect([
      response.status,
      response.headers.get('content-type'),
      response.headers.get('vary'),
    ]).toEqual([200, 'text/html; charset=utf-8', 'Accept']);
    expect(page).toMatch(/<h1>Helioport, [\w -]+<\/h1>/);
    const [, style] = /<style>([\s\S]*)<\/style>/.exec(page)!;
    const digest = createHash('sha256').update(style!).digest('base64');
    expect(response.headers.get('content-security-policy')).toBe(
      `default-src 'none'; style-src 'sha256-${digest}'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    expect([
      response.headers.get('x-content-type-options'),
      response.headers.get('referrer-policy'),
    ]).toEqual(['nosniff', 'no-referrer']);
    expect(page).not.toMatch(/<script|\sstyle="|\son\w+=/);
  },
);

test.each(listeners)(
  '/ of %s says the same to programs as JSON, and takes nothing',
  async (name) => {
    for (const accept of ['application/json', '*/*']) {
      const response = await front(name, accept);
      expect([response.status, response.headers.get('content-type')]).toEqual([
        200,
        'application/json;charset=UTF-8',
      ]);
      const { title, links } = (await response.json()) as {
        title: string;
        links: { href: string }[];
      };
      const page = await (await front(name, BROWSER)).text();
      expect(page).toContain(`<h1>${title}</h1>`);
      expect(links.length).toBeGreaterThan(1);
      for (const { href } of links) expect(page).toContain(`href="${href}"`);
    }
    expect((await fetch(`${addresses[name]}/`, { method: 'POST' })).status).toBe(
      name === 'ops' ? 405 : 404,
    );
  },
);

test('every listener leads to the references, at their public addresses where they are another’s, and to the portal', async () => {
  const links = async (name: string): Promise<string[]> => {
    const { links: all } = (await (await front(name, 'application/json')).json()) as {
      links: { href: string }[];
    };
    return all.map(({ href }) => href);
  };
  const [portal, user, oauth] = [
    PORTAL,
    'https://api.solar.example/reference',
    'https://login.solar.example/cloud/reference',
  ];
  expect(
    Object.fromEntries(
      await Promise.all(listeners.map(async (name) => [name, await links(name)] as const)),
    ),
  ).toEqual({
    'user-api': ['reference', 'openapi.json', portal, oauth],
    oauth: ['reference', 'openapi.json', portal, user],
    gateway: [portal, user, oauth],
    ops: ['healthz', 'readyz', 'metrics', portal, user, oauth],
  });
  for (const name of listeners)
    for (const href of (await links(name)).filter((one) => !one.startsWith('https:')))
      expect((await fetch(`${addresses[name]}/${href}`)).status).toBe(200);
});

test('a process that serves one interface names no other', async () => {
  const other = createInstallation();
  const alone = serve(other.folder, { HELIOPORT_ROLES: 'gateway' });
  const { gateway } = await alone.started;
  expect(((await (await fetch(`${gateway}/`)).json()) as { links: unknown[] }).links).toEqual([]);
  alone.kill('SIGKILL');
  await alone.ended;
  other.remove();
});

test.skipIf(!findChromium())('the page fits a phone and a desk, and keeps nobody out', async () => {
  const browser = await sharedChromium();
  for (const [width, colorScheme] of [
    [360, 'light'],
    [360, 'dark'],
    [1280, 'light'],
  ] as const) {
    const page = await openWindow(browser, { viewport: { width, height: 640 }, colorScheme });
    const complaints = complaintsOf(page);
    await page.goto(`${addresses['gateway']}/`);
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
    expect([complaints, await seriousBarriers(page)]).toEqual([[], []]);
    await picture(page, `front-${width}-${colorScheme}`);
  }
});
