import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { sharePlant } from '../../../packages/server/src/fleet/plants/shares.ts';
import { formatsOf } from '../../../packages/portal/src/i18n/formats-of.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const INVERTERS = 300;
const HOSTILE = '<img src=x onerror=alert(1)> محطة';

describe.skipIf(!findChromium())('the devices of a plant in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owner: Account;
  let installer: Account;
  let works: string;
  let weakest: string;

  beforeAll(async () => {
    scene = await openScene(clock);
    const { fleet } = scene;
    [owner, installer] = [
      await scene.owner('maria@example.com'),
      await scene.owner('fitter@example.com'),
    ];
    works = await fleet.plant(owner.id, { name: 'Works', timeZone: 'Europe/Berlin' });
    for (let i = 1; i <= INVERTERS; i++) {
      const { sn } = await fleet.device(works, {
        name: i === 7 ? HOSTILE : `Inverter ${i}`,
        model: 'SIM-8K',
        ratedPowerW: 8000,
      });
      if (i === 150) weakest = sn;
      const kwh = i === 150 ? 2 : 16;
      if (i > 2)
        await fleet.report(sn, [
          [
            '2026-11-06T11:00:00Z',
            { acPowerW: 1000 + i, energyTodayKwh: kwh, energyTotalKwh: 500 + kwh },
          ],
        ]);
    }
    await fleet.device(works, { kind: 'ammeter', name: 'Meter' });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), works, installer.email, 'read'));
  });
  afterAll(() => scene?.close());

  const names = (page: Page): Promise<string[]> => page.locator('tbody th a').allTextContents();
  const open = async (account: Account, path = '/devices', options = {}) => {
    const visit = await scene.visit(account, `/plants/${works}${path}`, {
      ...desk,
      locale: 'en',
      ...options,
    });
    await visit.page.locator('tbody tr').first().waitFor();
    return visit;
  };

  test.each([
    ['phone, dark, German', { ...phone, locale: 'de', colorScheme: 'dark' }],
    ['desk, light, English', { colorScheme: 'light' }],
  ] as const)('can be read and used: %s', async (name, options) => {
    const { page, complaints } = await open(owner, '/devices', options);
    expect(await names(page)).toHaveLength(25);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `devices ${name}`);
    expect(complaints).toEqual([]);
  });

  test('an installer finds the weak one of three hundred, from the page of the plant', async () => {
    const { page, complaints } = await scene.visit(installer, `/plants/${works}`, {
      ...desk,
      locale: 'en',
    });
    await page
      .getByRole('navigation', { name: 'Pages of the plant' })
      .getByRole('link', { name: 'Devices' })
      .click();
    await expect.poll(async () => (await names(page)).length, SOON).toBe(25);
    await page.getByLabel('Kind').selectOption('inverter');
    await page.getByRole('button', { name: 'Hours at full power today' }).click();
    await page.getByRole('button', { name: 'Hours at full power today' }).click();
    await expect.poll(async () => (await names(page))[0], SOON).toBe('Inverter 150');
    const first = page.locator('tbody tr').first();
    expect(await first.locator('td').allTextContents()).toEqual([
      'Inverter',
      'Online',
      formatsOf('en').ago(300_000),
      '1.15 kW',
      '2 kWh',
      '0.25 h',
    ]);
    await page.getByRole('button', { name: 'Next page' }).click();
    await page.getByText('26–50 of 300').waitFor();
    await page.getByRole('button', { name: /Offline/ }).click();
    await expect
      .poll(async () => (await names(page)).toSorted(), SOON)
      .toEqual(['Inverter 1', 'Inverter 2']);
    // What is shown is in the address.
    await page.reload();
    await expect
      .poll(async () => (await names(page)).toSorted(), SOON)
      .toEqual(['Inverter 1', 'Inverter 2']);
    await page.getByRole('button', { name: /All/ }).click();
    await page.fill('input[type=search]', weakest);
    await expect.poll(() => names(page), SOON).toEqual(['Inverter 150']);
    await page.fill('input[type=search]', 'no such device');
    await page.getByRole('button', { name: 'Show all devices' }).click();
    await expect.poll(async () => (await names(page)).length, SOON).toBe(25);
    expect(complaints).toEqual([]);
  });

  test('names that mean harm are text, and nothing is wider than the smallest screen', async () => {
    const { page, complaints } = await open(owner, '/devices?q=onerror', {
      viewport: { width: 320, height: 640 },
    });
    expect(await names(page)).toEqual([HOSTILE]);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('strangers do not learn of them', async () => {
    const { page } = await scene.visit(
      await scene.owner('eve@example.com'),
      `/plants/${works}/devices`,
      { ...desk, locale: 'en' },
    );
    await page.getByText('This does not exist, or you have no access to it').waitFor();
  });
});
