import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { endSessions } from '../../../packages/server/src/identity/accounts/sessions.ts';
import { PASSWORD } from '../../oauth/fixture.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

/** Labels and grounds of buttons by the colours of their variants, where their contrast is below that of WCAG 2.2, 1.4.3. */
const FAINT_LABELS = `(() => {
  const probe = document.body.appendChild(document.createElement('i'));
  probe.style.transition = 'none';
  const paint = (name) => {
    probe.style.color = 'var(--mantine-color-' + name + ')';
    return getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number);
  };
  const light = (name) => {
    const [red, green, blue] = paint(name).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const pairs = ['blue', 'red'].flatMap((color) => [
    [color + '-light-color', color + '-light'],
    [color + '-light-color', color + '-light-hover'],
    ['white', color + '-filled'],
    ['white', color + '-filled-hover'],
  ]);
  pairs.push(['default-color', 'default'], ['default-color', 'default-hover']);
  return pairs.flatMap((pair) => {
    const [low, high] = pair.map(light).sort((one, other) => one - other);
    const contrast = (high + 0.05) / (low + 0.05);
    return contrast < 4.5 ? [pair.join(' on ') + ': ' + contrast.toFixed(2)] : [];
  });
})()`;

describe.skipIf(!findChromium())('the frame of the portal in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owner: Account;

  beforeAll(async () => {
    scene = await openScene(clock, { demoOwner: 'maria@example.com' });
    owner = await scene.owner('maria@example.com');
    for (const name of ['Barn', 'House']) await scene.fleet.plant(owner.id, { name });
    await scene.settle();
  });
  afterAll(() => scene?.close());

  const names = (page: Page): Promise<string[]> => page.locator('tbody th a').allTextContents();
  const logIn = async (page: Page, password = PASSWORD): Promise<void> => {
    await page.fill('input[autocomplete=current-password]', password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  test.each([
    ['phone, light, English', { ...phone, locale: 'en', colorScheme: 'light' }],
    ['desk, dark, German', { ...desk, locale: 'de', colorScheme: 'dark' }],
  ] as const)('signing in: %s', async (name, options) => {
    const { page, complaints } = await scene.visit(null, '/', options);
    await page.waitForSelector('input[type=email]');
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `sign-in ${name}`);
    expect(complaints).toEqual([]);
  });

  test.each(['light', 'dark'] as const)(
    'labels can be read on their buttons, also where the pointer is: %s',
    async (colorScheme) => {
      const { page } = await scene.visit(null, '/', { ...desk, locale: 'en', colorScheme });
      await page.waitForSelector('input[type=email]');
      const faint = await page.evaluate(FAINT_LABELS);
      expect(faint).toEqual([]);
    },
  );

  test.each(['/', '/sign-in'])(
    '%s: the first that is drawn is the form, and nothing in its place',
    async (path) => {
      const { page } = await scene.visit(null, '/healthz');
      // With whatever is drawn first, be it nothing, the document gets its look.
      await page.addInitScript(`let looks = 0;
      new MutationObserver((changes, watch) => {
      // The first one is that of the page, before the app.
      looks += changes.filter((it) => it.attributeName === 'data-mantine-color-scheme').length;
      if (looks < 2) return;
      watch.disconnect();
      window.isWhole = document.querySelector('button[type=submit]') !== null;
    }).observe(document, { childList: true, subtree: true, attributes: true })`);
      await page.goto(scene.portal.url + path);
      await page.waitForSelector('button[type=submit]');
      expect(await page.evaluate('window.isWhole')).toBe(true);
    },
  );

  test('somebody signs in on the page that they asked for, after a wrong password, and signs out', async () => {
    const { page } = await scene.visit(null, '/?sort=name&up=false', { ...desk, locale: 'en' });
    await page.fill('input[type=email]', owner.email);
    await logIn(page, 'wrong');
    await page.getByText('The e-mail or the password is wrong.').waitFor();
    await logIn(page);
    await expect.poll(() => names(page), SOON).toEqual(['House', 'Barn']);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByText('maria@example.com').waitFor();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForSelector('input[type=email]');
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.toContain('Barn');
  });

  test('in the demo, one click is enough', async () => {
    const { page } = await scene.visit(null, '/', { ...phone, locale: 'en' });
    let answer = (): void => {};
    const isAsked = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/portal/demo-log-in', async (route) => {
      await isAsked;
      await route.continue();
    });
    const demo = page.getByRole('button', { name: 'Look around in the demo' });
    await demo.click();
    // Only the button that was pressed is at work.
    await page.locator('button[data-loading]').waitFor();
    expect(await page.locator('button[data-loading]').count()).toBe(1);
    expect(await demo.getAttribute('data-loading')).toBe('true');
    answer();
    await expect.poll(() => names(page), SOON).toEqual(['Barn', 'House']);
    // A person who came without a password learns where it is.
    const hint = page.getByText(
      'The passwords of the demo’s accounts were printed in the terminal',
    );
    await page.goto(`${scene.portal.url}/keys`);
    await page
      .getByRole('button', { name: /Activate/ })
      .first()
      .click();
    await hint.waitFor();
    await page.goto(`${scene.portal.url}/account`);
    await page.getByRole('button', { name: 'Set up' }).first().click();
    await hint.waitFor();
  });

  test('a session that ends asks for the password above the page, which then goes on as it was', async () => {
    const { page } = await scene.visit(owner, '/', { ...desk, locale: 'en' });
    await expect.poll(() => names(page), SOON).toEqual(['Barn', 'House']);
    await scene.fleet.write((trx) => endSessions(trx, owner.id));
    await page.fill('input[type=search]', 'barn');
    const dialog = page.getByRole('dialog', { name: 'Please sign in again' });
    await dialog.waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'session ended');
    await logIn(page);
    await dialog.waitFor({ state: 'detached' });
    expect(await page.inputValue('input[type=search]')).toBe('barn');
    await expect.poll(() => names(page), SOON).toEqual(['Barn']);
  });

  test('a server that is away is said, and the page goes on by itself once it is back', async () => {
    const { page } = await scene.visit(owner, '/', { ...phone, locale: 'en' });
    await expect.poll(() => names(page), SOON).toEqual(['Barn', 'House']);
    await page.context().setOffline(true);
    await page.fill('input[type=search]', 'house');
    await page.getByText('No connection to the server.').waitFor();
    await page.context().setOffline(false);
    await page.getByText('Connected again.').waitFor();
    await expect.poll(() => names(page), SOON).toEqual(['House']);
  });

  test('without a connection, the overview shows what was known last, and says as of when', async () => {
    const { page } = await scene.visit(owner, '/', {
      ...phone,
      locale: 'en',
      serviceWorkers: 'allow',
    });
    await expect.poll(() => names(page), SOON).toEqual(['Barn', 'House']);
    // The page's files are kept as they arrive.
    const kept = 'caches.open("helioport-app").then((all) => all.keys()).then((all) => all.length)';
    let before = -1;
    const settled = async (): Promise<boolean> => {
      const now = await page.evaluate<number>(kept);
      const isSettled = now === before && now > 4;
      before = now;
      return isSettled;
    };
    await expect.poll(settled, { ...SOON, interval: 500 }).toBe(true);
    // The next person at this device does not learn who it was.
    const keptPage = await page.evaluate<string>('caches.match("/").then((found) => found.text())');
    expect(/<script [^>]*id="session"[^>]*>([^<]*)</.exec(keptPage)?.[1]).toBe('null');
    expect(keptPage).not.toContain('Barn');
    expect(await page.evaluate<string>('document.querySelector("#session").textContent')).toContain(
      owner.email,
    );
    await page.context().setOffline(true);
    await page.reload();
    await page.getByText('as of').waitFor();
    expect(await names(page)).toEqual(['Barn', 'House']);
    await page.getByText('No connection to the server.').waitFor();
    await picture(page, 'offline');
    // What is not kept is said, with the way to what is.
    await page.goto(new URL('/alarms', page.url()).href);
    await page
      .getByRole('heading', { name: 'This page cannot be shown without a connection' })
      .waitFor();
    await picture(page, 'offline elsewhere');
    await page.getByRole('link', { name: 'Show the last known overview' }).click();
    await expect.poll(() => names(page), SOON).toEqual(['Barn', 'House']);
  });

  test.each(['en', 'de'])(
    'a page that needs nothing of the server comes with its texts: its place is never without it (%s)',
    async (locale) => {
      const { page } = await scene.visit(owner, '/healthz', { ...desk, locale });
      await page.addInitScript(`new MutationObserver(() => {
      window.wasWithoutPage ||= document.querySelector('main:not(:has(h1))') !== null;
    }).observe(document, { childList: true, subtree: true })`);
      await page.goto(`${scene.portal.url}/debugger`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await page.evaluate('[document.documentElement.lang, window.wasWithoutPage]')).toEqual(
        [locale, false],
      );
    },
  );

  test('the former page stays as it is until the next one has arrived', async () => {
    const { page, complaints } = await scene.visit(owner, '/', { ...desk, locale: 'en' });
    await page.waitForSelector('tbody tr');
    await page.locator('#content table').evaluate((table) => table.setAttribute('data-former', ''));
    let release = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/*.js', async (route) => {
      await arrival;
      await route.continue();
    });
    await page.getByRole('link', { name: 'Alarms', exact: true }).first().click();
    await expect.poll(() => new URL(page.url()).pathname, SOON).toBe('/alarms');
    expect(await page.locator('table[data-former]').count()).toBe(1);
    release();
    await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor();
    expect(await page.locator('table[data-former]').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('language and look are chosen by hand, and kept', async () => {
    const { page } = await scene.visit(null, '/sign-in', {
      ...desk,
      locale: 'en',
      colorScheme: 'light',
    });
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitemradio', { name: '中文' }).click();
    await page.getByRole('heading', { name: '登录' }).waitFor();
    await page.getByRole('menuitemradio', { name: '深色' }).click();
    await page.keyboard.press('Escape');
    // The button was replaced when its menu had been loaded.
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-haspopup")'), SOON)
      .toBe('menu');
    await page.reload();
    await page.getByRole('heading', { name: '登录' }).waitFor();
    expect(
      await page.evaluate(
        '[document.documentElement.lang, document.documentElement.dataset.mantineColorScheme]',
      ),
    ).toEqual(['zh', 'dark']);
  });

  test.each(['light', 'dark'] as const)(
    'is %s before any script of the app runs, by the choice on this device',
    async (look) => {
      const { page } = await scene.visit(null, '/healthz', {
        ...desk,
        locale: 'en',
        colorScheme: look === 'dark' ? 'light' : 'dark',
      });
      const ground = (): Promise<string> =>
        page.evaluate('getComputedStyle(document.documentElement).colorScheme');
      await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
      await page.goto(`${scene.portal.url}/sign-in`, { waitUntil: 'domcontentloaded' });
      await expect.poll(ground, SOON).toBe(look === 'dark' ? 'light' : 'dark');
      await page.evaluate(`localStorage.setItem('mantine-color-scheme-value', '${look}')`);
      await page.reload({ waitUntil: 'domcontentloaded' });
      await expect.poll(ground, SOON).toBe(look);
    },
  );

  test('the bar marks the page that is shown, whatever its address says after the path', async () => {
    const { page } = await scene.visit(owner, '/?q=barn&sort=name', { ...desk, locale: 'en' });
    await expect.poll(() => names(page), SOON).toEqual(['Barn']);
    const bar = page.getByRole('navigation', { name: 'Main' });
    expect(await bar.locator('[aria-current=page]').allTextContents()).toEqual(['Overview']);
  });

  test('an address that does not exist leads back', async () => {
    const { page } = await scene.visit(owner, '/no/such/page', { ...desk, locale: 'en' });
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'To the overview', exact: true }).click();
    await expect.poll(() => names(page), SOON).toEqual(['Barn', 'House']);
  });
});
