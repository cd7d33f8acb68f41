import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { findChromium, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, SOON, type PortalScene } from '../pages/fixture.ts';

describe.skipIf(!findChromium())('what was chosen is in the address', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owner: Account;
  let plant: string;
  let device: string;

  beforeAll(async () => {
    scene = await openScene(clock);
    const { fleet } = scene;
    owner = await scene.owner('maria@example.com');
    plant = await fleet.plant(owner.id, { name: 'House', timeZone: 'Europe/Berlin' });
    const inverter = await fleet.device(plant, { name: 'Roof', model: 'SIM-8K' });
    device = inverter.id;
    await fleet.device(plant, { name: 'Barn roof' });
    for (const day of ['05', '06'])
      await fleet.report(inverter.sn, [
        [
          `2026-11-${day}T10:00:00Z`,
          {
            acPowerW: 900,
            gridFrequencyHz: 50,
            energyTodayKwh: 2,
            energyTotalKwh: 500 + Number(day),
          },
        ],
      ]);
  });
  afterAll(() => scene?.close());

  /** The same after a reload, after going away and back, and in another window. */
  const expectToStay = async (page: Page, chosen: () => Promise<unknown>): Promise<void> => {
    const before = await chosen();
    const address = page.url();
    await page.reload();
    await expect.poll(chosen, SOON).toEqual(before);
    await page.getByRole('link', { name: 'Alarms', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Alarms' }).waitFor();
    await page.goBack();
    await expect.poll(chosen, SOON).toEqual(before);
    await page.goBack();
    await page.goForward();
    await expect.poll(chosen, SOON).toEqual(before);
    expect(page.url()).toBe(address);
  };
  const values = (page: Page, ...labels: string[]): Promise<string[]> =>
    Promise.all(
      labels.map((label) =>
        page
          .getByLabel(label, { exact: true })
          .first()
          .inputValue({ timeout: 1000 })
          .catch(() => ''),
      ),
    );

  test('of a plant: the day, what it is compared with, the period and its energies', async () => {
    const { page, complaints } = await scene.visit(owner, '/plants/archived', {
      ...desk,
      locale: 'en',
    });
    // The app follows the history from its first page on.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`history.pushState({}, '', '/plants/${plant}')`);
    await page.getByLabel('Compare with').selectOption('lastWeek');
    await page.getByLabel('Day', { exact: true }).fill('2026-11-05');
    await page.getByText('Year', { exact: true }).click();
    await page.getByRole('button', { name: 'Previous year' }).waitFor();
    const chosen = async (): Promise<unknown> => [
      await values(page, 'Day', 'Compare with'),
      await page.getByRole('radio', { name: 'Year', exact: true }).isChecked(),
    ];
    expect(await chosen()).toEqual([['2026-11-05', 'lastWeek'], true]);
    await expectToStay(page, chosen);
    // Any other day, too.
    await page.getByLabel('Compare with').selectOption('anotherDay');
    await page.getByLabel('Day to compare with', { exact: true }).fill('2026-11-01');
    await expectToStay(page, () => values(page, 'Day', 'Compare with', 'Day to compare with'));
    expect(complaints).toEqual([]);
  });

  test('of a device: its tab, the day, the quantity, the comparison, and all settings', async () => {
    const { page, complaints } = await scene.visit(owner, '/plants/archived', {
      ...desk,
      locale: 'en',
    });
    const tab = (name: string): Locator => page.getByRole('tab', { name, exact: true });
    // The app follows the history from its first page on.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.evaluate(`history.pushState({}, '', '/plants/${plant}/devices/${device}')`);
    await tab('History').click();
    await page.getByLabel('Quantity').selectOption('frequency');
    await page.getByLabel('Day', { exact: true }).fill('2026-11-05');
    await page.getByLabel('Compare with').selectOption({ label: 'Barn roof' });
    await expect
      .poll(() => values(page, 'Quantity', 'Day'), SOON)
      .toEqual(['frequency', '2026-11-05']);
    await expectToStay(page, async () => [
      await tab('History').getAttribute('aria-selected'),
      await values(page, 'Quantity', 'Day', 'Compare with'),
    ]);
    await tab('Settings').click();
    await page.getByText('All settings', { exact: true }).click();
    await expectToStay(page, () =>
      page.getByRole('radio', { name: 'All settings', exact: true }).isChecked({ timeout: 1000 }),
    );
    expect(complaints).toEqual([]);
  });

  test('days and clock times in fields are written as on the page, whatever the browser writes itself', async () => {
    const { page } = await scene.visit(owner, `/plants/${plant}?day=2026-11-05`, {
      ...desk,
      locale: 'de-DE',
    });
    const COLOUR = 'getComputedStyle(document.querySelector("input[type=date]")).color';
    const field = page.locator('input[type=date]').first();
    await page.getByText('05.11.2026', { exact: true }).waitFor();
    expect(await page.evaluate(COLOUR)).toBe('rgba(0, 0, 0, 0)');
    // What is typed into is the browser's own.
    await field.focus();
    await page.getByText('05.11.2026', { exact: true }).waitFor({ state: 'hidden' });
    expect(await page.evaluate(COLOUR)).not.toBe('rgba(0, 0, 0, 0)');
    await page.goto(`${scene.portal.url}/alarms`);
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'days in fields');
  });
});
