import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { systemClock } from '../../../packages/server/src/platform/kernel/clock.ts';
import { listGrants } from '../../../packages/server/src/identity/oauth/grants.ts';
import {
  complaintsOf,
  findChromium,
  sharedChromium,
  openWindow,
  picture,
  seen,
  seriousBarriers,
} from '../../support/browser.ts';
import { proving } from '../../support/effort.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { createWorld } from '../../support/world.ts';
import { addClient, addOwner, PASSWORD, type TestClient } from '../fixture.ts';
import { startOauth, type TestOauth } from '../listener.ts';
import { authorizeUrl } from '../visitor.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

/** A third party's web site: its redirect URI sends the browser on to yet another origin, as many do. */
function startPlatform(): Promise<Server> {
  const server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url!, 'http://platform');
    const { port } = server.address() as AddressInfo;
    if (pathname === '/callback')
      return void response
        .writeHead(302, { Location: `http://127.0.0.1:${port}/done${search}` })
        .end();
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end(
        '<!doctype html><html lang="en"><title>Done</title><link rel="icon" href="data:,"><h1>Back at the platform</h1>',
      );
  });
  return new Promise((resolve) => void server.listen(0, () => resolve(server)));
}

const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  isMobile: true,
  hasTouch: true,
};
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };

