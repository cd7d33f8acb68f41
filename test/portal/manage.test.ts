import { readFileSync } from 'node:fs';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../packages/server/src/identity/accounts/accounts.ts';
import {
  addCollector,
  insertCollector,
} from '../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { createExports } from '../../packages/server/src/data-rights/exports/job.ts';
import { EXPORT } from '../../packages/server/src/data-rights/exports/rows.ts';
import { askAs } from '../../packages/server/src/interfaces/operations/as-account.ts';
import { createSqlSeries } from '../../packages/server/src/measurements/series/sql/sql-series.ts';
import { createTelemetry } from '../../packages/server/src/measurements/telemetry/create-telemetry.ts';
import { settledReads } from '../../packages/server/src/measurements/ingest/settled-reads.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import {
  findChromium,
  sharedChromium,
  picture,
  seriousBarriers,
  misplacedLabels,
} from '../support/browser.ts';
import { proving } from '../support/effort.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startPortal, type TestPortal } from '../support/portal.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { visit } from './visit.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 780 },
  isMobile: true,
  hasTouch: true,
};
const desk: BrowserContextOptions = { viewport: { width: 1280, height: 860 } };
const HOSTILE = '<script>document.title="stolen"</script> محطة';

describe.skipIf(!findChromium())('the management of plants in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let database: TestDatabase;
  let browser: Browser;
  let portal: TestPortal;
  let owner: Account;
  const fleet = createFleet(() => database, clock);

  /** Types into a field and chooses from its list, which closes if the page lays itself out anew while it opens; a person who sees that types again. */
  const choose = async (field: Locator, typed: string, option: RegExp): Promise<void> => {
    const click = (): Promise<boolean> =>
      field
        .page()
        .getByRole('option', { name: option })
        .click({ timeout: 2000 })
        .then(
          () => true,
          () => false,
        );
    await expect
      .poll(async () => {
        await field.fill(typed);
        return click();
      })
      .toBe(true);
  };

  beforeAll(async () => {
    [database, browser] = await Promise.all([createSqliteDatabase(), sharedChromium()]);
    portal = await startPortal(database, clock);
    owner = await fleet.person({ timeZone: 'Europe/Berlin' });
  });
  afterAll(async () => {
    await portal?.close();
    await database?.drop();
  });

  const open = (account: Account, path: string, options: BrowserContextOptions = desk) =>
    visit(browser, fleet, portal.url, account.id, path, options);
  const writeExports = async (db: TestDatabase['db'], now: typeof clock): Promise<void> => {
    const telemetry = createTelemetry(settledReads(db, createSqlSeries(db)));
    const lane = createExports({
      db,
      clock: now,
      ids: fleet.newId,
      telemetry,
      askAs: askAs(fleet.handlers()),
    });
    const logger = {
      error: (fault: object) => expect.unreachable(JSON.stringify(fault)),
      warn: () => {},
    };
    await createRunner({
      db,
      clock: now,
      logger,
      lanes: { [EXPORT]: { runsAtOnce: 1, limitSeconds: 60, ...lane } },
    }).runDue();
  };
  const fits = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');

  test('a plant is created with the time zone and the currency of its position, unless others are chosen', async () => {
    const visited = await open(owner, '/');
    const { page } = visited;
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'New plant' }).click();
    const [zone, currency] = [
      page.getByRole('combobox', { name: 'Time zone' }),
      page.getByRole('combobox', { name: 'Currency' }),
    ];
    // All empty fields are said at once; the first of them has the cursor, and is not under the head of the page.
    await page.getByRole('button', { name: 'Create the plant' }).click();
    const top = (selector: string): Promise<number> =>
      page
        .locator(selector)
        .evaluate(
          (it) =>
            (it as unknown as { getBoundingClientRect(): { top: number } }).getBoundingClientRect()
              .top,
        );
    expect(
      await page
        .getByRole('textbox', { name: 'Name' })
        .evaluate((it) =>
          (it as unknown as { matches(selector: string): boolean }).matches(':focus'),
        ),
    ).toBe(true);
    expect(await top('input:focus')).toBeGreaterThan(90);
    expect(await page.getByText('Please fill this in.').count()).toBe(3);
    await page.getByRole('textbox', { name: 'Name' }).fill(HOSTILE);
    await page.getByRole('textbox', { name: 'Address' }).fill('12 Queen Street');
    await page.getByLabel('Rated power').fill('much');
    await page.getByLabel('Cost per kWh bought').fill('0,35');
    // Two prices are asked; a tariff for what is produced is an extra.
    expect(await page.getByLabel('Tariff per kWh produced').isVisible()).toBe(false);
    await page.getByText('More: a tariff per kWh produced').click();
    await page.getByLabel('Tariff per kWh produced').fill('0,12');
    // The account's own zone is not taken for that of the plant.
    expect([await zone.inputValue(), await currency.inputValue()]).toEqual(['', '']);
    await page.getByRole('button', { name: 'Create the plant' }).click();
    expect(await page.evaluate(`document.activeElement.labels[0].textContent`)).toContain(
      'Time zone',
    );
    await page.getByLabel('Latitude').fill('-36,85');
    await page.getByLabel('Longitude').fill('174.76');
    await expect.poll(() => zone.inputValue()).toBe('Pacific/Auckland');
    expect(await currency.inputValue()).toContain('NZD');
    const fromPlace = page.getByText('Taken from the position.');
    await expect.poll(() => fromPlace.count()).toBe(2);
    await page.getByLabel('Tariff per kWh produced (NZD)').waitFor();
    await zone.click();
    const chosen = page.getByRole('option', { name: 'Pacific/Auckland', exact: true });
    await expect
      .poll(() => chosen.evaluate((it) => (it as unknown as { ariaSelected: string }).ariaSelected))
      .toBe('true');
    await zone.press('Escape');
    await choose(currency, 'euro', /^EUR/);
    await expect.poll(() => fromPlace.count()).toBe(1);
    await page.getByRole('button', { name: 'Create the plant' }).click();
    await page.getByText(/^Expected: a (decimal )?number/).waitFor();
    await page.getByLabel('Rated power').fill('9,84');
    await page.getByRole('button', { name: 'Create the plant' }).click();
    await page.getByRole('heading', { name: HOSTILE }).waitFor();
    const next = page.getByRole('status').getByRole('link', { name: 'Bind a collector' });
    expect(await next.getAttribute('href')).toMatch(/^\/plants\/\d+\/settings\?bind=true$/);
    const plant = await database.db
      .selectFrom('plant')
      .selectAll()
      .where('ownerId', '=', owner.id)
      .executeTakeFirstOrThrow();
    expect(plant).toMatchObject({
      name: HOSTILE,
      timeZone: 'Pacific/Auckland',
      latitude: -36.85,
      capacityKwp: 9.84,
      pricePerKwh: 0.12,
      currency: 'EUR',
    });
    expect(JSON.parse(plant.tariffs!)).toMatchObject({
      production: [{ pricePerKwh: 0.12 }],
      import: [{ fromAt: 0, pricePerKwh: 0.35 }],
    });
    expect(JSON.parse(plant.tariffs!)).not.toHaveProperty('export');
    expect(await page.title()).not.toBe('stolen');
    await page
      .getByRole('navigation', { name: 'Pages of the plant' })
      .getByRole('link', { name: 'Settings' })
      .click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test('what is wrong with a new plant stands at its field, which comes into view; the map follows the place', async () => {
    const { page, complaints } = await open(owner, '/plants/new', { ...phone, locale: 'en' });
    await page.getByRole('textbox', { name: 'Name' }).fill('Lisbon roof');
    await page.getByRole('textbox', { name: 'Address' }).fill('Rua Augusta 2');
    const map = page.getByRole('region', { name: 'Map to point at' });
    await map
      .locator('svg')
      .first()
      .tap({ position: { x: 60, y: 150 } });
    const place = map.locator('[data-place]');
    const fromMiddle = async (): Promise<number> => {
      const [frame, mark] = await Promise.all([
        map.locator('svg').first().boundingBox(),
        place.boundingBox(),
      ]);
      return Math.hypot(
        mark!.x + mark!.width / 2 - frame!.x - frame!.width / 2,
        mark!.y + mark!.height / 2 - frame!.y - frame!.height / 2,
      );
    };
    expect(await fromMiddle()).toBeGreaterThan(40);
    for (let i = 0; i < 4; i++) await map.getByRole('button', { name: 'Zoom in' }).tap();
    await expect.poll(fromMiddle).toBeLessThan(3);
    await page.getByLabel('Latitude').fill('38,72');
    await page.getByLabel('Longitude').fill('-9,14');
    await expect.poll(fromMiddle).toBeLessThan(3);
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue())
      .toBe('Europe/Lisbon');
    await page.getByLabel('Rated power').fill('5');
    const collector = page.getByLabel('Serial number of the collector');
    await collector.fill('NOBODY-HAS-IT');
    await page.evaluate('window.scrollTo(0, 0)');
    await page.getByRole('button', { name: 'Create the plant' }).dispatchEvent('click');
    const said = page.getByText('To create the plant without it, leave this empty');
    await said.waitFor();
    const isInView = (it: unknown): boolean => {
      const { top, bottom } = (
        it as { getBoundingClientRect(): { top: number; bottom: number } }
      ).getBoundingClientRect();
      return top >= 64 && bottom <= 780 - 64;
    };
    await expect.poll(() => collector.evaluate(isInView)).toBe(true);
    expect(await page.evaluate(`document.activeElement.labels[0].textContent`)).toContain(
      'Serial number of the collector',
    );
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await picture(page, 'manage-collector-refused');
    await collector.fill('');
    await page.getByRole('button', { name: 'Create the plant' }).click();
    await page.getByRole('heading', { name: 'Lisbon roof' }).waitFor();
    // Nobody knew what a kWh is worth: nothing is said to be earned, which would be nothing.
    const { pricePerKwh, tariffs } = await database.db
      .selectFrom('plant')
      .selectAll()
      .where('name', '=', 'Lisbon roof')
      .executeTakeFirstOrThrow();
    expect({ pricePerKwh, tariffs }).toEqual({ pricePerKwh: null, tariffs: null });
    await page.getByText('This month').waitFor();
    expect(await page.locator('main').textContent()).not.toContain('€');
    expect(complaints).toEqual([]);
  });

  test('what cannot be a position says so while it is typed, and how one is written', async () => {
    const { page } = await open(owner, '/plants/new', { ...desk, locale: 'en' });
    const longitude = page.getByLabel('Longitude, east is positive');
    const said = page.getByText('Degrees from -180 to 180, such as -5.99; the west is negative.');
    for (const [typed, isWrong] of [
      ['-', false],
      ['5.99 W', true],
      ['-5,99', false],
      ['181', true],
      ['', false],
    ] as const) {
      await longitude.fill(typed);
      await expect.poll(() => said.count()).toBe(isWrong ? 1 : 0);
    }
    await page.getByLabel('Latitude, north is positive').fill('37° N');
    await page.getByText('Degrees from -90 to 90').waitFor();
  });

  test('a place is pointed at on the map or taken from the browser; the zone that fits it is offered, and both are shown once they are saved', async () => {
    const plantId = await fleet.plant(owner.id, {
      name: 'Rua Augusta 2',
      timeZone: 'America/Denver',
      latitude: 38.72,
      longitude: -9.14,
    });
    const visited = await open(owner, `/plants/${plantId}/settings`, {
      ...desk,
      permissions: ['geolocation'],
      geolocation: { latitude: 40.42, longitude: -3.70361 },
    });
    const { page } = visited;
    const [latitude, longitude, zone] = [
      page.getByLabel('Latitude'),
      page.getByLabel('Longitude'),
      page.getByRole('combobox', { name: 'Time zone' }),
    ];
    const save = page.getByRole('button', { name: 'Save', exact: true });
    expect([await latitude.inputValue(), await longitude.inputValue()]).toEqual(['38.72', '-9.14']);
    await page.getByText('The position lies in Europe/Lisbon.').waitFor();
    expect(await zone.inputValue()).toBe('America/Denver');
    const map = page.getByRole('region', { name: 'Map to point at' });
    const here = await map.locator('[data-place]').boundingBox();
    await map
      .locator('svg')
      .first()
      .click({ position: { x: 20, y: 100 } });
    await expect.poll(() => longitude.inputValue()).not.toBe('-9.14');
    expect(Number(await longitude.inputValue())).toBeLessThan(-12);
    expect(here!.width).toBeGreaterThan(8);
    await page.getByRole('button', { name: 'Use my location' }).click();
    await page.getByText('The position lies in Europe/Madrid.').waitFor();
    await page.getByRole('button', { name: 'Use it' }).click();
    await expect.poll(() => zone.inputValue()).toBe('Europe/Madrid');
    await save.click();
    await page.getByText('Saved.').waitFor();
    await expect.poll(() => longitude.inputValue()).toBe('-3.7036');
    const plant = await database.db
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(plant).toMatchObject({ timeZone: 'Europe/Madrid', latitude: 40.42, longitude: -3.7036 });
    await page.getByRole('button', { name: 'Remove the place' }).click();
    expect([await latitude.inputValue(), await longitude.inputValue()]).toEqual(['', '']);
    await save.click();
    const placed = async () =>
      await database.db
        .selectFrom('plant')
        .select(['latitude', 'longitude'])
        .where('id', '=', plantId)
        .executeTakeFirstOrThrow();
    await expect.poll(placed).toEqual({ latitude: null, longitude: null });
    await map.waitFor();
    expect(await page.getByRole('button', { name: 'Remove the place' }).count()).toBe(0);
    expect(visited.complaints).toEqual([]);
  });

  test('of two tabs that change the same plant, the second learns of it, and goes on with what is there now', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Meadow Lane 4' });
    const [first, second] = [
      await open(owner, `/plants/${plantId}/settings`),
      await open(owner, `/plants/${plantId}/settings`),
    ];
    const nameOf = (page: Page) => page.getByRole('textbox', { name: 'Name' });
    await nameOf(first.page).fill('Meadow Lane 6');
    await nameOf(second.page).fill('Meadow Lane 8');
    await first.page.getByRole('button', { name: 'Save', exact: true }).click();
    await first.page.getByText('Saved.').waitFor();
    await second.page.getByRole('button', { name: 'Save', exact: true }).click();
    await second.page.getByText('Somebody has changed this plant meanwhile').waitFor();
    await second.page.getByRole('button', { name: 'Show the latest version' }).click();
    await expect.poll(() => nameOf(second.page).inputValue()).toBe('Meadow Lane 6');
    await nameOf(second.page).fill('Meadow Lane 8');
    await second.page.getByRole('button', { name: 'Save', exact: true }).click();
    await second.page.getByText('Saved.').waitFor();
    const { name } = await database.db
      .selectFrom('plant')
      .select('name')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(name).toBe('Meadow Lane 8');
    expect([first.complaints, second.complaints]).toEqual([[], []]);
  });

  test('an installer is invited, accepts and loses access again; a waiting device is bound', async () => {
    const installer = await fleet.person({ email: 'installer@example.com' });
    const plantId = await fleet.plant(owner.id, { name: 'Barn' });
    await fleet.write(async (trx) => {
      const { id } = await insertCollector(trx, fleet.act(), { sn: 'COL-1' });
      await bindDevice(trx, fleet.act(), id, plantId);
      await rememberRefusals(trx, id, [{ sn: 'WAITS-1', reason: 'unknown' }], clock.at);
      await rememberRefusals(
        trx,
        id,
        [{ sn: 'WAITS-2', reason: 'unknown', description: { kind: 'ammeter', model: 'HM-3' } }],
        clock.at,
      );
      await rememberRefusals(trx, id, [{ sn: 'WAITS-3', reason: 'unknown' }], clock.at);
    });
    const visited = await open(owner, `/plants/${plantId}/settings`);
    const { page } = visited;
    await page.getByLabel('E-mail address', { exact: true }).fill(installer.email);
    await page.getByLabel('What the person may do').selectOption('control');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByText(`${installer.email} has been invited.`).waitFor();
    await page
      .getByText(`No e-mails are sent here: please tell ${installer.email} yourself`)
      .waitFor();
    expect(await page.getByLabel('Link to the invitation', { exact: true }).inputValue()).toBe(
      `${portal.url}/invitations`,
    );
    await picture(page, 'manage-passed-on');
    const invited = page.getByRole('region', { name: 'People' }).locator('[data-invited]');
    await invited.getByText('Invited to view and control the plant. No answer yet.').waitFor();
    await invited
      .getByRole('button', { name: `Withdraw the invitation to ${installer.email}` })
      .click();
    await page.getByRole('dialog').getByText('can no longer accept it').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The invitation has been withdrawn.').waitFor();
    await invited.waitFor({ state: 'detached' });
    expect(await page.getByText('No e-mails are sent here').count()).toBe(0);
    await page.getByLabel('E-mail address', { exact: true }).fill(installer.email);
    await page.getByRole('button', { name: 'Invite' }).click();
    await invited.getByText(installer.email).waitFor();
    await page.getByRole('button', { name: 'Bind: WAITS-1' }).click();
    await page.getByText('WAITS-1 has been bound.').waitFor();
    await page
      .getByRole('heading', { name: '2 devices report through COL-1 and are not bound yet' })
      .waitFor();
    await picture(page, 'manage-waiting');
    await page.getByText('HM-3').waitFor();
    expect(await page.getByLabel('What WAITS-2 is').inputValue()).toBe('ammeter');
    await page.getByLabel('What WAITS-3 is').selectOption('Weather station');
    await page.getByRole('button', { name: 'Bind all (2)' }).click();
    await page.getByText('2 devices have been bound.').waitFor();
    await page
      .getByRole('button', { name: 'Bind: WAITS-2', exact: true })
      .waitFor({ state: 'detached' });
    const bound = await database.db
      .selectFrom('device')
      .select(['sn', 'kind'])
      .where('plantId', '=', plantId)
      .where('sn', 'like', 'WAITS-%')
      .orderBy('sn')
      .execute();
    expect(bound.map(({ sn, kind }) => [sn, kind])).toEqual([
      ['WAITS-1', 'inverter'],
      ['WAITS-2', 'ammeter'],
      ['WAITS-3', 'weather'],
    ]);
    const theirs = await open(installer, '/', phone);
    await theirs.page
      .getByRole('region', { name: 'Invitations' })
      .getByText('An invitation is waiting for your answer.')
      .waitFor();
    const menu = theirs.page.getByRole('button', { name: 'Account and settings' });
    expect(await menu.getAttribute('aria-label')).toBe(
      'Account and settings (1): An invitation is waiting for your answer.',
    );
    await menu.locator('[data-open="1"]').waitFor();
    await picture(theirs.page, 'manage-invited');
    expect(await seriousBarriers(theirs.page)).toEqual([]);
    await theirs.page.getByRole('link', { name: 'See and answer' }).click();
    await theirs.page.getByText(`${owner.email} shares the plant “Barn” with you.`).waitFor();
    await theirs.page.getByText('You may see it. It can be accepted until Dec 6, 2026').waitFor();
    // Also the one that was withdrawn.
    await theirs.page.getByText(`${owner.email} invited you to “Barn”.`).waitFor();
    await theirs.page.getByText('Withdrawn on Nov 6, 2026').waitFor();
    await theirs.page.getByRole('button', { name: 'Accept' }).click();
    const accepted = theirs.page.getByText('Accepted. The plant is in your list now.');
    await accepted.waitFor();
    // It covers nothing further down, where one goes on.
    expect((await accepted.boundingBox())!.y).toBeLessThan(140);
    await menu.locator('[data-open]').waitFor({ state: 'detached' });
    await theirs.page.goto(`${portal.url}/plants/${plantId}/settings`);
    await theirs.page.getByText('Only the owner binds and unbinds devices.').waitFor();
    const prices = theirs.page.getByRole('region', { name: 'Prices' });
    expect(await prices.getByText('No price yet.').count()).toBe(3);
    expect(await theirs.page.getByRole('main').getByRole('button').count()).toBe(0);
    expect(await seriousBarriers(theirs.page)).toEqual([]);
    await picture(theirs.page, 'manage-shared');
    await theirs.page.goto(`${portal.url}/invitations`);
    await theirs.page.getByText('You may see it. Accepted on Nov 6, 2026').waitFor();
    await theirs.page.getByRole('link', { name: 'To the plant: Barn' }).waitFor();
    await page.reload();
    await page.getByText('Can view the plant. Accepted the invitation on Nov 6, 2026').waitFor();
    await page.getByRole('button', { name: `End access of ${installer.email}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click();
    await page
      .getByRole('button', { name: `End access of ${installer.email}` })
      .waitFor({ state: 'detached' });
    const shares = await database.db
      .selectFrom('plantAccess')
      .select('level')
      .where('plantId', '=', plantId)
      .execute();
    expect(shares).toEqual([{ level: 'owner' }]);
    await theirs.page.goto(`${portal.url}/invitations`);
    await theirs.page.getByText(/Accepted on Nov 6, 2026.* Your access has ended\./).waitFor();
    expect(await theirs.page.getByRole('link', { name: 'To the plant' }).count()).toBe(0);
    await theirs.page.goto(`${portal.url}/plants/${plantId}/settings`);
    await theirs.page.getByRole('alert').waitFor();
    expect([visited.complaints, theirs.complaints]).toEqual([[], []]);
  });

  test('an invitation that cannot be withdrawn says so itself, and the others do not', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Annex' });
    const caller = {
      kind: 'user',
      accountId: owner.id,
      keyId: null,
      canControl: true,
      plantIds: null,
    } as const;
    for (const email of ['one@example.com', 'two@example.com'])
      await fleet.ask('share/give', caller, { plantId, email });
    const { page, complaints } = await open(owner, `/plants/${plantId}/settings`);
    // As if it had ended a moment ago.
    await page.route('**/portal/api/invitation/withdraw', (route) =>
      route.continue({ postData: JSON.stringify({ id: '1' }) }),
    );
    await page.getByRole('button', { name: 'Withdraw the invitation to one@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    const invited = page.locator('[data-invited]');
    await invited.filter({ hasText: 'one@example.com' }).getByRole('alert').waitFor();
    expect(await invited.getByRole('alert').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('who has access already is not invited: a change of it is asked about first, and nothing is called an invitation', async () => {
    const installer = await fleet.person();
    const plantId = await fleet.plant(owner.id, { name: 'Shed' });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, installer.email, 'control'));
    const level = async (): Promise<string> =>
      (
        await database.db
          .selectFrom('plantAccess')
          .select('level')
          .where('plantId', '=', plantId)
          .where('accountId', '=', installer.id)
          .executeTakeFirstOrThrow()
      ).level;
    const visited = await open(owner, `/plants/${plantId}/settings`);
    const { page } = visited;
    const invite = page.getByRole('button', { name: 'Invite' });
    await page
      .getByLabel('E-mail address', { exact: true })
      .fill(` ${installer.email.toUpperCase()}`);
    await invite.click();
    const dialog = page.getByRole('dialog', { name: /^Change what .* may do\?$/ });
    await dialog
      .getByText(
        'can already view and control this plant. The change applies at once, without an invitation.',
      )
      .waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await picture(page, 'manage-change-access');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await level()).toBe('control');
    await page.getByLabel('What the person may do').selectOption('control');
    await invite.click();
    await page.getByText('can already view and control this plant.').waitFor();
    expect([await dialog.count(), await level()]).toEqual([0, 'control']);
    await page.getByLabel('What the person may do').selectOption('read');
    await invite.click();
    await dialog.getByRole('button', { name: 'Change to: can view' }).click();
    await page.getByText('can now view this plant.').waitFor();
    expect(await level()).toBe('read');
    expect([
      await page.getByText('has been invited').count(),
      await page.getByText('No e-mails are sent here').count(),
    ]).toEqual([0, 0]);
    expect(visited.complaints).toEqual([]);
  });

  test('the settings of a plant link to their sections', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Long page' });
    const { page, complaints } = await open(owner, `/plants/${plantId}/settings`, phone);
    const links = page.getByRole('navigation', { name: 'On this page' }).getByRole('link');
    await links.first().waitFor();
    const names = await links.allTextContents();
    const headings = page.locator('main section[id] > h2, main form[id] > h2');
    expect(names.length).toBe(7);
    expect(await headings.allTextContents()).toEqual(names);
    const led = await page.evaluate<string[]>(
      "[...document.querySelectorAll('nav a[href^=\"#\"]')].map(({ hash }) => document.querySelector(hash + ' > h2').textContent)",
    );
    expect(led).toEqual(names);
    await links.filter({ hasText: 'Hand over' }).click();
    const top = (): Promise<number> =>
      page
        .getByRole('heading', { name: 'Hand over' })
        .evaluate((heading) => heading.getBoundingClientRect().top);
    // Below the header.
    await expect.poll(top).toBeLessThan(200);
    expect(await top()).toBeGreaterThan(50);
    expect(complaints).toEqual([]);
  });

  test('an offer is timed on the clock of its plant; an installer reads that an access stays', async () => {
    const [installer, buyer] = [
      await fleet.person({ role: 'installer', timeZone: 'Europe/Berlin' }),
      await fleet.person(),
    ];
    const plantId = await fleet.plant(installer.id, { name: 'Far roof', timeZone: 'Asia/Tokyo' });
    const visited = await open(installer, `/plants/${plantId}/settings`, {
      ...phone,
      locale: 'en',
    });
    const { page } = visited;
    await page
      .getByText('Your own access does not end: whoever installs a plant goes on servicing it')
      .waitFor();
    await page.getByText('This plant has no device yet. You can offer it like that').waitFor();
    await page.getByText('and so does that of your applications').waitFor();
    expect(
      await page.getByLabel('Your own access afterwards').locator('option').allTextContents(),
    ).toEqual(['See', 'See and control', 'See, control and set up']);
    await page.getByLabel('E-mail address of the new owner').fill(buyer.email);
    await page.getByRole('button', { name: 'Offer the plant' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Offer the plant' }).click();
    await page
      .locator('[data-offer]')
      .getByText(/since Nov 6, 2026, 8:05 PM · open until Dec 6, 2026, 8:05 PM · Tokyo \(GMT\+9\)/)
      .waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test('invitations are asked for again whenever they are opened; a plant that was accepted is linked', async () => {
    const buyer = await fleet.person();
    const plantId = await fleet.plant(owner.id, { name: 'Boathouse' });
    const visited = await open(buyer, '/invitations');
    const { page } = visited;
    await page.getByText('No invitations').waitFor();
    await page.getByRole('link', { name: 'Overview' }).first().click();
    await page.getByText('No invitations').waitFor({ state: 'detached' });
    await fleet.ask('plant/offer', userCaller(owner.id), { plantId, email: buyer.email });
    await page.goBack();
    await page.getByText(`${owner.email} hands the plant “Boathouse” over to you.`).waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page
      .getByText(`${owner.email} handed “Boathouse” over to you. It is yours now`)
      .waitFor();
    await page.getByRole('link', { name: 'To the plant: Boathouse' }).click();
    await page.getByRole('heading', { name: 'Boathouse' }).waitFor();
    expect(visited.complaints).toEqual([]);
  });

  test('an invitation is announced in a page that is open already', async () => {
    const invitee = await fleet.person();
    const plantId = await fleet.plant(owner.id, { name: 'Harbour' });
    const { page, complaints } = await open(invitee, '/account');
    const listening = page.waitForResponse(/portal\/live/);
    await page.goto(portal.url);
    await listening;
    await page.getByText('You have no plants yet').waitFor();
    const banner = page.getByRole('region', { name: 'Invitations' });
    expect(await banner.count()).toBe(0);
    await fleet.ask('share/give', userCaller(owner.id), {
      plantId,
      email: invitee.email,
      level: 'read',
    });
    await banner.waitFor();
    expect(complaints).toEqual([]);
  });

  test('prices are set from a day on, with hours of their own, and taken back; income follows', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Fields', timeZone: 'Europe/Berlin' });
    const { sn } = await fleet.device(plantId);
    await fleet.report(sn, [
      ['2026-11-05T09:00:00Z', { acPowerW: 1000, energyTotalKwh: 100 }],
      ['2026-11-05T11:00:00Z', { acPowerW: 1000, energyTotalKwh: 110 }],
      ['2026-11-06T09:00:00Z', { acPowerW: 1000, energyTotalKwh: 110 }],
      ['2026-11-06T11:00:00Z', { acPowerW: 1000, energyTotalKwh: 130 }],
    ]);
    const earned = async (): Promise<unknown[]> => {
      await fleet.runWork();
      const byKey = {
        kind: 'user',
        accountId: owner.id,
        keyId: '1300000000000000001',
        canControl: true,
        plantIds: null,
      } as const;
      const plant = await fleet.wire('stationDetail', byKey, { id: plantId });
      const month = await fleet.wire('stationMonth', byKey, { id: plantId, month: '2026-11' });
      return [plant.dayInCome, ...month.map(({ money }: { money: number }) => money)];
    };
    const visited = await open(owner, `/plants/${plantId}/settings`, { ...desk, locale: 'en' });
    const { page } = visited;
    const prices = page.getByRole('region', { name: 'Prices' });
    // Until they are known, nobody says that there are none.
    const known = Promise.withResolvers<void>();
    await page.route('**/portal/api/tariff/list', async (route) =>
      known.promise.then(() => route.continue()),
    );
    await page.reload();
    await prices.waitFor();
    expect(await prices.getByText('No price yet.').count()).toBe(0);
    known.resolve();
    await prices.getByText('No price yet.').first().waitFor();
    const setPrice = prices.getByRole('button', { name: 'Set the price' });
    await prices.getByLabel('What it is for').selectOption('production');
    await prices.getByLabel('Price per kWh').fill('much');
    await setPrice.click();
    await prices.getByText(/^Expected: /).waitFor();
    await prices.getByLabel('Price per kWh').fill('0,0825');
    await prices.getByLabel('Valid').selectOption('beginning');
    const rest = Promise.withResolvers<void>();
    await page.route('**/portal/api/share/list', async (route) =>
      rest.promise.then(() => route.continue()),
    );
    await setPrice.click();
    await prices.getByText('€0.0825').waitFor();
    expect(await earned()).toEqual([1.65, 0.83, 1.65]);
    // The next price, typed before the rest of the page has been asked for again.
    await prices.getByLabel('Price per kWh').fill('0.2');
    rest.resolve();
    await page.getByText('Saved. Money is being worked out again.').waitFor();
    expect(await prices.getByLabel('Price per kWh').inputValue()).toBe('0.2');
    await prices.getByLabel('Valid').selectOption('day');
    await prices.getByLabel('First day').fill('2026-11-06');
    await prices.getByRole('button', { name: 'Another price at certain hours' }).click();
    const hours = prices.getByRole('group', { name: 'Hours 1' });
    await hours.getByLabel('From').fill('11:00');
    await hours.getByLabel('To').fill('00:00');
    await hours.getByLabel('On').selectOption('work');
    await hours.getByLabel('Price per kWh').fill('0.1');
    await setPrice.click();
    await prices.getByText('11:00–24:00 (Mon, Tue, Wed, Thu, Fri): €0.10').waitFor();
    await prices.getByText('from Nov 6, 2026, 12:00 AM').waitFor();
    const ended = prices.getByText('An earlier price has other prices at certain hours.');
    await ended.waitFor();
    await prices.getByRole('button', { name: 'Another price at certain hours' }).click();
    await ended.waitFor({ state: 'detached' });
    await prices.getByRole('group', { name: 'Hours 1' }).getByRole('button').click();
    await ended.waitFor();
    // Ten of the twenty kWh of today came before eleven in Berlin, ten after.
    expect(await earned()).toEqual([3, 0.83, 3]);
    await prices
      .getByRole('button', { name: /Remove the price: Generation tariff .*, €0.20/ })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the price' }).click();
    await prices.getByText('€0.20').waitFor({ state: 'detached' });
    expect(await ended.count()).toBe(0);
    expect(await earned()).toEqual([1.65, 0.83, 1.65]);
    await prices.getByLabel('Price per kWh').fill('0.3');
    await prices.getByLabel('First day').fill('2026-12-01');
    await setPrice.click();
    await page.getByText('Saved. It applies from Dec 1, 2026, 12:00 AM.').waitFor();
    // With another currency, figures stay as they are.
    const currency = page.getByRole('combobox', { name: 'Currency' });
    expect(await currency.inputValue()).toContain('EUR');
    await choose(currency, 'us dollar', /^USD/);
    await page
      .getByText('Prices and amounts are not converted, past ones included: 10 EUR become 10 USD.')
      .waitFor();
    await picture(page, 'manage-currency');
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await prices.getByText('$0.0825').waitFor();
    await page.getByText('are not converted').waitFor({ state: 'detached' });
    expect(await earned()).toEqual([1.65, 0.83, 1.65]);
    expect(visited.complaints).toEqual([]);
  });

  test('a device is unbound once it is said what that means, and bound again with one click', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Sheds', timeZone: 'Europe/Berlin' });
    const logger = await fleet.device(plantId, { kind: 'collector', name: 'Logger' });
    const inverter = await fleet.device(plantId, { name: 'South roof', model: 'SIM-8K-ES' });
    await fleet.write(async (trx) => {
      await assignCollector(trx, inverter.id, logger.id);
      const wanted = {
        deviceId: inverter.id,
        plantId,
        parameter: '157',
        value: '20',
        expiresAt: clock.at + 3_600_000,
      };
      await queueCommands(trx, fleet.act(), { kind: 'operator', accountId: null, plantIds: null }, [
        wanted,
      ]);
    });
    const bound = async (): Promise<string[]> =>
      (
        await database.db
          .selectFrom('device')
          .select('sn')
          .where('plantId', '=', plantId)
          .orderBy('id')
          .execute()
      ).map(({ sn }) => sn);
    const visited = await open(owner, `/plants/${plantId}/settings`, { ...desk, locale: 'en' });
    const { page } = visited;
    // Also from the page of the device.
    await page.goto(`${portal.url}/plants/${plantId}/devices/${inverter.id}`);
    await page.getByRole('link', { name: 'Unbind from this plant' }).click();
    await page.getByRole('button', { name: 'Unbind: South roof' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Unbind: Logger' }).count()).toBe(0);
    expect(
      await page
        .getByRole('region', { name: 'Devices' })
        .evaluate(
          (section) =>
            (
              section as unknown as { getBoundingClientRect(): { top: number } }
            ).getBoundingClientRect().top < 860,
        ),
    ).toBe(true);
    await page.goto(`${portal.url}/plants/${plantId}/settings`);
    await page.getByRole('button', { name: 'Unbind: South roof' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('One change of its settings is waiting. It is not sent while it is unbound.')
      .waitFor();
    await dialog.getByText('What it has measured stays with this plant').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await bound()).toEqual([logger.sn, inverter.sn]);
    await page.getByRole('button', { name: 'Unbind: South roof' }).click();
    await dialog.getByRole('button', { name: 'Unbind' }).click();
    await page.getByText(`${inverter.sn} has been unbound.`).waitFor();
    await page.getByRole('button', { name: 'Unbind: South roof' }).waitFor({ state: 'detached' });
    expect(await bound()).toEqual([logger.sn]);
    await page.getByRole('button', { name: 'Bind', exact: true }).click();
    await page.getByText(`${inverter.sn} has been bound.`).waitFor();
    await page.getByRole('button', { name: 'Unbind: South roof' }).waitFor();
    await page.getByRole('button', { name: 'Unbind: Logger' }).click();
    await dialog.getByLabel('Also the devices that report through it').check();
    await dialog.getByRole('button', { name: 'Unbind' }).click();
    await page.getByText('No device yet.', { exact: true }).waitFor();
    expect(await bound()).toEqual([]);
    // A collector brings its devices along.
    await page.getByRole('button', { name: 'Bind', exact: true }).click();
    await page.getByRole('button', { name: 'Unbind: South roof' }).waitFor();
    expect(await bound()).toEqual([logger.sn, inverter.sn]);
    expect(visited.complaints).toEqual([]);
  });

  test('a plant whose devices have no collector to report through says so until one is bound', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Half-way' });
    await fleet.device(plantId);
    const { page } = await open(owner, `/plants/${plantId}`);
    await page.getByText('This plant has no collector, so nothing reports.').waitFor();
    await page.getByRole('link', { name: 'Bind a device' }).waitFor();
    await fleet.write((trx) =>
      addCollector(trx, fleet.act(), { sn: fleet.uniqueSn('COL'), plantId }),
    );
    await page.reload();
    await page.getByRole('heading', { name: 'Energy flow' }).waitFor();
    expect(await page.getByText('This plant has no collector').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Bind a device' }).count()).toBe(0);
  });

  test('what waits to be bound is announced on the page of a new plant, to its owner alone', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'New roof' });
    const guest = await fleet.person();
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'control'));
    const { id } = await fleet.write((trx) =>
      addCollector(trx, fleet.act(), { sn: fleet.uniqueSn('COL'), plantId }),
    );
    await fleet.write((trx) =>
      rememberRefusals(trx, id, [{ sn: 'WAITS-9', reason: 'unknown' }], clock.at),
    );
    const { page } = await open(owner, `/plants/${plantId}`, { ...phone, locale: 'en' });
    await page.getByText('1 device reports here and is not bound to the plant yet.').waitFor();
    await page.getByRole('link', { name: 'Bind it' }).click();
    await page.getByRole('button', { name: 'Bind: WAITS-9' }).click();
    await page.getByText('WAITS-9 has been bound.').waitFor();
    await page.goto(`${portal.url}/plants/${plantId}`);
    await page.getByText('The collector has not reported yet.').waitFor();
    const theirs = await open(guest, `/plants/${plantId}`);
    await theirs.page.getByText('The collector has not reported yet.').waitFor();
    expect(theirs.complaints).toEqual([]);
  });

  test('of a device that nobody has bound, but somebody else’s collector reported first, exactly that is said', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Late roof' });
    const stranger = await fleet.person();
    for (const [home, agoMs] of [
      [await fleet.plant(stranger.id), 60_000],
      [plantId, 0],
    ] as const) {
      const { id } = await fleet.write((trx) =>
        addCollector(trx, fleet.act(), { sn: fleet.uniqueSn('COL'), plantId: home }),
      );
      const heard = [{ sn: 'HEARD-TWICE', reason: 'unknown' }] as const;
      await fleet.write((trx) => rememberRefusals(trx, id, heard, clock.at - agoMs));
    }
    const { page } = await open(owner, `/plants/${plantId}/settings`, { locale: 'en' });
    await page.getByRole('button', { name: 'Bind: HEARD-TWICE' }).click();
    await page
      .getByRole('alert')
      .getByText('somebody else’s collector reported it first')
      .waitFor();
  });

  test('a plant without devices is called so everywhere, and leads to where they are bound; what cannot be bound is said in words, and no old message is over it', async () => {
    const plantId = await fleet.plant(owner.id, { name: 'Bare roof' });
    const others = await fleet.device(await fleet.plant((await fleet.person()).id));
    const guest = await fleet.person();
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'read'));
    const theirs = await open(guest, `/plants/${plantId}`);
    await theirs.page.getByText('Without devices').waitFor();
    await theirs.page.getByText('This plant has no devices, so nothing reports.').waitFor();
    expect(await theirs.page.getByRole('link', { name: /^Bind a/ }).count()).toBe(0);
    await theirs.page.goto(portal.url);
    await theirs.page
      .getByRole('row', { name: 'Bare roof' })
      .getByText('Without devices')
      .waitFor();
    const visited = await open(owner, `/plants/${plantId}`, { ...phone, locale: 'en' });
    const { page } = visited;
    await page.getByText('Without devices').waitFor();
    expect(await page.getByText('Offline', { exact: true }).count()).toBe(0);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await page.getByText('This plant has no devices, so nothing reports.').waitFor();
    const offered = page.getByRole('link', { name: 'Bind a device' });
    expect(await offered.getAttribute('href')).toBe(`/plants/${plantId}/settings?bind=true`);
    await picture(page, 'plant without devices');
    await offered.click();
    await page.getByRole('heading', { name: 'Bind a device' }).waitFor();
    const serial = page.getByLabel('Serial number', { exact: true });
    await expect
      .poll(() =>
        serial.evaluate((field) =>
          (field as unknown as { matches(selector: string): boolean }).matches(':focus'),
        ),
      )
      .toBe(true);
    await page.waitForLoadState('networkidle');
    expect((await serial.boundingBox())!.y).toBeGreaterThan(64);
    expect((await serial.boundingBox())!.y).toBeLessThan(700);
    const bind = page.getByRole('button', { name: 'Bind', exact: true });
    const alert = page.getByRole('alert');
    const isInView = (): Promise<boolean> =>
      alert.evaluate((it) => {
        const { top, bottom } = (
          it as unknown as { getBoundingClientRect(): { top: number; bottom: number } }
        ).getBoundingClientRect();
        return top >= 0 && bottom <= 780 - 64;
      });
    await serial.fill('NOBODY-HAS-IT');
    await bind.click();
    await alert.getByText('No device with this serial number can be bound here.').waitFor();
    expect(await alert.textContent()).not.toContain('no permission');
    await page.getByText('Collectors report to http://127.0.0.1:8083').waitFor();
    // A person who adds a collector need not read of inverters.
    const checks = alert.getByRole('listitem');
    expect(await checks.allTextContents()).toEqual([
      expect.stringMatching(/^Compare it/),
      expect.stringMatching(/^A collector: /),
    ]);
    await expect.poll(isInView).toBe(true);
    await picture(page, 'manage-unknown-device');
    await serial.fill(others.sn);
    expect(await alert.count()).toBe(0);
    await bind.click();
    await expect
      .poll(() => alert.allTextContents())
      .toEqual([expect.stringContaining('This device is bound already')]);
    expect(await checks.count()).toBe(4);
    await page.goto(`${portal.url}/plants/${plantId}/settings`);
    await serial.fill('NOBODY-HAS-IT');
    await bind.click();
    await alert.getByText('An inverter or a meter: bind its collector first.').waitFor();
    await page.getByLabel('Token of the collector').fill('x');
    expect(await alert.count()).toBe(0);
    // The message of what was done before goes as soon as somebody goes on.
    await page.clock.install();
    await page.clock.pauseAt(Number(await page.evaluate('Date.now()')) + 60_000);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const savedAfter = async (ms: number): Promise<number> => {
      await page.clock.runFor(ms);
      return page.getByText('Saved.').count();
    };
    await expect.poll(() => savedAfter(20)).toBe(1);
    expect(await savedAfter(1000)).toBe(1);
    await page.keyboard.press('Shift');
    expect(await savedAfter(2100)).toBe(0);
    expect([visited.complaints, theirs.complaints]).toEqual([[], []]);
  });

  test('a plant is archived, brought back, and handed over to a buyer', async () => {
    const buyer = await fleet.person();
    const plantId = await fleet.plant(owner.id, { name: 'Old mill', timeZone: 'Europe/Berlin' });
    const visited = await open(owner, `/plants/${plantId}/settings`);
    const { page } = visited;
    expect(
      await page
        .getByRole('region', { name: 'Hand over' })
        .getByText('Its history is kept')
        .count(),
    ).toBe(0);
    await page.getByRole('region', { name: 'Archive the plant' }).getByRole('button').click();
    await page
      .getByRole('dialog')
      .getByText('under “Archived plants”, below the list of plants')
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Archive the plant' }).click();
    await page.getByText('The plant has been archived.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByRole('link', { name: 'Archived plants (1)' }).click();
    await page
      .getByRole('region', { name: 'Archived plants' })
      .getByText('Times in Berlin (GMT+1)')
      .waitFor();
    await page.getByRole('button', { name: 'Bring back: Old mill' }).click();
    // It had no devices.
    await page.getByText('Old mill is back.', { exact: true }).waitFor();
    await page.getByText('No plant is archived.').waitFor();
    await page.goto(`${portal.url}/plants/${plantId}/settings`);
    await page.getByLabel('E-mail address of the new owner').fill(buyer.email);
    await page.getByRole('button', { name: 'Offer the plant' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Offer the plant' }).click();
    await page.getByText(`The plant has been offered to ${buyer.email}.`).waitFor();
    await page.getByText(`No e-mails are sent here: please tell ${buyer.email} yourself`).waitFor();
    const offer = page.locator('[data-offer]');
    await offer.getByText(`Offered to ${buyer.email}`).waitFor();
    await offer.getByText('you keep no access').waitFor();
    expect(await page.getByLabel('E-mail address of the new owner').count()).toBe(0);
    await offer.getByText('since Nov 6, 2026, 12:05 PM · open until').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await picture(page, 'manage-offered');
    const shown = await open(owner, `/plants/${plantId}`);
    await shown.page.getByText(`Offered to ${buyer.email}, open until Dec 6, 2026`).waitFor();
    await offer.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('The offer has been withdrawn.').waitFor();
    await offer.waitFor({ state: 'detached' });
    expect(await page.getByText('No e-mails are sent here').count()).toBe(0);
    await page.getByLabel('E-mail address of the new owner').fill(buyer.email);
    await page.getByLabel('Your own access afterwards').selectOption({ label: 'See' });
    await page.getByRole('button', { name: 'Offer the plant' }).click();
    await page.getByRole('dialog').getByText('Your own access afterwards: See').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Offer the plant' }).click();
    await offer.getByText('you may still see the plant afterwards').waitFor();
    // Offers of other plants are not shown.
    const elsewhere = await open(
      owner,
      `/plants/${await fleet.plant(owner.id, { name: 'New mill' })}/settings`,
    );
    await elsewhere.page.getByLabel('E-mail address of the new owner').waitFor();
    await elsewhere.page.getByRole('button', { name: 'Archive the plant' }).waitFor();
    await elsewhere.page.waitForLoadState('networkidle');
    expect(await elsewhere.page.locator('[data-offer]').count()).toBe(0);
    const theirs = await open(buyer, '/invitations');
    await theirs.page
      .getByText(`${owner.email} hands the plant “Old mill” over to you.`)
      .first()
      .waitFor();
    await theirs.page
      .getByText(`${owner.email} may still see the plant afterwards, for service`)
      .waitFor();
    expect(await seriousBarriers(theirs.page)).toEqual([]);
    await picture(theirs.page, 'manage-handed-over');
    await theirs.page.getByRole('button', { name: 'Accept and end their access' }).click();
    await theirs.page.getByText('Accepted.').waitFor();
    const shares = await database.db
      .selectFrom('plantAccess')
      .select(['accountId', 'level'])
      .where('plantId', '=', plantId)
      .execute();
    expect(shares).toEqual([{ accountId: buyer.id, level: 'owner' }]);
    const plant = await database.db
      .selectFrom('plant')
      .select(['ownerId', 'archivedAt'])
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(plant).toEqual({ ownerId: buyer.id, archivedAt: null });
    expect([visited.complaints, theirs.complaints]).toEqual([[], []]);
  });

  test('everything is prepared as an archive, whose progress is shown, and downloaded', async () => {
    const visited = await open(owner, '/');
    const { page } = visited;
    await page.getByRole('link', { name: 'Settings', exact: true }).first().click();
    await page.getByRole('link', { name: 'Your data', exact: true }).click();
    await page.getByRole('button', { name: 'Prepare the archive' }).click();
    await page.getByText('The archive is being written: 0 %').waitFor();
    await writeExports(database.db, clock);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect([
      download.suggestedFilename(),
      readFileSync(await download.path())
        .subarray(0, 2)
        .toString(),
    ]).toEqual(['helioport-2026-11-06.zip', 'PK']);
    await page.getByRole('button', { name: 'Delete the archive' }).click();
    await page.getByRole('button', { name: 'Delete the archive' }).waitFor({ state: 'detached' });
    expect(visited.complaints).toEqual([]);
  });

  const narrow: BrowserContextOptions = { viewport: { width: 320, height: 640 } };
  // In a brief run each at a desk and on a phone, in light and dark.
  test.each([
    [
      'phone, dark, German',
      { ...phone, locale: 'de', colorScheme: 'dark' },
      ['export', 'settings'],
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en-GB', colorScheme: 'light' },
      ['export', 'settings'],
    ],
    [
      'narrow, light, Spanish',
      { ...narrow, locale: 'es', colorScheme: 'light' },
      ['new', 'invitations'],
    ],
    [
      'desk, dark, English',
      { ...desk, locale: 'en-GB', colorScheme: 'dark' },
      ['new', 'invitations'],
    ],
  ] as const)('has no barriers, fits and complains of nothing: %s', async (name, options, some) => {
    const plantId = await fleet.plant(owner.id, {
      name: `Dach ${'sehr'.repeat(20)}`,
      pricePerKwh: 0.1,
    });
    await fleet.device(plantId, { name: HOSTILE });
    await fleet.ask(
      'share/give',
      { kind: 'user', accountId: owner.id, keyId: null, canControl: true, plantIds: null },
      { plantId, email: 'a@example.com' },
    );
    const { page, complaints } = await open(owner, '/', options);
    for (const path of [
      '/account/export',
      '/plants/new',
      `/plants/${plantId}/settings`,
      '/invitations',
    ]) {
      if (!proving && !some.some((screen) => path.endsWith(screen))) continue;
      await page.goto(new URL(path, page.url()).href);
      await page.locator('h1').waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      expect([path, await fits(page)]).toEqual([path, true]);
      expect([path, await seriousBarriers(page)]).toEqual([path, []]);
      await picture(page, `manage ${path.split('/').at(-1)} ${name}`);
      expect([path, complaints]).toEqual([path, []]);
    }
  });
});
