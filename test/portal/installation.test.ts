import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { rememberRefusals } from '../../packages/server/src/fleet/collectors/refusals.ts';
import { assignCollector, findDevice } from '../../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { sharePlant, unsharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { createFleet } from '../operations/fleet.ts';
import { findChromium, sharedChromium, seriousBarriers } from '../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startPortal, type TestPortal } from '../support/portal.ts';
import { settableClock } from '../support/world.ts';
import { visit } from './visit.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

describe.skipIf(!findChromium())('the installation of a plant in Chromium', () => {
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

  test('is given to an installer, who replaces a device, names it and corrects the plant', async () => {
    const [owner, installer] = [await fleet.person(), await fleet.person({ role: 'installer' })];
    const plantId = await fleet.plant(owner.id, { name: 'Lakeside', capacityKwp: 8 });
    const { id, sn } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
    const waiting = fleet.uniqueSn('NEW');
    await fleet.write(async (trx) => {
      const act = fleet.act();
      const collector = await insertCollector(trx, act, { sn: fleet.uniqueSn('COL') });
      await bindDevice(trx, act, collector.id, plantId);
      await assignCollector(trx, id, collector.id);
      await rememberRefusals(trx, collector.id, [{ sn: waiting, reason: 'unknown' }], act.at);
    });

    const own = await visit(browser, fleet, portal.url, owner.id, `/plants/${plantId}/settings`);
    const people = own.page.locator('#people');
    await people.getByRole('textbox', { name: 'E-mail address' }).fill(installer.email);
    await people.getByLabel('What the person may do').selectOption('install');
    await people.getByRole('button', { name: 'Invite', exact: true }).click();
    await people.getByText('Invited to view, control and set up the plant.').waitFor();
    expect(own.complaints).toEqual([]);

    const { page, complaints } = await visit(
      browser,
      fleet,
      portal.url,
      installer.id,
      '/invitations',
    );
    await page.getByText('You may see, control and set up it').waitFor();
    await page.getByRole('button', { name: 'Accept', exact: true }).click();
    await page.getByRole('link', { name: 'To the plant: Lakeside' }).click();
    await page
      .getByRole('navigation', { name: 'Pages of the plant' })
      .getByRole('link', { name: 'Settings', exact: true })
      .click();
    await page.getByRole('heading', { name: `1 device`, exact: false }).waitFor();
    await page.getByRole('textbox', { name: 'Rated power of the modules (kWp)' }).fill('9,5');
    await page.getByRole('form', { name: 'Details' }).getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);

    await page.goto(`${portal.url}/plants/${plantId}/devices/${id}`);
    await page.getByText('Name and set-up').click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Garage');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Garage' }).waitFor();
    await page.getByRole('button', { name: 'Replace this device' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Devices that report here and are not bound yet').selectOption(waiting);
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Replace', exact: true }).click();
    await page.getByText(`${waiting} has taken its place.`).waitFor();
    await expect.poll(() => page.url()).not.toContain(id);
    await page.getByRole('heading', { name: 'Garage' }).waitFor();
    expect(await findDevice(database.db, waiting)).toMatchObject({ plantId, name: 'Garage' });
    expect(await findDevice(database.db, sn)).toMatchObject({ plantId: null });
    const { capacityKwp } = await database.db
      .selectFrom('plant')
      .select('capacityKwp')
      .where('id', '=', plantId)
      .executeTakeFirstOrThrow();
    expect(capacityKwp).toBe(9.5);
    expect(complaints).toEqual([]);
  });

  test('whose access was ended reads so on every page of the plant', async () => {
    const [owner, guest] = [await fleet.person(), await fleet.person()];
    const plantId = await fleet.plant(owner.id, { name: 'Lakeside' });
    const { id } = await fleet.device(plantId);
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'install'));
    await fleet.write((trx) => unsharePlant(trx, fleet.act(), plantId, guest.email));
    const pages = ['', '/devices', '/strategies', '/settings', '/connect', `/devices/${id}`];
    for (const path of pages) {
      const { page } = await visit(
        browser,
        fleet,
        portal.url,
        guest.id,
        `/plants/${plantId}${path}`,
      );
      await page.getByText('Your access to “Lakeside” ended on').waitFor();
      await page.close();
    }
  });
});
