import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type axe from 'axe-core';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  type Locator,
  type Page,
} from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The machine's Chromium, or undefined on a machine without one. */
export const findChromium = (): string | undefined =>
  [process.env['HELIOPORT_TEST_CHROMIUM'] ?? '', ...PLACES].find(
    (path) => path !== '' && existsSync(path),
  );

/**
 * What Chromium leaves out. For each window it prepares two pages of its address bar and a process for the next site, which nobody sees
 * here and which took two thirds of the time of opening one. The rest is what Playwright leaves out, whose list this replaces.
 */
const LEFT_OUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** On a busy machine it takes its time, within that of a hook. */
export const launchChromium = (): Promise<Browser> =>
  chromium.launch({
    executablePath: findChromium()!,
    args: ['--no-sandbox', '--disable-gpu', `--disable-features=${LEFT_OUT.join()}`],
    timeout: 110_000,
  });

let shared: Promise<Browser> | undefined;

/** The worker's browser, whose windows serve one file after another; it ends with the worker. */
export const sharedChromium = (): Promise<Browser> => (shared ??= launchChromium());

/** Whether an element has the focus. */
export const hasFocus = (element: Locator): Promise<boolean> =>
  element
    .and(element.page().locator(':focus'))
    .count()
    .then((found) => found === 1);

/** An address at which no listener has anything that runs. */
const EMPTY = '/assets/none';

interface Window {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly devTools: CDPSession;
  /** Where it has been. */
  readonly origins: Set<string>;
  complaints: string[];
  /** Whether something was used of it that outlives what it shows. */
  isAltered: boolean;
}

const windows = new WeakMap<Page, Window>();
/** Windows that no test uses at the moment, by how they were opened, the one that was used last at the end. */
const idle = new WeakMap<Browser, (readonly [key: string, Window])[]>();
/** More of them would cost more memory than the time that they save. */
const IDLE_AT_MOST = 6;

const ALTERING = [
  'addInitScript',
  'clock',
  'exposeFunction',
  'on',
  'once',
  'route',
  'setViewportSize',
];
const ALTERING_ALL = ['addInitScript', 'grantPermissions', 'newCDPSession', 'route', 'setOffline'];

/**
 * A window without motion, empty again when its test has ended: a portal that nobody looks at still follows what is live. It then serves the next test,
 * since most of the time of opening one goes into its process and the scripts that this compiles; unless the test has used what outlives a page, such as
 * its clock. What it waits for in vain is named before the test's time is up.
 */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const kept = idle.get(browser) ?? [];
  idle.set(browser, kept);
  const key = JSON.stringify(options);
  const found = kept.findLastIndex(([alike]) => alike === key);
  const window = found < 0 ? await newWindow(browser, options) : kept.splice(found, 1)[0]![1];
  window.complaints = [];
  window.origins.clear();
  onTestFinished(async () => {
    if (await isEmptied(window)) kept.push([key, window]);
    else await window.context.close();
    if (kept.length > IDLE_AT_MOST) await kept.shift()![1].context.close();
  });
  return window.page;
}

async function newWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  // To install the portal's service worker takes as long as the page itself.
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const devTools = await context.newCDPSession(page);
  const window: Window = {
    page,
    context,
    devTools,
    origins: new Set(),
    complaints: [],
    isAltered: options.serviceWorkers === 'allow',
  };
  windows.set(page, window);
  listen(window);
  watch(window, page, ALTERING);
  watch(window, context, ALTERING_ALL);
  return window;
}

function watch(window: Window, what: Page | BrowserContext, names: readonly string[]): void {
  for (const name of names) {
    const value: unknown = Reflect.get(what, name);
    Object.defineProperty(what, name, { get: () => ((window.isAltered = true), value) });
  }
}

function listen(window: Window): void {
  const { page } = window;
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    // What is said of the empty page and its icon may come after it; pages of ours name their icon.
    const { url } = message.location();
    if (url.endsWith(EMPTY) || url.endsWith('/favicon.ico')) return;
    if (message.type() === 'error' || message.type() === 'warning')
      window.complaints.push(`${message.type()}: ${message.text()} (${url})`);
  });
  page.on('pageerror', (error) => window.complaints.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A page takes its questions back when it is left.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      window.complaints.push(`failed: ${request.url()}: ${request.failure()?.errorText}`);
  });
  page.on('framenavigated', (frame) => {
    if (URL.canParse(frame.url())) window.origins.add(new URL(frame.url()).origin);
  });
}

/** Empties a window and what its origin has stored; false of one that the next test would find otherwise than a new one. */
async function isEmptied({
  page,
  context,
  devTools,
  origins,
  isAltered,
}: Window): Promise<boolean> {
  const [origin, ...others] = [...origins].filter((each) => each !== 'null');
  if (isAltered || origin === undefined || others.length > 0 || context.pages().length !== 1)
    return false;
  try {
    // A page of the same origin on which nothing runs.
    await page.goto(origin + EMPTY);
    await page.evaluate('localStorage.clear(), sessionStorage.clear()');
    await context.clearCookies();
    await devTools.send('Page.resetNavigationHistory');
    return true;
  } catch {
    return false;
  }
}

/** Gives a window a cookie. */
export const giveCookie = (
  page: Page,
  cookie: Parameters<BrowserContext['addCookies']>[0][number],
): Promise<void> => windows.get(page)!.context.addCookies([cookie]);

/** What a page said that it should not say: errors on the console, refusals of its policy, scripts that failed. */
export const complaintsOf = (page: Page): string[] => windows.get(page)!.complaints;

/** Whether a page can be read without scrolling sideways. */
export const fitsItsWidth = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

/** Labels of buttons that do not stand in their middle, reach out of them, or lose what hangs below their line. */
export const misplacedLabels = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('.mantine-Button-label')].filter((label) => {
    const [button, text] = [label.closest('.mantine-Button-root').getBoundingClientRect(), label.getBoundingClientRect()];
    const [above, below] = [text.top - button.top, button.bottom - text.bottom];
    const { overflow, fontSize } = getComputedStyle(label);
    const isCut = overflow !== 'visible' && text.height < 1.2 * parseFloat(fontSize);
    return text.height > 0 && (isCut || Math.abs(above - below) > 2 || above < 0 || text.left < button.left || text.right > button.right);
  }).map((label) => label.textContent)`);

/** A person sees the page before they type; a key that arrives before the first frame is lost, or lands beside the field that is about to have the cursor. */
export async function seen(page: Page): Promise<void> {
  await expect
    .poll(() => page.evaluate<number>("performance.getEntriesByName('first-paint').length"))
    .toBe(1);
}

// Less than half of what the package exports as its source, which each page parses.
const rules = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What fades in or out has less contrast than it will have or had. What never ends, such as a turning wheel, is not waited for. */
const standsStill = (page: Page): Promise<boolean> =>
  page.evaluate(
    "document.getAnimations().every((animation) => animation.playState !== 'running' || animation.effect.getComputedTiming().endTime === Infinity)",
  );

/** What axe-core finds serious or critical, as `rule: selector`. It is evaluated from outside, so that the page's own policy stays in force. */
export async function seriousBarriers(page: Page): Promise<string[]> {
  await expect.poll(() => standsStill(page)).toBe(true);
  // They are still there from the last time, unless the page was loaded since.
  if (!(await page.evaluate("'axe' in globalThis"))) await page.evaluate(rules);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}

/** Keeps a picture where HELIOPORT_TEST_SCREENSHOTS says, for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['HELIOPORT_TEST_SCREENSHOTS'];
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
