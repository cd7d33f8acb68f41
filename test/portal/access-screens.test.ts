import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listKeyPairs } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { listGrants, recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { dayIn } from '../../packages/server/src/identity/oauth/uses/count-uses.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { listAccess } from '../../packages/server/src/fleet/plants/access.ts';
import { invite } from '../../packages/server/src/fleet/plants/invitations/invite.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { addApp } from '../accounts/factors/fixture.ts';
import { addClient, addOwner, PASSWORD } from '../oauth/fixture.ts';
import {
  findChromium,
  fitsItsWidth,
  hasFocus,
  sharedChromium,
  misplacedLabels,
  picture,
  seriousBarriers,
} from '../support/browser.ts';
import { credentials } from '../support/credentials.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { startPortal, visitAs, type TestPortal } from '../support/portal.ts';
import { applicationCaller, createWorld, settableClock } from '../support/world.ts';
import { visit } from './visit.ts';

const HOSTILE = '<img src=x onerror=alert(1)> “Ünïcode” مرحبا';

describe.skipIf(!findChromium())('the pages about access', () => {
  const clock = settableClock('2026-11-06T05:01:09Z');
  let database: TestDatabase;
  const world = createWorld(() => database, clock);
  let portal: TestPortal;
  let browser: Browser;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    portal = await startPortal(database, clock);
    browser = await sharedChromium();
  }, 120_000);
  afterAll(async () => {
    await portal.close();
    await database.drop();
  });

  /** An owner with two plants, an application that wrote a setting, a friend and an open invitation. */
  async function household() {
    const owner = await addOwner(world);
    const friend = await world.person();
    const plants = [
      await world.plant(owner.id, { name: 'House', timeZone: 'Asia/Kathmandu' }),
      await world.plant(owner.id, { name: HOSTILE }),
    ] as const;
    const { id: deviceId } = await world.device(plants[0], { model: 'SIM-8K-ES' });
    const { application } = await addClient(world, {
      name: `Yield Watch ${owner.id.slice(-6)}`,
      purpose: 'Keeps the battery full',
      homePage: 'https://yield.example/about',
    });
    await world.write(async (trx) => {
      const act = world.act();
      const grantId = await recordConsent(
        trx,
        { ...act, at: clock.at - 2 * 86_400_000 },
        {
          accountId: owner.id,
          applicationId: application.id,
          asked: 3,
          approved: 3,
          plantIds: null,
        },
      );
      const caller = applicationCaller(owner.id, { applicationId: application.id, grantId });
      const wanted = {
        deviceId,
        plantId: plants[0],
        parameter: '157',
        value: '20',
        expiresAt: clock.at + 300_000,
      };
      await queueCommands(trx, { ...act, actor: `application:${application.id}` }, caller, [
        wanted,
      ]);
      const url = 'https://192.0.2.1/events';
      await insertDestination(trx, act, await credentials.secretBox(), application, {
        ...settingPartsOf({ url }),
        url,
        kinds: ['alarm.raised'],
      });
      const lifetimes = { codeMs: 1_800_000, accessTokenMs: 0, refreshTokenMs: 0, benignMs: 0 };
      const asked = {
        grantId,
        applicationId: application.id,
        accountId: owner.id,
        scopes: 3,
        redirectUri: 'https://platform.example/callback',
        challenge: '',
      };
      await issueCode(trx, clock.now(), lifetimes, asked);
      const use = { accountId: owner.id, applicationId: application.id };
      const today = dayIn('UTC', clock.at);
      await trx
        .insertInto('applicationUse')
        .values([
          { ...use, day: today, reads: 1440, writes: 2, forwarded: 1, lastAt: clock.at - 600_000 },
          {
            ...use,
            day: today - 1,
            reads: 288,
            writes: 0,
            forwarded: 1200,
            lastAt: clock.at - 86_400_000,
          },
        ])
        .execute();
      await runEveningPeak(
        trx,
        { applicationId: application.id, accountId: owner.id, grantId },
        { deviceId, plantId: plants[0] },
      );
      await sharePlant(trx, act, plants[0], friend.email, 'control');
      await invite(trx, act, {
        plantId: plants[1],
        fromAccountId: owner.id,
        to: { email: 'grandma@example.com' },
        kind: 'share',
        level: 'read',
      });
    });
    return { owner, friend, plants, application };
  }

  /** A strategy of an application that runs on a device. */
  async function runEveningPeak(
    trx: Db,
    by: { applicationId: string; accountId: string; grantId: string },
    on: { deviceId: string; plantId: string },
  ) {
    const strategy = {
      ...by,
      id: world.newId(),
      reference: 'evening',
      request: '{}',
      name: 'Evening peak',
      program: null,
      priority: 0,
    };
    const times = {
      startAt: clock.at,
      endAt: clock.at + 86_400_000,
      createdAt: clock.at,
      dispatchedAt: clock.at,
    };
    const none = {
      heartbeatSeconds: null,
      heartbeatAt: null,
      dividedAt: null,
      endedAt: null,
      endedAs: null,
      reason: null,
    };
    const content = JSON.stringify({ kind: 'setPoint', powerKw: 1 });
    await trx
      .insertInto('strategy')
      .values({ ...strategy, ...times, ...none, content })
      .execute();
    const notYet = {
      reason: null,
      batteryVoltageV: null,
      endedAt: null,
      restoredAt: null,
      retryAt: null,
      pausedAt: null,
    };
    await trx
      .insertInto('strategyDevice')
      .values({
        strategyId: strategy.id,
        ...on,
        state: 'active',
        powerKw: 1,
        appliedAt: clock.at,
        ...notYet,
      })
      .execute();
  }

  const open = (accountId: string, path: string, options: BrowserContextOptions = {}) =>
    visit(browser, world, portal.url, accountId, path, options);

  test('the ways that instructions name lead there: Account and Security, then Authorization Management; Service, then API Management', async () => {
    const { owner } = await household();
    for (const options of [
      { viewport: { width: 1280, height: 860 } },
      { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ]) {
      const { page, complaints } = await open(owner.id, '/', options);
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.getByRole('menuitem', { name: 'Account and Security', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Account and Security' }).waitFor();
      await page
        .getByRole('main')
        .getByRole('link', { name: 'Authorization Management', exact: true })
        .click();
      await page.getByRole('heading', { level: 1, name: 'Authorization Management' }).waitFor();
      await page.getByRole('button', { name: 'Account and settings' }).click();
      await page.getByText('Service', { exact: true }).waitFor();
      await page.getByRole('menuitem', { name: 'API Management', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'API Management' }).waitFor();
      await page.getByRole('button', { name: 'Activate Now', exact: true }).waitFor();
      expect(complaints).toEqual([]);
    }
  });

  test('a key pair is activated, shown once, replaced with an overlap and disabled', async () => {
    const { owner } = await household();
    const { page, complaints } = await open(owner.id, '/');
    // Service > API Management, as written instructions call the way.
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByText('Service', { exact: true }).waitFor();
    await page.getByRole('menuitem', { name: 'API Management' }).click();
    await page.getByText('A key lets a program of yours read or control your plants.').waitFor();
    expect(
      await page
        .getByRole('navigation', { name: 'Main' })
        .locator('[aria-current]:visible')
        .allInnerTexts(),
    ).toEqual(['Access']);
    await page.getByRole('link', { name: 'API Management', exact: true }).waitFor();
    await page
      .getByText('“Activate Now” makes a key pair that lets your own programs in.')
      .waitFor();
    await page.getByRole('button', { name: 'Activate Now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(HOSTILE);
    await dialog.getByRole('radio', { name: 'Only some plants' }).check();
    expect(await dialog.getByRole('button', { name: 'Create key pair' }).isDisabled()).toBe(true);
    await dialog.getByRole('checkbox', { name: 'House' }).check();
    // However long the form, its buttons are in view, and never in front of the field that is filled.
    const inView = await dialog.getByRole('button', { name: 'Create key pair' }).boundingBox();
    expect(inView!.y + inView!.height).toBeLessThanOrEqual(800);
    await picture(page, 'keys-some-plants-1280-light');
    await dialog.getByLabel('Only from these addresses').fill('nonsense');
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    expect(await page.evaluate('document.activeElement.type')).toBe('password');
    expect(await dialog.getByText(/demo/).count()).toBe(0);
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByText('One of these is neither an address nor a network.').waitFor();
    await picture(page, 'keys-wrong-network-1280-light');
    expect(
      await dialog
        .getByLabel('Only from these addresses')
        .evaluate((field) => field === field.ownerDocument.activeElement),
    ).toBe(true);
    expect(await dialog.getByLabel('Your password', { exact: true }).inputValue()).toBe(PASSWORD);
    await dialog.getByLabel('Only from these addresses').fill('203.0.113.0/24');
    expect(await dialog.getByLabel('Expires').inputValue()).toBe('365');
    expect(await dialog.getByLabel('Expires').locator('option[value="182"]').textContent()).toMatch(
      /^in half a year \(until .*May 7, 2027\)$/,
    );
    await dialog.getByLabel('Expires').selectOption('on a day of your choice');
    await dialog.getByLabel('Last day').fill('2026-12-31');
    await picture(page, 'keys-form-1280-light');
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByText('The KeySecret is shown only now').waitFor();
    const keyId = await dialog.getByLabel('KeyID', { exact: true }).inputValue();
    const keySecret = await dialog.getByLabel('KeySecret', { exact: true }).inputValue();
    expect([keyId, keySecret]).toEqual([
      expect.stringMatching(/^\d{19}$/),
      expect.stringMatching(/^[0-9a-f]{32}$/),
    ]);
    await dialog.getByText('A signed request to try').click();
    expect(await dialog.getByLabel('A signed request to try').inputValue()).toContain(
      `KEY_ID='${keyId}'\nKEY_SECRET='${keySecret}'`,
    );
    await picture(page, 'keys-secret-1280-light');
    const [stored] = await listKeyPairs(database.db, owner.id);
    expect(stored).toMatchObject({
      keyId,
      label: HOSTILE,
      canControl: false,
      cidrs: ['203.0.113.0/24'],
      pending: true,
      expiresAt: Date.parse('2026-12-31T23:59:00Z'),
    });
    expect(stored!.plantIds).toHaveLength(1);
    // The secret is not lost unasked, until it has been copied.
    const question = page.getByRole('dialog', { name: 'Close without the KeySecret?' });
    for (const leave of ['Later', 'Sign out now', 'Close']) {
      await dialog.getByRole('button', { name: leave, exact: true }).first().click();
      await question.getByRole('button', { name: 'Cancel' }).click();
      await question.waitFor({ state: 'detached' });
    }
    await dialog.getByLabel('KeySecret', { exact: true }).focus();
    await page.keyboard.press('ControlOrMeta+c');
    await dialog.getByRole('button', { name: 'Later' }).click();
    await page.getByText('A key pair waits for your next sign-in').waitFor();
    const guide = page.getByRole('link', { name: 'How to use a key' });
    expect([await guide.getAttribute('target'), await guide.getAttribute('href')]).toEqual([
      '_blank',
      expect.stringMatching(/\/reference\/guides\/signing$/),
    ]);
    await page.getByRole('cell', { name: 'House' }).waitFor();
    expect(await page.content()).not.toContain(keySecret);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);

    await page.getByRole('button', { name: /^Replace/ }).click();
    expect(await dialog.getByLabel('Name').inputValue()).toBe(HOSTILE);
    expect(await dialog.getByLabel('Only from these addresses').inputValue()).toBe(
      '203.0.113.0/24',
    );
    // It lasts as long as the one before, and the dialog says what becomes of that.
    expect(await dialog.getByLabel('Last day').inputValue()).toBe('2026-12-31');
    await dialog.getByText('which goes on working until you disable it').waitFor();
    await picture(page, 'keys-replace-1280-light');
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'keys-replace-390-light');
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create replacement' }).click();
    await dialog
      .getByText('The old key pair works until you disable it, or until Dec 31, 2026, 11:59 PM.')
      .waitFor();
    // What was shown before was left at its end.
    const once = await dialog.getByText('The KeySecret is shown only now').boundingBox();
    expect(once!.y).toBeGreaterThan(
      (await dialog.getByRole('button', { name: 'Close', exact: true }).boundingBox())!.y,
    );
    await picture(page, 'keys-secret-390-light');
    await dialog.getByText('A signed request to try').click();
    await expect
      .poll(async () => (await dialog.getByLabel('A signed request to try').boundingBox())!.y)
      .toBeLessThan(844 - 100);
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Later' }).click();
    await question.getByRole('button', { name: 'Close anyway' }).click();
    await page.getByText('The newest of this name, made on Nov 6, 2026').waitFor();
    await page
      .getByText('An older one of this name; works until Dec 31, 2026, 11:59 PM.')
      .waitFor();
    await picture(page, 'keys-replaced-1280-light');
    expect((await listKeyPairs(database.db, owner.id)).map(({ disabledAt }) => disabledAt)).toEqual(
      [null, null],
    );

    await page.getByRole('button', { name: new RegExp(`^Disable.*${keyId}`) }).click();
    await page.getByRole('dialog').getByText(keyId, { exact: true }).waitFor();
    await page.getByRole('dialog').getByText('Otherwise it works until Dec 31, 2026').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('1 key pair ended').click();
    await page.getByRole('cell', { name: /^Disabled\s*Nov 6, 2026/ }).waitFor();
    await picture(page, 'keys-ended-1280-light');
    expect((await listKeyPairs(database.db, owner.id)).map(({ disabledAt }) => disabledAt)).toEqual(
      [clock.at, null],
    );

    // Signing out leads to the sign-in, after which the key pair is active.
    await page.getByRole('button', { name: 'Sign out now' }).click();
    await page.getByLabel('E-mail').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect
      .poll(async () => (await listKeyPairs(database.db, owner.id)).map(({ pending }) => pending))
      .toEqual([false, false]);
    expect(complaints).toEqual([]);
  });

  test('a second factor is asked for where the account has one', async () => {
    const { owner } = await household();
    const { recoveryCodes } = await addApp(world, database.db, owner.id);
    const { page, complaints } = await open(owner.id, '/keys');
    await page.getByRole('button', { name: 'Activate Now' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByLabel('Second factor').fill('000000');
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByText('The code is wrong').waitFor();
    expect(await listKeyPairs(database.db, owner.id)).toEqual([]);
    await dialog.getByLabel('Second factor').fill(recoveryCodes[0]!);
    await dialog.getByRole('button', { name: 'Create key pair' }).click();
    await dialog.getByText('The KeySecret is shown only now').waitFor();
    expect(complaints).toEqual([]);
  });

  test('what an application may do and did is shown, restricted and revoked; so are shares and invitations', async () => {
    const { owner, friend, plants, application } = await household();
    const { page, complaints } = await open(owner.id, '/authorizations');
    const card = page.getByRole('article').filter({ hasText: application.name });
    await card.getByText('1 setting of a device').waitFor();
    await card.getByText(`${application.name} says: “Keeps the battery full”`).waitFor();
    expect(
      await card
        .getByRole('link', { name: 'Website: https://yield.example/about' })
        .getAttribute('href'),
    ).toBe('https://yield.example/about');
    await card.getByText('History', { exact: true }).click();
    await card.getByText(`${application.name} changed a setting.`).waitFor();
    await card.getByText('Reserve for power cuts → 20 %').waitFor();
    // By the clock of the plant, which is named, unlike what concerns no single plant.
    await card.getByRole('heading', { name: /Nov 6, 2026 Kathmandu \(GMT\+5:45\)$/ }).waitFor();
    const entry = (text: string) => card.getByRole('listitem').filter({ hasText: text });
    await entry('changed a setting').getByText('10:46 AM', { exact: true }).waitFor();
    await entry(`You gave ${application.name} access.`)
      .getByText('It may read data and control devices, in all plants, also future ones.')
      .waitFor();
    await card.getByText(/^House · .* → 20 %$/).waitFor();
    await card.getByText('new alarms').waitFor();
    await picture(page, 'authorizations-deeds-1280-light');
    await card.getByText(/^10 min/).waitFor();
    await card.getByText('Day by day, in the last 30 days').click();
    const rows = card
      .getByRole('region', { name: 'Day by day, in the last 30 days' })
      .getByRole('row');
    expect(await rows.allTextContents()).toEqual(
      ['DayReadChangedSettingsSent', 'Nov 6, 20261,440211', 'Nov 5, 20262881,200'].map((text) =>
        expect.stringContaining(text),
      ),
    );
    await picture(page, 'authorizations-uses-1280-light');
    expect(await page.getByText(friend.email).count()).toBe(1);
    await page.getByText(/^Can view and control House\. Since Nov 6, 2026/).waitFor();
    await page
      .getByText(
        /^Invited to view .* No answer yet\. The invitation can be accepted until Dec 6, 2026/,
      )
      .waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);

    const dialog = page.getByRole('dialog');
    await card.getByRole('button', { name: /^Revoke/ }).click();
    await dialog.getByText('Its strategy “Evening peak” in House').waitFor();
    await picture(page, 'authorizations-revoke');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });

    const restrict = card.getByRole('button', { name: /^Restrict/ });
    await restrict.click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => hasFocus(restrict)).toBe(true);
    await restrict.click();
    expect(await dialog.getByRole('button', { name: 'Restrict' }).isDisabled()).toBe(true);
    await dialog.getByRole('radio', { name: 'Only some plants' }).check();
    const [house, other] = ['House', HOSTILE].map((name) => dialog.getByRole('checkbox', { name }));
    expect([await house!.isChecked(), await other!.isChecked()]).toEqual([true, true]);
    expect(await dialog.getByText('This ends').count()).toBe(0);
    await house!.uncheck();
    await dialog.getByText('Its strategy “Evening peak” in House').waitFor();
    await picture(page, 'authorizations-restrict-1280-light');
    await house!.check();
    await dialog.getByText('This ends').waitFor({ state: 'detached' });
    await dialog.getByRole('checkbox', { name: 'Controls devices' }).uncheck();
    await dialog.getByText('Its strategy “Evening peak” in House').waitFor();
    await house!.uncheck();
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'authorizations-restrict-390-light');
    await page.setViewportSize({ width: 1280, height: 800 });
    await dialog.getByRole('button', { name: 'Restrict' }).click();
    await page.getByText(`${application.name} has been restricted.`).waitFor();
    const deed = card
      .getByRole('listitem')
      .filter({ hasText: `You restricted ${application.name}.` });
    expect(await deed.locator('small').allTextContents()).toEqual([
      `It may only read data now, in \u2068${HOSTILE}\u2069.`,
    ]);
    expect(await listGrants(database.db, owner.id)).toMatchObject([
      { scopes: ['access_data'], plantIds: [plants[1]] },
    ]);

    await page.getByRole('button', { name: new RegExp(`^End access: ${friend.email}`) }).click();
    await dialog
      .getByText('This person can no longer see or control the plant, from now on.')
      .waitFor();
    await dialog.getByRole('button', { name: 'End access' }).click();
    await page.getByText(`${friend.email} has no access any more.`).waitFor();
    expect((await listAccess(database.db, plants[0])).map(({ level }) => level)).toEqual(['owner']);
    await page.getByRole('button', { name: /^Take back: grandma@example.com/ }).click();
    await page.getByText('Nobody else sees your plants.').waitFor();

    await card.getByRole('button', { name: /^Revoke/ }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('No application has access to your plants.').waitFor();
    // What it did can still be seen, with when and by whom its access was ended.
    await page.getByRole('heading', { name: 'Ended' }).waitFor();
    await page.getByText(/^ended by you on /).click();
    const ended = page.locator('details').filter({ hasText: application.name });
    const days = ended
      .getByRole('region', { name: 'Day by day, in its last 30 days' })
      .getByRole('row');
    await expect
      .poll(async () => (await days.allTextContents()).slice(1))
      .toEqual(
        ['Nov 6, 20261,440211', 'Nov 5, 20262881,200'].map((text) => expect.stringContaining(text)),
      );
    await ended.getByText('Reserve for power cuts → 20 %').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await picture(page, 'authorizations-ended-1280-light');
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, 'authorizations-ended-390-light');
    expect(await listGrants(database.db, owner.id)).toMatchObject([
      { revokedAt: clock.at, revokedBy: `account:${owner.id}` },
    ]);
    expect(complaints).toEqual([]);
  });

  test('a person is invited to the plants that are chosen; who may see one of them already is not invited to it again', async () => {
    const { owner, friend, plants } = await household();
    const { page, complaints } = await open(owner.id, '/authorizations', {
      viewport: { width: 390, height: 844 },
    });
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const form = page.getByRole('region', { name: 'Invite a person' });
    expect(await form.getByRole('button', { name: 'Invite' }).isDisabled()).toBe(true);
    for (const name of ['House', HOSTILE]) await form.getByRole('checkbox', { name }).check();
    await form.getByLabel('E-mail address').fill(friend.email);
    await form.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(`${friend.email} can already view and control House. The change applies at once`)
      .waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await form.getByLabel('What the person may do').selectOption('control');
    await picture(page, 'authorizations-invite-390-light');
    await form.getByRole('button', { name: 'Invite' }).click();
    await page.getByText(`${friend.email} has been invited.`).waitFor();
    await page
      .getByText(`No e-mails are sent here: please tell ${friend.email} yourself`)
      .waitFor();
    // The next guest may be one for other plants.
    for (const name of ['House', HOSTILE])
      expect(await form.getByRole('checkbox', { name }).isChecked()).toBe(false);
    const sent = await database.db
      .selectFrom('invitation')
      .select(['plantId', 'level'])
      .where('email', '=', friend.email)
      .execute();
    expect(sent).toEqual([{ plantId: plants[1], level: 'control' }]);
    await page.getByText(/^Invited to view and control .* No answer yet/).waitFor();
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test.each([
    {
      path: '/keys',
      width: 360,
      colorScheme: 'dark',
      locale: 'de',
      title: 'API-Verwaltung',
      times: 'Zeiten in',
    },
    {
      path: '/keys',
      width: 1280,
      colorScheme: 'light',
      locale: 'en',
      title: 'API Management',
      times: 'Times in',
    },
    {
      path: '/authorizations',
      width: 320,
      colorScheme: 'light',
      locale: 'de',
      title: 'Autorisierungen verwalten',
      times: 'Zeiten in',
    },
    {
      path: '/authorizations',
      width: 1280,
      colorScheme: 'dark',
      locale: 'zh',
      title: '授权管理',
      times: '时间为',
    },
  ] as const)(
    '$path fits $width px, $colorScheme, in $locale, and keeps nobody out',
    async ({ path, title, width, times, locale, ...look }) => {
      const { owner } = await household();
      const { visitor } = await visitAs(world, portal.url, owner.id);
      await visitor.call('key/create', {
        label: 'Heimserver '.repeat(9),
        canControl: 1,
        password: PASSWORD,
        expiresAt: clock.at + 86_400_000,
      });
      const { page, complaints } = await open(owner.id, path, {
        ...look,
        locale,
        viewport: { width, height: 800 },
      });
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      // Another word than for undoing a change of a device.
      if (locale === 'zh') await page.getByRole('button', { name: /^取消授权/ }).waitFor();
      await page.getByText(`${times} ${owner.timeZone.split('/').at(-1)}`).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await picture(page, `${path.slice(1)}-${width}-${look.colorScheme}-${locale}`);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await misplacedLabels(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
