import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import {
  complaintsOf,
  giveCookie,
  findChromium,
  sharedChromium,
  openWindow,
  picture,
  seriousBarriers,
  misplacedLabels,
} from '../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { SESSION_COOKIE, startPortal, type TestPortal } from '../support/portal.ts';
import { settableClock, userCaller } from '../support/world.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  isMobile: true,
  hasTouch: true,
};
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 860 }, locale: 'en' };
const HOSTILE = '<script>document.title="stolen"</script> شركة';

describe.skipIf(!findChromium())('companies in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let database: TestDatabase;
  let browser: Browser;
  let portal: TestPortal;
  const fleet = createFleet(() => database, clock);

  beforeAll(async () => {
    [database, browser] = await Promise.all([createSqliteDatabase(), sharedChromium()]);
    portal = await startPortal(database, clock);
  });
  afterAll(async () => {
    await portal?.close();
    await database?.drop();
  });

  const visit = async (
    account: Account,
    path: string,
    options: BrowserContextOptions = desk,
  ): Promise<{ page: Page; readonly complaints: string[] }> => {
    const id = await fleet.write((trx) =>
      insertSession(trx, fleet.act(), {
        accountId: account.id,
        entrance: 'portal',
        freshFor: null,
        userAgent: 'Browser/1.0',
      }),
    );
    const page = await openWindow(browser, options);
    await giveCookie(page, { name: SESSION_COOKIE, value: id, url: portal.url });
    const complaints = complaintsOf(page);
    await page.goto(portal.url + path);
    return {
      page,
      // Questions that a page takes back when it is left are no failures.
      get complaints() {
        return complaints.filter((text) => !text.endsWith('net::ERR_ABORTED'));
      },
    };
  };
  // Phones widen their view for what is too wide.
  const fits = (page: Page): Promise<boolean> =>
    page.evaluate(`document.documentElement.scrollWidth <= ${page.viewportSize()!.width}`);
  const ask = (
    { id }: Account,
    operation: Parameters<typeof fleet.wire>[0],
    body: Record<string, unknown> = {},
  ) => fleet.wire(operation, userCaller(id), body);
  const shown = async (who: Account): Promise<string[]> =>
    (await ask(who, 'userStationList', { pageNo: 1, pageSize: 100 })).page.records.map(
      ({ stationName }: { stationName: string }) => stationName,
    );

  test('a company is founded, somebody joins, a plant is accepted for it, and the owner ends that', async () => {
    const [owner, boss, colleague] = [
      await fleet.person(),
      await fleet.person({ role: 'installer' }),
      await fleet.person({ role: 'installer' }),
    ];
    const plantId = await fleet.plant(owner.id, { name: 'Barn' });
    const otherId = await fleet.plant(owner.id, { name: 'Shed' });
    const own = await fleet.plant(boss.id, { name: 'Workshop' });
    const theirs = await visit(boss, '/');
    const { page } = theirs;
    await page.getByRole('link', { name: 'Installation', exact: true }).first().click();
    await page.getByRole('link', { name: 'Company', exact: true }).click();
    await page.getByLabel('Name of the company').fill('Sun & Sons');
    await page.getByRole('button', { name: 'Create the company' }).click();
    await page.getByRole('heading', { name: 'Sun & Sons' }).waitFor();
    await page.getByLabel('E-mail address').fill(colleague.email);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByText(`${colleague.email} has been invited.`).waitFor();
    await page
      .getByText(`No e-mails are sent here: please tell ${colleague.email} yourself`)
      .waitFor();
    const withdraw = page.getByRole('button', { name: `Withdraw: ${colleague.email}` });
    const passOn = page.getByText('No e-mails are sent here');
    await withdraw.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect([await withdraw.count(), await passOn.count()]).toEqual([1, 1]);
    await withdraw.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await passOn.waitFor({ state: 'detached' });
    await page.getByLabel('E-mail address').fill(colleague.email);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await passOn.waitFor();
    await withdraw.waitFor();
    await page.getByRole('button', { name: 'Share all my plants (1)' }).click();
    await page.getByRole('dialog').getByText('They stay yours.').waitFor();
    await page.getByRole('dialog').getByText('Workshop').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await ask(boss, 'company/show')).plants).toBe(0);
    await page.getByRole('button', { name: 'Share all my plants (1)' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Share these plants' }).click();
    await page
      .getByText('The company has the 1 plant that you own. Plants of customers come')
      .waitFor();
    await page
      .getByText('Anyone who already has access of their own to a plant can bring it in here.')
      .waitFor();
    await page.getByText('Times in ').waitFor();
    await page.goto(`${portal.url}/invitations`);
    await page
      .getByRole('region', { name: 'Sent' })
      .getByText(`You invited ${colleague.email} to the company Sun & Sons.`)
      .waitFor();
    await page.getByText('Times in ').waitFor();
    await page.getByRole('link', { name: 'To the company' }).click();
    await page.getByRole('button', { name: `Withdraw: ${colleague.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText(`The invitation to ${colleague.email} has been withdrawn.`).waitFor();
    await page.getByLabel('E-mail address').fill(colleague.email);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await page.getByRole('button', { name: `Withdraw: ${colleague.email}` }).waitFor();

    const newcomer = await visit(colleague, '/', phone);
    const waiting = newcomer.page.getByRole('region', { name: 'Invitations' });
    await waiting.getByText('An invitation is waiting for your answer.').waitFor();
    await waiting.getByRole('link', { name: 'See and answer' }).click();
    await newcomer.page
      .getByText(`${boss.email} invites you to join the company Sun & Sons.`)
      .waitFor();
    await newcomer.page.getByRole('button', { name: 'Accept: Sun & Sons' }).click();
    await newcomer.page.getByText('You belong to Sun & Sons now.').waitFor();
    await newcomer.page.goto(`${portal.url}/company`);
    await newcomer.page.getByRole('link', { name: 'Workshop' }).waitFor();
    expect(await newcomer.page.getByRole('button', { name: 'Dissolve the company' }).count()).toBe(
      0,
    );
    expect(await shown(colleague)).toEqual(['Workshop']);

    await ask(owner, 'share/give', { plantId, email: colleague.email, level: 'control' });
    await newcomer.page.goto(`${portal.url}/invitations`);
    await newcomer.page.getByRole('button', { name: 'Accept for Sun & Sons' }).click();
    await newcomer.page.getByText('Accepted. Everybody in the company has the plant').waitFor();
    expect((await shown(boss)).toSorted()).toEqual(['Barn', 'Workshop']);
    const inviter = await visit(owner, '/invitations', phone);
    await inviter.page
      .getByRole('region', { name: 'Sent' })
      .getByText('Accepted for Sun & Sons on')
      .waitFor();
    await picture(inviter.page, 'invitations-accepted-for');
    await page.goto(`${portal.url}/company`);
    await page.getByRole('button', { name: 'Give up: Barn' }).click();
    await page
      .getByRole('dialog')
      .getByText('You and everybody else in the company lose this plant')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Give up: Workshop' }).click();
    await page.getByRole('dialog').getByText('It stays yours').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

    const house = await visit(owner, `/plants/${plantId}/settings`);
    await house.page.getByText('A company of 2 people. Can view and control the plant.').waitFor();
    await house.page.goto(`${portal.url}/authorizations`);
    await house.page.getByText('Sun & Sons, 2 people').waitFor();
    await house.page.getByRole('button', { name: 'End access: Sun & Sons, Barn' }).click();
    await house.page.getByRole('dialog').getByText('nobody in this company').waitFor();
    await house.page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await house.page.getByText('Sun & Sons has no access any more.').waitFor();
    expect([await shown(boss), await shown(colleague)]).toEqual([['Workshop'], ['Workshop']]);

    // What somebody has alone is brought into the company.
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, colleague.email, 'read'));
    await newcomer.page.goto(`${portal.url}/company`);
    await fleet.write((trx) => sharePlant(trx, fleet.act(), otherId, colleague.email, 'control'));
    await newcomer.page.reload();
    const bring = newcomer.page.getByRole('group', {
      name: 'Plants shared with you, not with the company',
    });
    expect(await bring.getByRole('button').isDisabled()).toBe(true);
    await newcomer.page.getByLabel('All of them').check();
    await bring.getByRole('button', { name: 'Add selected (2)' }).waitFor();
    await newcomer.page.getByLabel('Shed').uncheck();
    await picture(newcomer.page, 'company-bring-phone');
    await newcomer.page.getByLabel('Shed').check();
    await bring.getByRole('button', { name: 'Add selected (2)' }).click();
    await newcomer.page
      .getByRole('dialog')
      .getByText('Everybody in Sun & Sons may then do with them')
      .waitFor();
    await newcomer.page
      .getByRole('dialog')
      .getByText(/Barn.+Shed/)
      .waitFor();
    await picture(newcomer.page, 'company-bring-dialog-phone');
    await newcomer.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Add selected (2)' })
      .click();
    await newcomer.page.getByText('The company has these 2 plants now.').waitFor();
    expect(await bring.count()).toBe(0);
    expect((await shown(boss)).toSorted()).toEqual(['Barn', 'Shed', 'Workshop']);
    await page.goto(`${portal.url}/company`);
    await page.getByRole('link', { name: 'Barn' }).waitFor();
    await picture(page, 'company-brought-desk');
    await house.page.goto(`${portal.url}/authorizations`);
    await house.page.getByRole('button', { name: 'End access: Sun & Sons, Barn' }).click();
    await house.page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await house.page.getByText('Sun & Sons has no access any more.').waitFor();

    // A single plant is ended and given again in its settings.
    await page.goto(`${portal.url}/plants/${own}/settings`);
    await page.getByRole('button', { name: 'End access of Sun & Sons' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await page.getByRole('button', { name: 'Share it with Sun & Sons' }).click();
    await page.getByText('Sun & Sons has the plant now.').waitFor();
    expect((await shown(colleague)).toSorted()).toEqual(['Shed', 'Workshop']);
    expect([theirs.complaints, newcomer.complaints, house.complaints]).toEqual([[], [], []]);
  });

  test('people get roles, are removed and leave; a company is renamed and dissolved', async () => {
    const [boss, colleague, third] = [
      await fleet.person(),
      await fleet.person(),
      await fleet.person(),
    ];
    await ask(boss, 'company/found', { name: 'Brief' });
    for (const one of [colleague, third]) {
      const { invitationId: id } = await ask(boss, 'company/invite', { email: one.email });
      await ask(one, 'company/accept', { id });
    }
    const rival = await fleet.person();
    await ask(rival, 'company/found', { name: 'Rival' });
    await ask(rival, 'company/invite', { email: boss.email });
    const visited = await visit(boss, '/invitations', phone);
    const { page } = visited;
    await page.getByText('You already belong to Brief. To join, leave it first.').waitFor();
    expect(await page.getByRole('region').count()).toBe(1);
    await picture(page, 'invitation-to-second-company');
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByText('No invitations').waitFor();
    await page.goto(`${portal.url}/company`);
    await page.getByText('You are the only manager.').waitFor();
    expect(await page.getByRole('button', { name: 'Leave the company' }).isDisabled()).toBe(true);
    await page.getByLabel('Name of the company').fill(HOSTILE);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    expect(await page.title()).not.toBe('stolen');
    await page.getByRole('button', { name: `Remove: ${third.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText(`${third.email} is no longer in the company.`).waitFor();
    await page.getByRole('button', { name: `Make manager: ${colleague.email}` }).click();
    await page.getByRole('button', { name: `Make member: ${colleague.email}` }).waitFor();
    await page.getByRole('button', { name: 'Leave the company' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Leave the company' }).click();
    await page.getByRole('button', { name: 'Create the company' }).waitFor();
    const last = await visit(colleague, '/company');
    await last.page.getByRole('button', { name: 'Dissolve the company' }).click();
    await last.page.getByRole('dialog').getByText('You too lose its plants').waitFor();
    await last.page
      .getByRole('dialog')
      .getByRole('button', { name: 'Dissolve the company' })
      .click();
    await last.page.getByRole('button', { name: 'Create the company' }).waitFor();
    expect(
      await database.db.selectFrom('company').select('id').where('name', '=', HOSTILE).execute(),
    ).toEqual([]);
    expect([visited.complaints, last.complaints]).toEqual([[], []]);
  });

  /** A company with long names, more plants than a page has, and something to answer; made once. */
  let busy: Promise<{ owner: Account; boss: Account; plantId: string }> | undefined;
  const busyCompany = async () => {
    const [owner, boss] = [
      await fleet.person(),
      await fleet.person({ email: `${'long'.repeat(15)}@example.com` }),
    ];
    await ask(boss, 'company/found', { name: `${HOSTILE} ${'sehr'.repeat(12)}` });
    await ask(boss, 'company/invite', { email: 'late@example.com' });
    for (let i = 0; i < 21; i++) await fleet.plant(boss.id, { name: `Dach ${'lang'.repeat(20)}` });
    await ask(boss, 'company/give');
    await fleet.plant(boss.id);
    const plantId = await fleet.plant(owner.id, { name: HOSTILE });
    const { invitationId: id } = await ask(owner, 'share/give', { plantId, email: boss.email });
    await ask(boss, 'invitation/accept', { id, forCompany: 1 });
    await ask(owner, 'share/give', { plantId: await fleet.plant(owner.id), email: boss.email });
    return { owner, boss, plantId };
  };

  test.each([
    ['phone, dark, German', '/company', { ...phone, locale: 'de', colorScheme: 'dark' }],
    ['phone, dark, German', '/invitations', { ...phone, locale: 'de', colorScheme: 'dark' }],
    ['phone, light, English', 'settings', { ...phone, locale: 'en' }],
    ['narrow, light, Spanish', '/company', { viewport: { width: 320, height: 640 }, locale: 'es' }],
    ['desk, light, Chinese', '/company', { ...desk, locale: 'zh' }],
    ['desk, light, Chinese', 'settings', { ...desk, locale: 'zh' }],
    ['desk, dark, Spanish', '/authorizations', { ...desk, locale: 'es', colorScheme: 'dark' }],
  ] as const)(
    'has no barriers, fits and complains of nothing: %s, %s',
    async (look, path, options) => {
      const { owner, boss, plantId } = await (busy ??= busyCompany());
      const [who, address] =
        path === 'settings'
          ? [owner, `/plants/${plantId}/settings`]
          : [path === '/authorizations' ? owner : boss, path];
      const visited = await visit(who, address, options);
      const { page } = visited;
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect(await fits(page)).toBe(true);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await misplacedLabels(page)).toEqual([]);
      await picture(page, `company ${path.replace('/', '')} ${look}`);
      expect(visited.complaints).toEqual([]);
      await page.context().close();
    },
  );
});
