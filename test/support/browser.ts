import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import process from 'node:process';
import type axe from 'axe-core';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
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
    timeout: 55_000,
  });

/** A window of its own, without motion, which is closed with its test: a portal that nobody looks at any more still follows what is live. What it waits for in vain is named before the test's time is up. */
export async function openWindow(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  // To install the portal's takes as long as the page itself.
  const context = await browser.newContext({
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    ...options,
  });
  onTestFinished(() => context.close());
  context.setDefaultTimeout(20_000);
  return context.newPage();
}

/** What a page said that it should not say: errors on the console, refusals of its policy, scripts that failed. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text() === 'Service Worker registration blocked by Playwright') return;
    if (message.type() === 'error' || message.type() === 'warning')
      complaints.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
  page.on('requestfailed', (request) => {
    // A page takes its questions back when it is left.
    if (request.failure()?.errorText !== 'net::ERR_ABORTED')
      complaints.push(`failed: ${request.url()}: ${request.failure()?.errorText}`);
  });
  return complaints;
}

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
