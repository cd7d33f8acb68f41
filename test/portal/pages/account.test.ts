import { readFile } from 'node:fs/promises';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { listPasskeys } from '../../../packages/server/src/identity/accounts/factors/passkey-rows.ts';
import {
  insertSession,
  listSessions,
} from '../../../packages/server/src/identity/accounts/sessions.ts';
import { addAuthenticator } from '../../accounts/factors/authenticator.ts';
import { addApp, appOf, STEP_MS } from '../../accounts/factors/fixture.ts';
import { PASSWORD } from '../../oauth/fixture.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, type PortalScene, type Visit } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const NEW_PASSWORD = 'meadow lane in july';

describe.skipIf(!findChromium())('the account in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owners = 0;
  beforeAll(async () => {
    scene = await openScene(clock);
  });
  afterAll(() => scene?.close());

  const english: BrowserContextOptions = { ...desk, locale: 'en' };
  const newOwner = () => {
    clock.at += 10 * STEP_MS;
    return scene.owner(`maria-${++owners}@example.com`);
  };

  /** Opens the portal by its name, which passkeys need, and signs in with the password. */
  async function signIn(
    visit: Visit,
    email: string,
    path = '/account',
    password = PASSWORD,
  ): Promise<Page> {
    const { page } = visit;
    await page.goto(scene.portal.url.replace('127.0.0.1', 'localhost') + path);
    await page.getByLabel('E-mail').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    return page;
  }

  const prove = async (page: Page, password = PASSWORD): Promise<void> => {
    const dialog = page.getByRole('dialog');
    await dialog.locator('input[type=password]').fill(password);
    await dialog.getByRole('button').last().click();
  };

  test.each([
    ['phone, dark, German', { ...phone, locale: 'de', colorScheme: 'dark' }],
    ['desk, light, English', { ...desk, locale: 'en-GB', colorScheme: 'light' }],
  ] as const)('can be read: %s', async (name, options) => {
    const owner = await newOwner();
    const { page, complaints } = await scene.visit(owner, '/account', options);
    await page.locator('section').nth(3).locator('li').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `account ${name}`);
    expect(complaints).toEqual([]);
  });

  test('an app is set up by its picture or key, and then asked for when somebody signs in', async () => {
    const owner = await newOwner();
    const { page, complaints } = await scene.visit(owner, '/account', { ...phone, locale: 'en' });
    await page.getByRole('button', { name: 'Set up app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Set up app' }).click();
    await prove(page, 'not the password');
    await page.getByRole('alert').getByText('The password is wrong.').waitFor();
    await prove(page);
    await page.getByRole('img', { name: 'Authenticator app' }).waitFor();
    // Somebody who thinks better of it is where it began.
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Set up app' }).click();
    await prove(page);
    await page.getByText('signs you out everywhere else').waitFor();
    const secret = await page.getByLabel('Key', { exact: true }).inputValue();
    expect(
      await page.getByRole('link', { name: 'Open authenticator app' }).getAttribute('href'),
    ).toMatch(new RegExp(`^otpauth://totp/.*secret=${secret}`));
    await picture(page, 'account set-up');
    expect(await seriousBarriers(page)).toEqual([]);
    await page.getByLabel('Code of the app').fill('000000');
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    await page.getByText('This code is wrong or was used before.').waitFor();
    await page.getByLabel('Code of the app').fill(appOf(secret).at(clock.at));
    await page.getByRole('button', { name: 'Set up', exact: true }).click();
    const codes = page.getByRole('dialog').getByRole('listitem');
    await codes.first().waitFor();
    expect(await codes.count()).toBe(10);
    const [recoveryCode] = await codes.allTextContents();
    await page.getByRole('dialog').getByText('You were signed out everywhere else.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as text file' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('helioport-recovery-codes.txt');
    expect(await readFile(await file.path(), 'utf8')).toContain(
      (await codes.allTextContents()).join('\n'),
    );
    await picture(page, 'account recovery codes');
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('10 codes left').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();

    const again = await scene.visit(null, '/account', english);
    const window = await signIn(again, owner.email);
    await window.getByText('Now enter the code that your authenticator app shows.').waitFor();
    await window.getByLabel('Code').fill(appOf(secret).at(clock.at));
    await window.getByRole('button', { name: 'Continue' }).click();
    // The code that set the app up is used.
    await window.getByRole('alert').waitFor();
    await picture(window, 'sign-in second step');
    expect(await seriousBarriers(window)).toEqual([]);
    expect(await listSessions(scene.database().db, clock.at, owner.id)).toHaveLength(1);
    await window.getByLabel('Code').fill(recoveryCode!);
    await window.getByRole('button', { name: 'Continue' }).click();
    await window.getByText('9 codes left').waitFor();
    await window.getByText('Chrome on Linux').waitFor();
    expect(again.complaints).toEqual([]);
  });

  test('a passkey is made, signs in alone and after the password, and is refused once it was removed', async () => {
    const owner = await newOwner();
    const visit = await scene.visit(null, '/', english);
    await addAuthenticator(visit.page);
    const page = await signIn(visit, owner.email);
    await page.getByLabel('Name of the passkey').fill('<b>Telefon</b>');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await prove(page);
    await page.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('<b>Telefon</b>').waitFor();
    await page.getByRole('button', { name: 'Rename <b>Telefon</b>' }).click();
    const field = page.getByRole('listitem').getByLabel('Name of the passkey');
    await field.fill(' ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('This did not work.').waitFor();
    await field.fill('Küche');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Küche').waitFor();
    expect((await listPasskeys(scene.database().db, owner.id)).map(({ name }) => name)).toEqual([
      'Küche',
    ]);
    const signOut = async (): Promise<void> => {
      await page.context().clearCookies();
      await page.reload();
      await page.getByRole('button', { name: 'Sign in with a passkey' }).waitFor();
    };
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('last used').waitFor();
    await picture(page, 'account passkey');
    await signOut();
    await signIn(visit, owner.email);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('button', { name: 'Remove Küche' }).click();
    await prove(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByText('No passkeys yet').waitFor();
    expect(await listPasskeys(scene.database().db, owner.id)).toEqual([]);
    await signOut();
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await page.getByText('This passkey was not accepted.').waitFor();
    expect(visit.complaints).toEqual([]);
  });

  test('the clock of the account is set, and its times follow', async () => {
    const owner = await newOwner();
    const { page, complaints } = await scene.visit(owner, '/account', english);
    await page.getByLabel('Time zone').waitFor();
    const zones = await page.getByLabel('Time zone').locator('option').allTextContents();
    expect(zones.filter((zone) => /Kat|Kolk|Calc/.test(zone))).toEqual([
      'Asia/Kathmandu',
      'Asia/Kolkata',
    ]);
    await page.getByLabel('Time zone').selectOption('Europe/Madrid');
    await page.getByText('Saved.').waitFor();
    const shown = new Intl.DateTimeFormat('en', {
      timeZone: 'Europe/Madrid',
      timeStyle: 'short',
    }).format(clock.at);
    await page
      .getByText(
        `Signed in ${new Intl.DateTimeFormat('en', { timeZone: 'Europe/Madrid', dateStyle: 'medium' }).format(clock.at)}, ${shown}`,
      )
      .waitFor();
    expect((await findAccount(scene.database().db, owner.id))!.timeZone).toBe('Europe/Madrid');
    await picture(page, 'account clock');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  test('the language goes with the account to another browser', async () => {
    const owner = await newOwner();
    const { page } = await scene.visit(owner, '/account', english);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Language and appearance' }).click();
    await page.getByLabel('Language', { exact: true }).selectOption('Español');
    await page.getByRole('heading', { name: 'Cuenta y seguridad' }).waitFor();
    await expect
      .poll(async () => (await findAccount(scene.database().db, owner.id))!.language)
      .toBe('es');
    await page.context().close();
    const other = await scene.visit(owner, '/account', english);
    await other.page.getByRole('heading', { name: 'Cuenta y seguridad' }).waitFor();
    await other.page.getByLabel('Idioma').selectOption('Deutsch');
    await other.page.getByRole('heading', { name: 'Konto und Sicherheit' }).waitFor();
    await other.page.getByLabel('Aussehen').selectOption('Dunkel');
    expect(await other.page.evaluate('document.documentElement.dataset.mantineColorScheme')).toBe(
      'dark',
    );
    await expect
      .poll(async () => (await findAccount(scene.database().db, owner.id))!.language)
      .toBe('de');
    expect(other.complaints).toEqual([]);
  });

  test('a changed password signs out everywhere, after a second factor where there is one', async () => {
    const owner = await newOwner();
    const { app } = await addApp(scene.fleet, scene.database().db, owner.id);
    clock.at += STEP_MS;
    const { page } = await scene.visit(owner, '/account', english);
    await page.getByLabel('New password').fill(NEW_PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await prove(page);
    await page.getByLabel('Code').fill(app.at(clock.at));
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await listSessions(scene.database().db, clock.at, owner.id)).toEqual([]);
  });

  test.each([
    [
      'phone, dark, German',
      { ...phone, locale: 'de', colorScheme: 'dark' },
      'Anlagen 1',
      'Konto jetzt schließen',
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en-GB', colorScheme: 'light' },
      'Plants 1',
      'Close account now',
    ],
  ] as const)(
    'is closed after it was said what that means: %s',
    async (name, options, row, now) => {
      const owner = await newOwner();
      await scene.fleet.plant(owner.id, { name: 'Meadow lane' });
      const { page, complaints } = await scene.visit(owner, '/account', options);
      await page.locator('a[href="/account/close"]').click();
      await page.getByRole('row', { name: row }).waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `account close ${name}`);
      await page.getByRole('button', { name: now }).click();
      await prove(page, 'not the password');
      await page.getByRole('alert').last().waitFor();
      await prove(page);
      // The field of the sign-in page: the dialog has one for the password too.
      await page.locator('input[autocomplete=username]').waitFor();
      expect(await findAccount(scene.database().db, owner.id)).toMatchObject({
        disabledAt: clock.at,
        removeAt: clock.at + 14 * 86_400_000,
      });
      expect(complaints).toEqual([]);
    },
  );

  test('other sessions are listed and ended', async () => {
    const owner = await newOwner();
    const other = {
      accountId: owner.id,
      entrance: 'oauth',
      freshFor: null,
      userAgent: '<i>Browser</i>',
    } as const;
    await scene.fleet.write((trx) =>
      insertSession(trx, scene.fleet.act({ address: '203.0.113.7' }), other),
    );
    const { page } = await scene.visit(owner, '/account', english);
    await page.getByText('<i>Browser</i>').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'this browser' }).waitFor();
    await page.getByText('last active').waitFor();
    const signOut = page.getByRole('button', { name: 'Sign out: <i>Browser</i>' });
    await signOut.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await signOut.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('That browser is signed out.').waitFor();
    await page.getByText('<i>Browser</i>').waitFor({ state: 'detached' });
    expect(await listSessions(scene.database().db, clock.at, owner.id)).toHaveLength(1);
  });
});
