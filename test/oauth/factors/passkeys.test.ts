import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  findAccount,
  type Account,
} from '../../../packages/server/src/identity/accounts/accounts.ts';
import {
  listPasskeys,
  removePasskey,
} from '../../../packages/server/src/identity/accounts/factors/passkey-rows.ts';
import {
  addPasskey,
  beginPasskey,
} from '../../../packages/server/src/identity/accounts/factors/passkeys.ts';
import { replaceRecoveryCodes } from '../../../packages/server/src/identity/accounts/factors/recovery-codes.ts';
import { systemClock } from '../../../packages/server/src/platform/kernel/clock.ts';
import { addApp } from '../../accounts/factors/fixture.ts';
import { addAuthenticator, type Authenticator } from '../../accounts/factors/authenticator.ts';
import {
  complaintsOf,
  findChromium,
  sharedChromium,
  openWindow,
  picture,
  seriousBarriers,
} from '../../support/browser.ts';
import { factorSources } from '../../support/credentials.ts';
import { createSqliteDatabase, type TestDatabase } from '../../support/engines.ts';
import { createWorld } from '../../support/world.ts';
import { addClient, addOwner, PASSWORD, type TestClient } from '../fixture.ts';
import { startOauth, type TestOauth } from '../listener.ts';
import { authorizeUrl } from '../visitor.ts';

