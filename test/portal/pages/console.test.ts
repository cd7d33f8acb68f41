import { plantlessKinds } from '@helioport/contract';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { findAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { recordAudit } from '../../../packages/server/src/identity/accounts/audit.ts';
import {
  insertSession,
  listSessions,
} from '../../../packages/server/src/identity/accounts/sessions.ts';
import {
  addCollector,
  insertCollector,
} from '../../../packages/server/src/fleet/collectors/collectors.ts';
import { listTokens } from '../../../packages/server/src/fleet/collectors/tokens.ts';
import {
  getApplication,
  insertApplication,
} from '../../../packages/server/src/identity/oauth/applications.ts';
import { armTasks } from '../../../packages/server/src/platform/work/arm.ts';
import { addApp } from '../../accounts/factors/fixture.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, type PortalScene } from './fixture.ts';

const HOSTILE = '<img src=x onerror=alert(1)> “Ünïcode” مرحبا';
const english: BrowserContextOptions = { ...desk, locale: 'en', colorScheme: 'light' };

describe.skipIf(!findChromium())('the console of operators in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let operator: Account;
  let owner: Account;
  let plantId: string;
  beforeAll(async () => {
    scene = await openScene(clock);
    const { fleet } = scene;
    operator = await fleet.person({ email: 'op@example.com', role: 'operator' });
    await addApp(fleet, scene.database().db, operator.id);
    owner = await fleet.person({ email: 'maria@example.com' });
    plantId = await fleet.plant(owner.id, { name: 'Secret Meadow' });
    await fleet.write(async (trx) => {
      await addCollector(trx, fleet.act(), { sn: 'BOX-1', plantId, model: 'Box' });
      await insertCollector(trx, fleet.act(), { sn: '<b>BOX-2</b>' });
      const terms = {
        redirectUri: 'https://yield.example/callback',
        scopes: ['access_data', 'control_device'] as const,
        purpose: HOSTILE,
      };
      for (const name of [HOSTILE, 'Yield Watch'])
        await insertApplication(trx, fleet.act(), { ...terms, name, ownerId: owner.id });
      await armTasks(trx, 'sweep', ['all'], clock.at - 600_000);
      await insertSession(trx, fleet.act(), {
        accountId: owner.id,
        entrance: 'portal',
        freshFor: null,
        userAgent: HOSTILE,
      });
    });
  });
  afterAll(() => scene?.close());

  test.each([
    ['phone, dark, German', { ...phone, locale: 'de', colorScheme: 'dark' }],
    ['desk, light, English', english],
  ] as const)('can be read, and tells of no plant: %s', async (_, options) => {
    const { page, complaints } = await scene.visit(operator, '/operator', options);
    // In English alone, and said so to screen readers, whatever the language around them.
    for (const [path, title] of [
      ['/operator', 'Health of the service'],
      ['/operator/accounts', 'Accounts'],
      ['/operator/collectors', 'Collectors'],
      ['/operator/applications', 'Applications'],
      ['/operator/trail', 'Audit log'],
    ] as const) {
      if (path !== '/operator') await page.goto(scene.portal.url + path);
      await page.locator('main[lang=en]').getByRole('heading', { level: 1, name: title }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe(
        'locale' in options && options.locale === 'de' ? 'de' : 'en',
      );
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await picture(page, `${path.slice(1).replace('/', '-')} ${options.locale}`);
      expect([path, await seriousBarriers(page)]).toEqual([path, []]);
      expect([path, await fitsItsWidth(page)]).toEqual([path, true]);
      expect(await page.content()).not.toMatch(new RegExp(`Secret Meadow|${plantId}`));
      expect([path, complaints]).toEqual([path, []]);
    }
  });

  test('what needs a look is said in words', async () => {
    const { page } = await scene.visit(operator, '/operator', english);
    await page.getByText('“Delete what is past its time” has waited for 10 min.').waitFor();
    // The server under test has none; limits are words beside the setting's name.
    await page.route('**/service/health', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { data: object };
      const limits = [
        { setting: 'HELIOPORT_RATE_LIMIT', value: 10 },
        { setting: 'HELIOPORT_EVENT_LIMIT', value: 5_000_000 },
      ];
      await route.fulfill({ response: answer, json: { ...body, data: { ...body.data, limits } } });
    });
    await page.reload();
    await page.getByText('10 – requests a second to one operation').waitFor();
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'operator-limits en');
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await seriousBarriers(page)).toEqual([]);
    await page.getByText('A collector does not report.').click();
    await page.getByRole('heading', { level: 1, name: 'Collectors' }).waitFor();
    expect(await page.getByLabel('State').inputValue()).toBe('silent');
    await page.goBack();
    await page.getByRole('link', { name: 'Disabled: 0' }).click();
    await page.getByText('Nobody found').waitFor();
  });

  test('operators find nothing else in the portal, and are asked for a second factor first', async () => {
    const { page, complaints } = await scene.visit(operator, '/plants/new', english);
    await page.getByRole('heading', { level: 1, name: 'Health of the service' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/operator');
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Account and Security' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'New plant' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
    const fresh = await scene.fleet.person({ email: 'fresh@example.com', role: 'operator' });
    const { page: without } = await scene.visit(fresh, '/operator', english);
    await without.getByRole('heading', { name: 'Set up a second factor first' }).waitFor();
    await without.getByRole('link', { name: 'To account and security' }).click();
    await without.getByRole('heading', { level: 1, name: 'Account and Security' }).waitFor();
    await without.context().close();
    const { page: foreign } = await scene.visit(owner, '/operator', english);
    await foreign.getByText('This does not exist, or you have no access to it').waitFor();
  });

  test('an account is found, its sessions are ended, and it is disabled after a second thought', async () => {
    const { page, complaints } = await scene.visit(operator, '/operator/accounts', english);
    await page.getByLabel('E-mail or name').fill('MARIA');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page
      .getByRole('button', { name: 'Manage: op@example.com' })
      .waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage: maria@example.com' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(HOSTILE).waitFor();
    await picture(page, 'operator-account en');
    expect(await seriousBarriers(page)).toEqual([]);
    // A double click does not confirm.
    await dialog.getByRole('button', { name: 'End all sessions' }).dblclick();
    expect(await listSessions(scene.database().db, clock.at, owner.id)).not.toEqual([]);
    await dialog.getByRole('button', { name: 'End all sessions – Are you sure?' }).click();
    await page.getByText('Done.').waitFor();
    const { db } = scene.database();
    expect(await listSessions(db, clock.at, owner.id)).toEqual([]);
    // What cannot be done here is known before, with what does it.
    expect(
      await dialog.getByRole('button', { name: 'Send a link for a new password' }).isDisabled(),
    ).toBe(true);
    await dialog.getByText('This installation sends no e-mails').waitFor();
    expect(await dialog.getByLabel('Command on the server', { exact: true }).inputValue()).toBe(
      'helioport user password maria@example.com',
    );
    await dialog.getByRole('button', { name: 'Disable', exact: true }).dblclick();
    expect((await findAccount(db, owner.id))!.disabledAt).toBeNull();
    await dialog.getByRole('button', { name: 'Disable – Are you sure?' }).click();
    await dialog.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    expect((await findAccount(db, owner.id))!.disabledAt).toBe(clock.at);
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
    await dialog.getByRole('button', { name: 'Enable – Are you sure?' }).click();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('an account tells why somebody cannot log in, and leads to its trail', async () => {
    const { fleet } = scene;
    const person = await fleet.person({ email: "o'neill@example.com" });
    const record = (kind: 'logIn.succeeded' | 'logIn.refused', data: object = {}) =>
      fleet.write((trx) =>
        recordAudit(trx, fleet.act({ address: '192.0.2.7' }), {
          kind,
          accountId: person.id,
          data: { ...data },
        }),
      );
    const now = clock.at;
    clock.at = now - 3_600_000;
    await record('logIn.refused');
    clock.at = now - 1_800_000;
    await record('logIn.succeeded');
    clock.at = now - 600_000;
    await record('logIn.refused');
    await record('logIn.refused', { step: 'second factor' });
    clock.at = now;
    const { page, complaints } = await scene.visit(operator, '/operator/accounts?search=neill', {
      ...phone,
      locale: 'en',
      colorScheme: 'light',
    });
    await page.getByRole('button', { name: `Manage: ${person.email}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Last sign-in 30 min').waitFor();
    // Those before the last log-in do not matter any more.
    await dialog
      .getByText(/Refused since: 2, last 10 min.* · 192\.0\.2\.7 · wrong second factor/)
      .waitFor();
    expect(await dialog.getByLabel('Command on the server', { exact: true }).inputValue()).toBe(
      String.raw`helioport user password 'o'\''neill@example.com'`,
    );
    await picture(page, 'operator-log-ins en');
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await dialog.getByRole('link', { name: 'Everything on record about this account' }).click();
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
    await expect.poll(() => page.getByRole('table').locator('tbody tr').count()).toBe(5);
    expect(new URL(page.url()).searchParams.get('email')).toBe(person.email);
    await picture(page, 'operator-trail-of-account en');
    expect(await fitsItsWidth(page)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('a collector loses its tokens after a second thought, and gets no other', async () => {
    const { page, complaints } = await scene.visit(operator, '/operator/collectors', english);
    await page.getByLabel('State').selectOption('silent');
    await page.getByRole('button', { name: 'Manage: <b>BOX-2</b>' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage: BOX-1' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('until it has a new token').waitFor();
    await picture(page, 'operator-token en');
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await dialog.getByRole('button', { name: /new token/i }).count()).toBe(0);
    const { db } = scene.database();
    const { id } = await db
      .selectFrom('device')
      .select('id')
      .where('sn', '=', 'BOX-1')
      .executeTakeFirstOrThrow();
    await dialog.getByRole('button', { name: 'Withdraw tokens' }).click();
    expect(await listTokens(db, id, clock.at)).toHaveLength(1);
    await dialog.getByRole('button', { name: 'Withdraw tokens – Are you sure?' }).click();
    await page.getByText('BOX-1 cannot report any more.').waitFor();
    expect(await listTokens(db, id, clock.at)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('an application is approved for less than it asks, another is rejected with a reason', async () => {
    const { page, complaints } = await scene.visit(operator, '/operator/applications', english);
    await page.getByRole('button', { name: 'Approve: Yield Watch' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('checkbox', { name: 'Controls devices' }).uncheck();
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Yield Watch is approved.').waitFor();
    // What was asked for stays to be seen beside what was granted.
    const card = page
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: 'Yield Watch' }) });
    await expect
      .poll(() => card.textContent())
      .toMatch(
        /decided Nov 6, 2026.*Asks forReads plants and their dataControls devicesGrantedReads plants and their dataCallback/,
      );
    await picture(page, 'operator-narrowed en');
    const { page: theirs } = await scene.visit(
      owner,
      `/developer/${(await getApplication(scene.database().db, 'Yield Watch')).clientId}`,
      {
        ...phone,
        locale: 'en',
        colorScheme: 'light',
      },
    );
    await theirs.getByText('Approved for less than you asked').waitFor();
    await theirs.getByText('Left out: Change settings of devices.').waitFor();
    await picture(theirs, 'developer-narrowed en');
    expect(await seriousBarriers(theirs)).toEqual([]);
    expect(await fitsItsWidth(theirs)).toBe(true);
    await page.getByRole('button', { name: `Reject: ${HOSTILE}` }).click();
    await dialog.getByLabel('Why, for its developer').fill('Says nothing of itself');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No application waits for a decision').waitFor();
    const { db } = scene.database();
    expect(await getApplication(db, 'Yield Watch')).toMatchObject({
      status: 'approved',
      scopes: 1,
    });
    expect(await getApplication(db, HOSTILE)).toMatchObject({
      status: 'rejected',
      reason: 'Says nothing of itself',
    });
    expect(complaints).toEqual([]);
  });

  test('the trail is searched by kind and by whom it concerns', async () => {
    const { page, complaints } = await scene.visit(operator, '/operator/trail', english);
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.first().waitFor();
    await page.getByLabel('What').selectOption('account.created');
    await page.getByLabel('About whom (e-mail)').fill('maria@example.com');
    await page.getByLabel('From (UTC)').fill('2026-11-06');
    await page.getByLabel('To, inclusive (UTC)').fill('2026-11-06');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect.poll(() => rows.count()).toBe(1);
    expect(await rows.first().textContent()).toMatch(
      /account\.created.*Command line.*maria@example\.com/,
    );
    // The address says what was found, so that it can be sent.
    const { page: other } = await scene.visit(
      operator,
      page.url().replace(/^https?:..[^/]*/, ''),
      english,
    );
    await expect.poll(() => other.getByRole('table').locator('tbody tr').count()).toBe(1);
    expect(await other.getByLabel('What').inputValue()).toBe('account.created');
    // All kinds that the page can show can be chosen.
    const kinds = await page
      .getByLabel('What')
      .locator('option')
      .evaluateAll((options) => options.map((one) => one.getAttribute('value')));
    expect(new Set(kinds)).toEqual(new Set(['', ...plantlessKinds]));
    await page.getByLabel('About whom (e-mail)').fill('mari');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('No account has this e-mail address').waitFor();
    await page.getByRole('link', { name: 'Search accounts by a part of it' }).click();
    await page.getByRole('button', { name: 'Manage: maria@example.com' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
