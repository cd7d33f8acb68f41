import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from '../pages/fixture.ts';

describe.skipIf(!findChromium())('comparing months and years in Chromium', () => {
  const clock = settableClock('2024-12-31T12:00:00Z');
  let scene: PortalScene;
  let owner: Account;
  let plant: string;

  beforeAll(async () => {
    scene = await openScene(clock);
    owner = await scene.owner('maria@example.com');
    plant = await scene.fleet.plant(owner.id, { name: 'House', timeZone: 'Europe/Berlin' });
    const { sn } = await scene.fleet.device(plant, { name: 'Roof' });
    let total = 1000;
    for (const [day, kwh] of [
      ['2024-12-31', 5],
      ['2025-05-10', 20],
      ['2025-06-01', 10],
      ['2025-06-02', 20],
      ['2025-06-03', 5],
      ['2026-05-20', 10],
      ['2026-06-01', 15],
      ['2026-06-02', 30],
      ['2026-06-03', 9],
    ] as const) {
      clock.at = Date.parse(`${day}T12:00:00Z`);
      total += kwh;
      await scene.fleet.report(sn, [
        [`${day}T11:00:00Z`, { acPowerW: 900, energyTodayKwh: kwh, energyTotalKwh: total }],
      ]);
    }
    await scene.settle();
  });
  afterAll(() => scene?.close());

  const compared = (page: Page): Promise<string[]> =>
    page.locator('[data-figure=year-before]').allTextContents();

  test.each([
    ['phone, dark', { ...phone, locale: 'en', colorScheme: 'dark' }],
    ['desk, light', { ...desk, locale: 'en', colorScheme: 'light' }],
  ] as const)('a month, a year and any two periods: %s', async (name, options) => {
    const { page, complaints } = await scene.visit(owner, '/', options);
    // 45 of 30 kWh in June, 55 of 50 kWh this year: today is not over.
    const expected = ['50 % more than a year earlier', '10 % more than a year earlier'];
    await expect.poll(() => compared(page), SOON).toEqual(expected);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `compare overview ${name}`);
    await page.goto(`${scene.portal.url}/plants/${plant}`);
    await expect.poll(() => compared(page), SOON).toEqual(expected);
    const chart = page.getByRole('group', { name: /^Energy in June 2026/ });
    await page.getByLabel('Compare period with').selectOption('yearBefore');
    await page.getByText('Produced: 50 % more than in June 2025 (days so far)').waitFor();
    expect(await chart.locator('button > span > span').count()).toBe(60);
    await chart.scrollIntoViewIfNeeded();
    await picture(page, `compare month ${name}`);
    await page.reload();
    await page.getByText('Produced: 50 % more than in June 2025 (days so far)').waitFor();
    // The day of the curve brings its month along.
    await page.getByLabel('Day', { exact: true }).fill('2026-05-20');
    await page.getByRole('heading', { name: 'Energy in May 2026' }).waitFor();
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    await page.getByRole('heading', { name: 'Energy in June 2026' }).waitFor();
    await page.getByText('Produced: 50 % more than in June 2025 (days so far)').waitFor();
    await page.getByLabel('Compare period with').selectOption('anotherPeriod');
    await page.getByLabel('A day of the other period').fill('2026-05-02');
    await page.getByText(/^Produced: .* than in May 2026/).waitFor({ state: 'detached' });
    await page.getByText('Year', { exact: true }).click();
    await page.getByLabel('Compare period with').selectOption('yearBefore');
    await page.getByText('Produced: 50 % less than in 2025 (months so far)').waitFor();
    await picture(page, `compare year ${name}`);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