const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe.skipIf(!findChromium())('at the authorization pages', () => {
  const clock = { at: 0, now: systemClock.now };
  const origins: string[] = [];
  const sources = factorSources();
  const factors = { ...sources, passkeys: { domain: 'localhost', origins } };
  let database: TestDatabase;
  const world = createWorld(() => database, clock);
  let oauth: TestOauth;
  let browser: Browser;
  let client: TestClient;

  beforeAll(async () => {
    [database, browser] = await Promise.all([createSqliteDatabase(), sharedChromium()]);
    oauth = await startOauth(database, clock, { factors });
    origins.push(oauth.url.replace('127.0.0.1', 'localhost'));
    client = await addClient(world, { name: 'Yield Watch' });
    clock.at = systemClock.now();
  });
  afterAll(async () => {
    await oauth?.close();
    await database?.drop();
  });

  const address = (change: Record<string, string> = {}): string =>
    authorizeUrl(origins[0]!, client, change);
  const onConsent = (page: Page) => page.locator('form[action^="consent"]').waitFor();

  /** Makes a passkey in this page’s authenticator, as the portal would. */
  async function register(page: Page, account: Account, name = 'Phone'): Promise<void> {
    const options = await beginPasskey(database.db, factors, systemClock.now(), account);
    const response = await page.evaluate(async (json) => {
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) =>
          c.charCodeAt(0),
        );
      const text = (buffer: ArrayBuffer) =>
        btoa(String.fromCharCode(...new Uint8Array(buffer)))
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replaceAll('=', '');
      const asked = JSON.parse(json);
      const publicKey = {
        ...asked,
        challenge: bytes(asked.challenge),
        user: { ...asked.user, id: bytes(asked.user.id) },
        excludeCredentials: [],
      };
      const made = await (navigator as any).credentials.create({ publicKey });
      return JSON.stringify({
        id: made.id,
        rawId: made.id,
        type: made.type,
        clientExtensionResults: {},
        response: {
          clientDataJSON: text(made.response.clientDataJSON),
          attestationObject: text(made.response.attestationObject),
        },
      });
    }, JSON.stringify(options));
    await world.write(async (trx) => {
      await addPasskey(
        trx,
        factors,
        { ...world.act(), at: systemClock.now() },
        account.id,
        name,
        response,
      );
      await replaceRecoveryCodes(trx, world.act(), account.id);
    });
  }

  /** A window with an authenticator that has a passkey of a new owner. */
  async function equipped(): Promise<{
    page: Page;
    authenticator: Authenticator;
    owner: Account;
    complaints: string[];
  }> {
    const page = await openWindow(browser, phone);
    const complaints = complaintsOf(page);
    const authenticator = await addAuthenticator(page);
    await page.goto(address());
    const owner = await addOwner(world);
    await register(page, (await findAccount(database.db, owner.id))!);
    return { page, authenticator, owner, complaints };
  }

  const logIn = async (page: Page, email: string): Promise<void> => {
    await page.fill('#email', email);
    await page.fill('#password', PASSWORD);
    await page.click('form[action^="log-in"] [type=submit]');
  };

  test('a passkey logs in without a password, and is a second factor after one', async () => {
    const { page, owner, complaints } = await equipped();
    await page.goto(address({ ui_locales: 'de' }));
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'log-in-passkey');
    await page.click('form[data-passkey] [type=submit]');
    await onConsent(page);
    expect(await page.textContent('body')).toContain(owner.email);
    await page.click('form[action^="log-out"] [type=submit]');
    await logIn(page, owner.email);
    await page.locator('form[action^="second-step"][data-passkey]').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'second-step-passkey');
    await page.click('form[data-passkey] [type=submit]');
    await onConsent(page);
    const [passkey] = await listPasskeys(database.db, owner.id);
    expect(passkey!.lastUsedAt).toBeGreaterThan(0);
    const { counter } = await database.db
      .selectFrom('passkey')
      .select('counter')
      .where('accountId', '=', owner.id)
      .executeTakeFirstOrThrow();
    expect(counter).toBeGreaterThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  test('a passkey that was removed is refused', async () => {
    const { page, owner } = await equipped();
    const [passkey] = await listPasskeys(database.db, owner.id);
    await world.write((trx) => removePasskey(trx, world.act(), owner.id, passkey!.id));
    await page.click('form[data-passkey] [type=submit]');
    await page.locator('[role=alert]').waitFor();
    expect(await page.textContent('[role=alert]')).toContain('not accepted');
  });

  test('an authenticator that was copied is refused once its counter falls behind', async () => {
    const { page, authenticator, owner } = await equipped();
    const [copied] = await authenticator.credentials();
    await page.click('form[data-passkey] [type=submit]');
    await onConsent(page);
    const thief = await openWindow(browser, phone);
    await (await addAuthenticator(thief)).add(copied!);
    await thief.goto(address());
    await thief.click('form[data-passkey] [type=submit]');
    await thief.locator('[role=alert]').waitFor();
    expect(
      (
        await database.db
          .selectFrom('session')
          .select('id')
          .where('accountId', '=', owner.id)
          .execute()
      ).length,
    ).toBe(1);
  });

  test('the answer of a passkey is accepted once, in the browser that was asked, and from our pages alone', async () => {
    const { page, owner } = await equipped();
    let sent = '';
    await page.route('**/oauth/passkey*', (route) => {
      sent = route.request().postData()!;
      return route.fulfill({
        status: 200,
        contentType: 'text/html',
        body: '<!doctype html><p id="caught">caught</p>',
      });
    });
    await page.click('form[data-passkey] [type=submit]');
    await page.locator('#caught').waitFor();
    const cookies = (await page.context().cookies(origins[0]))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
    const submit = (cookie: string, body = sent): Promise<Response> =>
      fetch(`${oauth.url}/oauth/passkey${new URL(address()).search}`, {
        method: 'POST',
        redirect: 'manual',
        headers: { Cookie: cookie, 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      });
    const { status, headers } = await fetch(address().replace('localhost', '127.0.0.1'));
    expect(status).toBe(200);
    // In another browser, the page has expired.
    expect((await submit(headers.getSetCookie()[0]!.split(';')[0]!)).status).not.toBe(303);
    const own = origins.splice(0, 1, 'http://localhost:1')[0]!;
    expect(await (await submit(cookies)).text()).toContain('role="alert"');
    origins.splice(0, 1, own);
    expect((await submit(cookies)).status).toBe(303);
    expect(await (await submit(cookies)).text()).toContain('role="alert"');
    expect(
      (
        await database.db
          .selectFrom('session')
          .select('id')
          .where('accountId', '=', owner.id)
          .execute()
      ).length,
    ).toBe(1);
  });

  test('a code is asked for on a second page; a wrong one is refused, and a recovery code will do', async () => {
    const owner = await addOwner(world);
    clock.at = systemClock.now();
    const { recoveryCodes } = await addApp(world, database.db, owner.id);
    const page = await openWindow(browser, { ...phone, javaScriptEnabled: false });
    await page.goto(address({ ui_locales: 'es' }));
    await logIn(page, owner.email);
    await page.locator('#code').waitFor();
    await picture(page, 'second-step-code');
    expect(
      await database.db
        .selectFrom('session')
        .select('id')
        .where('accountId', '=', owner.id)
        .execute(),
    ).toEqual([]);
    await page.fill('#code', '000000');
    await page.click('form[action^="second-step"] [type=submit]');
    await page.locator('[role=alert]').waitFor();
    await picture(page, 'second-step-wrong');
    await page.fill('#code', recoveryCodes[0]!);
    await page.click('form[action^="second-step"] [type=submit]');
    await onConsent(page);
  });
});
