import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSources } from '../../../lint/sources.ts';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { addClient, PASSWORD } from '../../oauth/fixture.ts';
import { addApp } from '../../accounts/factors/fixture.ts';
import { findChromium } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, SOON, type PortalScene } from '../pages/fixture.ts';

const SOURCES = readSources('packages/portal/src/**/*.tsx');
const SCREENS = SOURCES.get('packages/portal/src/app/screens.tsx')!;
/** Every address of the portal, as its list of screens has it. */
const PATHS = [...SCREENS.matchAll(/(?:path: |screen\(\s*)'(\/[^']*)'/g)].map(([, path]) => path!);

test('headings and dialogs are made at one place', () => {
  const makers = [...SOURCES].filter(([, text]) => /<h1[\s>]|<Modal[\s>]/.test(text));
  expect(makers.map(([path]) => path.replace('packages/portal/src/', ''))).toEqual([
    'app/shell/last-resort.tsx',
    'focus/dialog.tsx',
    'focus/page-heading.tsx',
  ]);
});

describe.skipIf(!findChromium())('every page of the portal in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let ids: Readonly<Record<string, string>>;
  let accounts: Readonly<Record<'owner' | 'operator' | 'developer', Account>>;

  beforeAll(async () => {
    scene = await openScene(clock, { signUp: true });
    const { fleet } = scene;
    const owner = await scene.owner('maria@example.com');
    const operator = await fleet.person({ email: 'op@example.com', role: 'operator' });
    await addApp(fleet, scene.database().db, operator.id);
    const developer = await fleet.person({ email: 'dora@example.com', role: 'developer' });
    accounts = { owner, operator, developer };
    const id = await fleet.plant(owner.id, { name: 'House' });
    const device = await fleet.device(id, { name: 'Roof' });
    const { clientId } = await addClient(fleet, { name: 'Yield Watch', ownerId: owner.id });
    ids = { id, deviceId: device.id, clientId };
  });
  afterAll(() => scene?.close());

  /** Where somebody is, what the tab says, the heading, and whether it has the focus. */
  const look = (page: Page) =>
    page.evaluate<{ path: string; title: string; heading: string; isFocused: boolean }>(`(() => {
      const heading = document.querySelector('main h1');
      return {
        path: location.pathname,
        title: document.title,
        heading: heading?.textContent ?? '',
        isFocused: heading !== null && document.activeElement === heading,
      };
    })()`);

  test.each(['owner', 'operator'] as const)(
    'has its title and the focus on its heading after navigation: %s',
    async (role) => {
      const { page, complaints } = await scene.visit(accounts[role], '/account', {
        ...desk,
        locale: 'en',
      });
      await page.locator('main h1').waitFor();
      // Nothing is taken from a reader who has just opened the page.
      expect((await look(page)).isFocused).toBe(false);
      const titles = new Map<string, string>();
      const mine = PATHS.filter(
        (path) => path.startsWith('/operator') === (role === 'operator') && path !== '/sign-in',
      );
      // Operators of the service are led back from where they have no page.
      const missing = role === 'owner' ? ['/no/such/page', '/plants/1'] : [];
      for (const pattern of [...mine, ...missing]) {
        const path = pattern.replaceAll(/\$(\w+)/g, (_, name: string) => ids[name]!);
        // The former page stays until the next one is there.
        await page.locator('main h1').evaluate((heading) => (heading.dataset['former'] = ''));
        await page.evaluate(`history.pushState({}, '', ${JSON.stringify(path)})`);
        await page.locator('main h1:not([data-former])').waitFor();
        await expect
          .poll(() => look(page), SOON)
          .toMatchObject({ path, isFocused: true, heading: expect.stringMatching(/\S/) });
        const { title, heading } = await look(page);
        expect(title, path).toContain(heading);
        expect(title, path).toMatch(/ · Helioport$/);
        titles.set(title, `${titles.get(title) ?? ''} ${path}`);
      }
      // No two pages are called alike.
      const alike = [...titles.values()].filter((paths) => paths.trim().includes(' '));
      expect(alike).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  test('what was changed and not saved is asked about before it is left', async () => {
    const { page } = await scene.visit(accounts.owner, '/alarms/settings', {
      ...desk,
      locale: 'en',
    });
    await page.getByLabel('Do not disturb me at certain hours').click({ force: true });
    await page.getByText('Changes are not saved yet.').waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await look(page)).path).toBe('/alarms/settings');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
    await expect.poll(() => look(page), SOON).toMatchObject({ path: '/' });
  });

  test('a developer without plants lands among the applications, which are in the bar', async () => {
    const { page } = await scene.visit(accounts.developer, '/', { ...desk, locale: 'en' });
    await expect.poll(() => look(page), SOON).toMatchObject({ path: '/developer' });
    const bar = page.getByRole('navigation', { name: 'Main' });
    await expect
      .poll(() => bar.locator('[aria-current]').allTextContents(), SOON)
      .toEqual(['Developers']);
    await page
      .getByRole('button', { name: /^Apply/ })
      .first()
      .click();
    // A client that is written from the specification sends no code challenge.
    expect(await page.getByLabel('Refuse requests without PKCE').isChecked()).toBe(false);
  });

  test.each([
    ['owner', ['Overview', 'Alarms', 'Access', 'Settings']],
    ['installer', ['Overview', 'Alarms', 'Installation', 'Access', 'Settings']],
    ['developer', ['Developers', 'Overview', 'Alarms', 'Access', 'Settings']],
  ] as const)(
    'the bar says what people do, and the menu has at most seven ways: %s',
    async (role, entries) => {
      const person = await scene.fleet.person({ role });
      const { page } = await scene.visit(person, '/account', { ...desk, locale: 'en' });
      const bar = page.getByRole('navigation', { name: 'Main' });
      await expect
        .poll(() => bar.getByRole('link').filter({ visible: true }).allTextContents(), SOON)
        .toEqual(entries);
      expect(await bar.locator('[aria-current]:visible').allTextContents()).toEqual(['Settings']);
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
      expect(await page.getByRole('menuitem').count()).toBeLessThanOrEqual(7);
    },
  );

  test('signing in has its title too, and leads to the heading of the page that was asked for', async () => {
    const { page } = await scene.visit(null, '/sign-in', { ...desk, locale: 'en' });
    await page.fill('input[type=email]', accounts.owner.email);
    expect((await look(page)).title).toBe('Sign in · Helioport');
    await page.fill('input[autocomplete=current-password]', PASSWORD);
    await page.keyboard.press('Enter');
    await expect
      .poll(() => look(page), SOON)
      .toMatchObject({ title: 'Overview · Helioport', isFocused: true });
  });
});
