import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/accounts/accounts.ts';
import { findAccount } from '../../../packages/server/src/accounts/accounts.ts';
import { insertSession, listSessions } from '../../../packages/server/src/accounts/sessions.ts';
import { addCollector, insertCollector } from '../../../packages/server/src/collectors/collectors.ts';
import { listTokens } from '../../../packages/server/src/collectors/tokens.ts';
import { getApplication, insertApplication } from '../../../packages/server/src/oauth/applications.ts';
import { armTasks } from '../../../packages/server/src/work/arm.ts';
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
      const terms = { redirectUri: 'https://yield.example/callback', scopes: ['access_data', 'control_device'] as const, purpose: HOSTILE };
      for (const name of [HOSTILE, 'Yield Watch']) await insertApplication(trx, fleet.act(), { ...terms, name, ownerId: owner.id });
      await armTasks(trx, 'sweep', ['all'], clock.at - 600_000);
      await insertSession(trx, fleet.act(), { accountId: owner.id, entrance: 'portal', freshFor: null, userAgent: HOSTILE });
    });
  });
  afterAll(() => scene?.close());

  test.each([
    ['/operator', 'Zustand des Dienstes', 'Health of the service'],
    ['/operator/accounts', 'Konten', 'Accounts'],
    ['/operator/collectors', 'Datensammler', 'Collectors'],
    ['/operator/applications', 'Anwendungen', 'Applications'],
    ['/operator/trail', 'Protokoll', 'Audit trail'],
  ])('%s can be read on a phone and at a desk, dark and light, and tells of no plant', async (path, german, title) => {
    for (const [heading, options] of [
      [german, { ...phone, locale: 'de', colorScheme: 'dark' }],
      [title, english],
    ] as const) {
      const { page, complaints } = await scene.visit(operator, path, options);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await picture(page, `${path.slice(1).replace('/', '-')} ${options.locale}`);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await page.content()).not.toMatch(new RegExp(`Secret Meadow|${plantId}`));
      expect(complaints).toEqual([]);
    }
  });

  test('what needs a look is said in words', async () => {
    const { page } = await scene.visit(operator, '/operator', english);
    await page.getByText('Work of the kind sweep has waited for 10 min.').waitFor();
    await page.getByText('A collector does not report.').waitFor();
  });

  test('operators find nothing else in the portal, and are asked for a second factor first', async () => {
    const { page, complaints } = await scene.visit(operator, '/plants/new', english);
    await page.getByRole('heading', { level: 1, name: 'Health of the service' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/operator');
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Account and security' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'New plant' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
    const fresh = await scene.fleet.person({ email: 'fresh@example.com', role: 'operator' });
    const { page: without } = await scene.visit(fresh, '/operator', english);
    await without.getByRole('heading', { name: 'Set up a second factor first' }).waitFor();
    await without.getByRole('link', { name: 'To account and security' }).click();
    await without.getByRole('heading', { level: 1, name: 'Your account' }).waitFor();
    await without.context().close();
    const { page: foreign } = await scene.visit(owner, '/operator', english);
    await foreign.getByText('This does not exist, or you have no access to it').waitFor();
  });

  test('an account is found, its sessions are ended, and it is disabled after a second thought', async () => {
    const { page, complaints } = await scene.visit(operator, '/operator/accounts', english);
    await page.getByLabel('E-mail or name').fill('MARIA');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Manage: op@example.com' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Manage: maria@example.com' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(HOSTILE).waitFor();
    await picture(page, 'operator-account en');
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'End all sessions' }).click();
    await dialog.getByRole('button', { name: 'End all sessions – Are you sure?' }).click();
    await page.getByText('Done.').waitFor();
    const { db } = scene.database();
    expect(await listSessions(db, clock.at, owner.id)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send a link for a new password' }).click();
    await dialog.getByRole('button', { name: /Send a link .* sure/ }).click();
    await page.getByText('this installation sends no e-mails').waitFor();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).click();
    expect((await findAccount(db, owner.id))!.disabledAt).toBeNull();
    await dialog.getByRole('button', { name: 'Disable – Are you sure?' }).click();
    await dialog.getByRole('button', { name: 'Enable', exact: true }).waitFor();
    expect((await findAccount(db, owner.id))!.disabledAt).toBe(clock.at);
    await dialog.getByRole('button', { name: 'Enable', exact: true }).click();
    await dialog.getByRole('button', { name: 'Enable – Are you sure?' }).click();
    await dialog.getByRole('button', { name: 'Disable', exact: true }).waitFor();
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
    const { id } = await db.selectFrom('device').select('id').where('sn', '=', 'BOX-1').executeTakeFirstOrThrow();
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
    await page.getByText('Yield Watch is decided.').waitFor();
    await page.getByRole('button', { name: `Reject: ${HOSTILE}` }).click();
    await dialog.getByLabel('Why, for its developer').fill('Says nothing of itself');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('No application waits for a decision').waitFor();
    const { db } = scene.database();
    expect(await getApplication(db, 'Yield Watch')).toMatchObject({ status: 'approved', scopes: 1 });
    expect(await getApplication(db, HOSTILE)).toMatchObject({ status: 'rejected', reason: 'Says nothing of itself' });
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
    expect(await rows.first().textContent()).toMatch(/account\.created.*Command line.*maria@example\.com/);
    await page.getByLabel('About whom (e-mail)').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('Nothing was recorded').waitFor();
    expect(complaints).toEqual([]);
  });
});