describe.skipIf(!findChromium())('a person with Chromium', () => {
  const clock = { at: 0, now: systemClock.now };
  let database: TestDatabase;
  const world = createWorld(() => database, clock);
  let platform: Server;
  let oauth: TestOauth;
  let browser: Browser;
  let client: TestClient;
  let owner: Account;

  beforeAll(async () => {
    [database, platform, browser] = await Promise.all([
      createSqliteDatabase(),
      startPlatform(),
      sharedChromium(),
    ]);
    oauth = await startOauth(database, clock, { smtpUrl: 'smtp://127.0.0.1', signUp: true });
    const { port } = platform.address() as AddressInfo;
    client = await addClient(world, {
      name: 'Yield Watch',
      purpose: 'Compares the yield of your plants with the weather.',
      homePage: 'https://yield-watch.example/about-us',
      redirectUri: `http://localhost:${port}/callback`,
    });
    owner = await addOwner(world, 'maria.schneider@example.com');
    for (const name of [
      'Scheune Süd',
      'Wohnhaus',
      'Carport mit einem recht langen Namen, der umbrechen muss',
    ])
      await world.plant(owner.id, { name });
  });
  afterAll(async () => {
    await oauth?.close();
    platform?.close();
    await database?.drop();
  });

  async function visit(
    options: BrowserContextOptions = desk,
    change: Record<string, string> = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    const page = await openWindow(browser, options);
    const complaints = complaintsOf(page);
    await page.goto(authorizeUrl(oauth.url, client, { state: 'a b&c', ...change }));
    await seen(page);
    return { page, complaints };
  }

  async function logIn(page: Page, password = PASSWORD): Promise<void> {
    await page.fill('input[type=email]', owner.email);
    await page.fill('input[type=password]', password);
    await page.click('button.main');
  }

  const landed = async (page: Page): Promise<URLSearchParams> => {
    await page.waitForURL(/\/done\?/);
    expect(await page.textContent('h1')).toBe('Back at the platform');
    return new URL(page.url()).searchParams;
  };

  test('signs in, chooses plants, approves and lands on the redirect URI of another origin (O21)', async () => {
    const { page, complaints } = await visit();
    expect(await page.title()).toBe('Sign in – Helioport');
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'log-in-1280');
    await logIn(page);
    expect(await page.textContent('h1')).toBe('Yield Watch is requesting access');
    expect(await page.isVisible('text=Wohnhaus')).toBe(false);
    await picture(page, 'consent-1280');
    await page.check('input[value=some]');
    await page.check('text=Wohnhaus');
    await page.uncheck('input[value=control_device]');
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'consent-some-1280');
    await page.click('button[value=approve]');
    const parameters = await landed(page);
    expect(parameters.get('state')).toBe('a b&c');
    expect(parameters.get('code')).toMatch(/^hpc_/);
    expect((await listGrants(database.db, owner.id))[0]).toMatchObject({
      scopes: ['access_data'],
      plantIds: [expect.any(String)],
    });
    expect(complaints).toEqual([]);
  });

  test('denies', async () => {
    const { page, complaints } = await visit();
    await logIn(page);
    await page.click('button[value=deny]');
    const parameters = await landed(page);
    expect(parameters.get('error')).toBe('access_denied');
    expect(parameters.has('code')).toBe(false);
    expect(complaints).toEqual([]);
  });

  test('mistypes the password, learns so, and goes on', async () => {
    const { page, complaints } = await visit();
    await logIn(page, 'wrong');
    expect(await page.textContent('[role=alert]')).toContain('wrong');
    expect(await page.inputValue('input[type=email]')).toBe(owner.email);
    expect(await page.inputValue('input[type=password]')).toBe('');
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'log-in-wrong-1280');
    await logIn(page);
    expect(await page.textContent('h1')).toContain('Yield Watch');
    expect(complaints).toEqual([]);
  });

  test('sends a page that has expired and starts again', async () => {
    const { page, complaints } = await visit();
    await logIn(page);
    await database.db.deleteFrom('consentTicket').execute();
    await page.click('button[value=approve]');
    expect(await page.textContent('[role=alert]')).toContain('already submitted');
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await page.textContent('body')).not.toContain('invalid_request');
    await picture(page, 'expired-1280');
    await page.click('text=Start again');
    await page.click('button[value=approve]');
    expect((await landed(page)).get('code')).toMatch(/^hpc_/);
    expect(complaints).toEqual([]);
  });

  test('goes back after the approval, and the old page does nothing', async () => {
    const { page } = await visit();
    await logIn(page);
    await page.click('button[value=approve]');
    await landed(page);
    await page.goBack();
    const again = page.locator('button[value=approve]');
    if (await again.isVisible()) {
      await again.click();
      expect(await page.textContent('[role=alert]')).toContain('already submitted');
    } else expect(new URL(page.url()).searchParams.get('code')).toMatch(/^hpc_/);
  });

  test('uses the keyboard alone', async () => {
    const newcomer = await addOwner(world);
    await world.plant(newcomer.id);
    const { page, complaints } = await visit();
    // The cursor stands in the first field.
    await page.waitForSelector('input[type=email]:focus');
    await page.keyboard.type(newcomer.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.waitForSelector('button[value=approve]');
    await seen(page);
    const reach = async (selector: string): Promise<void> => {
      for (let presses = 0; presses < 30; presses++) {
        await page.keyboard.press('Tab');
        if (
          await page.evaluate<boolean>(
            `document.activeElement?.matches(${JSON.stringify(selector)})`,
          )
        )
          return;
      }
      throw new Error(`${selector} cannot be reached by Tab`);
    };
    await reach('input[value=control_device]');
    await page.keyboard.press('Space');
    await reach('input[name=plants]');
    await page.keyboard.press('ArrowDown');
    await reach('input[name=plant]');
    await page.keyboard.press('Space');
    await reach('button[value=approve]');
    const outline = await page.evaluate<string>(
      'getComputedStyle(document.activeElement).outlineStyle',
    );
    expect(outline).toBe('solid');
    await page.keyboard.press('Enter');
    expect((await landed(page)).get('code')).toMatch(/^hpc_/);
    expect(complaints).toEqual([]);
  });

  describe('who owns many plants', () => {
    let collector: Account;
    beforeAll(async () => {
      collector = await addOwner(world);
      for (let i = 1; i <= 24; i++)
        await world.plant(collector.id, { name: `${i % 2 ? 'Hof' : 'Scheune'} ${i}` });
    });

    async function choose(
      options: BrowserContextOptions,
    ): Promise<{ page: Page; complaints: string[] }> {
      const opened = await visit(options);
      const { page } = opened;
      await page.fill('input[type=email]', collector.email);
      await page.fill('input[type=password]', PASSWORD);
      await page.click('button.main');
      await page.check('input[value=some]');
      return opened;
    }

    test.each([
      ['desk', desk],
      ['phone', phone],
    ])('filters them and ticks or clears all that are listed, on a %s', async (name, options) => {
      const { page, complaints } = await choose(options);
      await page.fill('#plant-filter', 'sCheune');
      expect(await page.locator('.plants li:visible').count()).toBe(12);
      await page.press('#plant-filter', 'Enter');
      await page.click('[data-all]');
      expect(await page.textContent('[data-plant-tools] [role=status]')).toBe('12 of 24 selected');
      expect(await seriousBarriers(page)).toEqual([]);
      await picture(page, `consent-many-${name}`);
      await page.fill('#plant-filter', 'Scheune 2');
      await page.click('[data-none]');
      // Scheune 2, 20, 22 and 24; what is not listed stays as it was.
      expect(await page.textContent('[data-plant-tools] [role=status]')).toBe('8 of 24 selected');
      await page.fill('#plant-filter', '');
      await page.uncheck('text=Scheune 18');
      expect(await page.textContent('[data-plant-tools] [role=status]')).toBe('7 of 24 selected');
      await page.click('button[value=approve]');
      await landed(page);
      expect((await listGrants(database.db, collector.id))[0]!.plantIds).toHaveLength(7);
      expect(complaints).toEqual([]);
    });

    test('chooses without script, too, and sees no button that would do nothing', async () => {
      const { page } = await choose({ ...desk, javaScriptEnabled: false });
      expect(await page.locator('.plants li:visible').count()).toBe(24);
      expect(await page.isVisible('[data-plant-tools]')).toBe(false);
      await page.check('text=Hof 5');
      await page.click('button[value=approve]');
      await page.waitForURL(/\/done\?/);
    });
  });

  test('looks at the password as typed', async () => {
    const { page, complaints } = await visit();
    await page.fill('input[type=email]', owner.email);
    await page.fill('#password', 'mistyped');
    await page.click('text=Show password');
    expect([
      await page.getAttribute('#password', 'type'),
      await page.inputValue('#password'),
    ]).toEqual(['text', 'mistyped']);
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'log-in-shown-1280');
    await page.click('text=Hide password');
    expect(await page.getAttribute('#password', 'type')).toBe('password');
    await page.fill('#password', PASSWORD);
    await page.click('text=Show password');
    await page.press('#password', 'Enter');
    expect(await page.textContent('h1')).toContain('Yield Watch');
    expect(complaints).toEqual([]);
  });

  test('sees control stand out as what it is, whose words the purpose is, and where access is ended', async () => {
    const { page } = await visit();
    await logIn(page);
    expect(await page.textContent('.warning')).toMatch(
      /Control devices.*can cut your power supply/s,
    );
    expect(await page.locator('.warning').count()).toBe(1);
    expect((await page.textContent('.purpose'))!.trim()).toBe(
      'Yield Watch says: Compares the yield of your plants with the weather.',
    );
    expect(await page.textContent('main')).toContain('contact the operator of this service');
    await page.goto(
      authorizeUrl(oauth.url, client, { redirect_uri: 'https://elsewhere.example/' }),
    );
    expect(await page.textContent('main')).toMatch(/Request ID: [0-9a-f]+-/);
  });

  describe.each([
    ['en', 'light'],
    ['de', 'dark'],
    ['es', 'light'],
    ['zh', 'dark'],
  ] as const)('on a phone in %s', (language, look) => {
    test.each(proving ? (['light', 'dark'] as const) : [look])(
      'finds everything within 360 px, %s',
      async (colorScheme) => {
        const { page, complaints } = await visit({ ...phone, locale: language, colorScheme });
        const fits = async (name: string): Promise<void> => {
          expect(await page.getAttribute('html', 'lang')).toBe(language);
          expect(
            await page.evaluate<number>('document.documentElement.scrollWidth'),
          ).toBeLessThanOrEqual(360);
          expect(await seriousBarriers(page)).toEqual([]);
          await picture(page, `${name}-360-${language}-${colorScheme}`);
        };
        await fits('log-in');
        await logIn(page);
        await page.check('input[value=some]');
        await fits('consent');
        for (const box of await page.locator('button, .choice').all()) {
          const { height } = (await box.boundingBox()) ?? { height: 44 };
          expect(height).toBeGreaterThanOrEqual(28);
        }
        await page.goto(
          authorizeUrl(oauth.url, client, { redirect_uri: 'https://elsewhere.example/' }),
        );
        await fits('error');
        expect(complaints.filter((text) => !text.includes('400'))).toEqual([]);
      },
    );
  });

  test('changes the language without losing the way', async () => {
    const { page, complaints } = await visit();
    await page.click('nav >> text=Deutsch');
    expect(await page.textContent('h1')).toBe('Anmelden');
    await logIn(page);
    await page.click('nav >> text=中文');
    await page.click('button[value=approve]');
    expect((await landed(page)).get('code')).toMatch(/^hpc_/);
    expect(complaints).toEqual([]);
  });

  test('cannot be shown the pages in a frame of somebody else (O19)', async () => {
    const page = await openWindow(browser, desk);
    const { port } = platform.address() as AddressInfo;
    await page.goto(`http://localhost:${port}/done`);
    const refused = page.waitForEvent('console', (message) =>
      message.text().includes('frame-ancestors'),
    );
    const address = JSON.stringify(authorizeUrl(oauth.url, client));
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: ${address} }))`,
    );
    await refused;
  });
});
