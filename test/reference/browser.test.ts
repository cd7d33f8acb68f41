import { operations, operationsBy } from '@helioport/contract';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import {
  complaintsOf,
  findChromium,
  sharedChromium,
  openWindow,
  picture,
  seen,
  seriousBarriers,
} from '../support/browser.ts';
import { proving } from '../support/effort.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { settableClock } from '../support/world.ts';
import { startUserApi, type TestUserApi } from '../user-api/fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const all = Object.values(operations);
const signedOperations = operationsBy('signed');
const handlers = Object.fromEntries(all.map(({ id }) => [id, async () => null]));

const views = [
  [
    'phone, light',
    { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, colorScheme: 'light' },
  ],
  [
    'phone, dark',
    { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true, colorScheme: 'dark' },
  ],
  ['desk, light', { viewport: { width: 1280, height: 800 }, colorScheme: 'light' }],
  ['desk, dark', { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' }],
] as const satisfies [string, BrowserContextOptions][];
const [phoneLight, phoneDark, deskLight, deskDark] = views;

/** In a brief run, each page is seen on a phone and at a desk, in light and dark. */
const briefly = (...some: readonly (typeof views)[number][]): readonly (typeof views)[number][] =>
  proving ? views : some;

describe.skipIf(!findChromium())('the reference in Chromium', () => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  let database: TestDatabase;
  let userApi: TestUserApi;
  let oauth: TestOauth;
  let browser: Browser;
  beforeAll(async () => {
    [database, browser] = await Promise.all([createSqliteDatabase(), sharedChromium()]);
    userApi = await startUserApi(database, clock, { operations: all, handlers });
    oauth = await startOauth(database, clock, { operations: all, handlers });
  });
  afterAll(async () => {
    await userApi?.close();
    await oauth?.close();
    await database?.drop();
  });

  const open = async (
    of: 'user' | 'oauth',
    options: BrowserContextOptions = {},
    from = userApi,
  ): Promise<Page> => {
    const page = await openWindow(browser, options);
    const complaints = complaintsOf(page);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${of === 'user' ? `http://127.0.0.1:${from.port}` : oauth.url}/reference`);
    await seen(page);
    expect(complaints).toEqual([]);
    // Nothing from outside, nor anything else from here.
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([page.url()]);
    return page;
  };

  test.each([
    ...briefly(phoneLight, deskDark).map((view) => ['user', ...view] as const),
    ...briefly(phoneDark, deskLight).map((view) => ['oauth', ...view] as const),
  ])('%s, %s: fits the width and complains of nothing', async (of, name, options) => {
    const page = await open(of, options);
    const widths = await page.evaluate<[number, number]>(
      '[document.documentElement.scrollWidth, document.documentElement.clientWidth]',
    );
    expect(widths[0]).toBe(widths[1]);
    await picture(page, `reference-${of}-${name.replace(', ', '-')}`);
  });

  // The rules take their time with each node, and the sections are all of one form.
  test.each(briefly(phoneDark, deskLight))('%s: keeps nobody out', async (_, options) => {
    const few = signedOperations.filter(({ id }) => ['inverterDay', 'addStation'].includes(id));
    const small = await startUserApi(database, clock, {
      operations: few,
      handlers: Object.fromEntries(few.map(({ id }) => [id, handlers[id]!])),
    });
    const page = await open('user', options, small);
    expect(await seriousBarriers(page)).toEqual([]);
    await small.close();
  });

  test('finds operations by the name of a field, shows that field alone, and all again', async () => {
    const page = await open('user', deskLight[1]);
    await page.keyboard.press('/');
    await page.keyboard.type('leakagecurrent');
    expect(await page.textContent('#found')).toBe(`0 of ${signedOperations.length + 5}`);
    await page.keyboard.press('Escape');
    await page.fill('#search', 'gridPurchasedTodayEnergyStr');
    expect(
      await page.locator('main section:visible').evaluateAll((nodes) => nodes.map(({ id }) => id)),
    ).toEqual(['userStationList', 'inverterList', 'inverterDetail', 'inverterDetailList']);
    expect(
      await page
        .locator('#userStationList details table[data-rows] tbody tr:visible code')
        .first()
        .textContent(),
    ).toBe('gridPurchasedTodayEnergyStr');
    expect(await page.locator('nav.side li:visible').count()).toBe(4);
    await page.fill('#search', '');
    expect(await page.locator('main section:visible').count()).toBe(signedOperations.length + 5);
    expect(await page.locator('#userStationList details table[data-rows]').isVisible()).toBe(false);
  });

  test('a field or a parameter is one key away too, in its table', async () => {
    const page = await open('user', deskLight[1]);
    const goTo = async (wanted: string): Promise<string> => {
      await page.fill('#search', wanted);
      await page.keyboard.press('Enter');
      const id = decodeURIComponent(new URL(page.url()).hash.slice(1));
      expect(await page.locator(`[id="${id}"]`).isVisible()).toBe(true);
      expect(await page.evaluate('document.activeElement.closest("section, tr").id')).toBe(id);
      return id;
    };
    expect(await goTo('gridPurchasedTodayEnergyStr')).toBe(
      'userStationList.gridPurchasedTodayEnergyStr',
    );
    // Of a field and an operation with names that begin alike, the operation.
    expect(await goTo('stationdet')).toBe('stationDetail');
  });

  test.each(briefly(phoneLight, deskDark))(
    '%s: the guides look like the reference and keep nobody out',
    async (name, options) => {
      const page = await open('user', options);
      const complaints = complaintsOf(page);
      await page.evaluate(
        'document.querySelector(\'nav a[href="reference/guides/signing"]\').click()',
      );
      await page.getByRole('heading', { level: 1, name: 'Signing a request' }).waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(
        await page.evaluate(
          'document.documentElement.scrollWidth <= document.documentElement.clientWidth',
        ),
      ).toBe(true);
      await picture(page, `guide-${name.replace(', ', '-')}`);
      expect(complaints).toEqual([]);
    },
  );

  test('of several matches, the name that fits best is one key away; what fits nothing is said', async () => {
    const page = await open('user', deskLight[1]);
    await page.fill('#search', 'stationday');
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).hash).toBe('#stationDay');
    expect(await page.evaluate('document.activeElement.closest("section").id')).toBe('stationDay');
    await page.fill('#search', 'no such thing');
    expect(await page.textContent('#nothing')).toContain('“no such thing”');
    // A link out of the search shows its target.
    await page.evaluate("location.hash = '#errors'");
    await expect.poll(() => page.locator('#errors').isVisible()).toBe(true);
    expect(await page.locator('#nothing').isVisible()).toBe(false);
  });

  test('a language that was chosen once is chosen everywhere, and the next time too', async () => {
    const page = await open('user', deskLight[1]);
    const shown = (section: string): Promise<string> =>
      page.locator(`#${section} .samples pre:visible`).innerText();
    expect(await shown('stationDetail')).toContain('curl');
    const button = page.locator('#inverterDay .languages button', { hasText: 'Python' });
    await button.click();
    expect(await button.getAttribute('aria-pressed')).toBe('true');
    expect(await button.evaluate((node) => Math.round(node.getBoundingClientRect().top) > 0)).toBe(
      true,
    );
    for (const section of ['stationDetail', 'inverterDay'])
      expect(await shown(section)).toContain('urllib.request');
    await page.reload();
    expect(await shown('stationDetail')).toContain('urllib.request');
  });

  test('a link to a field opens its table, and the contents say where the reader is', async () => {
    const page = await open('user', deskLight[1]);
    await page.evaluate("location.hash = '#stationDetail.allEnergy'");
    const row = page.locator('[id="stationDetail.allEnergy"]');
    await expect.poll(() => row.isVisible()).toBe(true);
    await expect
      .poll(() => page.locator('.side [aria-current]').allTextContents())
      .toEqual(['stationDetail']);
    expect(await row.locator('a').getAttribute('href')).toBe('#stationDetail.allEnergy');
    await page.goto('about:blank');
    await page.goto(`http://127.0.0.1:${userApi.port}/reference#stationDetail.allEnergy`);
    const inView = (): Promise<boolean> =>
      row.evaluate(
        (node) =>
          node.getBoundingClientRect().top > 60 && node.getBoundingClientRect().bottom < 800,
      );
    await expect.poll(inView).toBe(true);
  });

  test('a request is copied to the letter', async () => {
    const page = await open('user', {
      ...deskLight[1],
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const block = page.locator('#inverterDetail .samples .block').first();
    await block.getByRole('button').click();
    await expect.poll(() => block.getByRole('button').textContent()).toBe('Copied');
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
      await block.locator('code').textContent(),
    );
  });

  test('without scripts everything is there, and the search is not offered', async () => {
    const page = await open('user', { ...phoneLight[1], javaScriptEnabled: false });
    expect(await page.locator('#search').isVisible()).toBe(false);
    expect(await page.locator('main section').count()).toBe(signedOperations.length + 5);
    expect(await page.locator('#addStation').isVisible()).toBe(true);
    await page.locator('nav.contents summary').click();
    await page.locator('nav.contents a', { hasText: 'archiveStation' }).click();
    expect(page.url()).toMatch(/#archiveStation$/);
  });
});
