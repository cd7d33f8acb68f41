import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { complaintsOf, giveCookie, openWindow } from '../support/browser.ts';
import { SESSION_COOKIE, visitAs } from '../support/portal.ts';

/** A page of the portal, and what it complained of. */
export interface Visit {
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Ends the session of the person who looks. */
  endSession(): Promise<unknown>;
}

/** Opens an address of the portal as somebody who is logged in. */
export async function visit(
  browser: Browser,
  world: Parameters<typeof visitAs>[0],
  url: string,
  accountId: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Visit> {
  const { visitor, end } = await visitAs(world, url, accountId);
  const page = await openWindow(browser, {
    viewport: { width: 1280, height: 800 },
    colorScheme: 'light',
    locale: 'en',
    ...options,
  });
  const complaints = complaintsOf(page);
  await giveCookie(page, {
    name: SESSION_COOKIE,
    value: visitor.cookies.get(SESSION_COOKIE)!,
    url,
  });
  await page.goto(url + path);
  return { page, complaints, endSession: end };
}
