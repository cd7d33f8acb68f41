import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sunPosition } from '../../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../../packages/server/src/measurements/energy/clear-sky.ts';
import {
  acPower,
  dcPower,
  moduleTemperature,
} from '../../../packages/server/src/measurements/expected/array-power.ts';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import type { Measurements } from '../../operations/fleet.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const SEVILLE = { latitude: 37.4, longitude: -6 };
const STEP_MS = 300_000;
const FIRST = Date.parse('2026-11-01T00:00:00+01:00');
const NOW = Date.parse('2026-11-09T14:00:00+01:00');
const OUTAGE = ['2026-11-09T11:00:00+01:00', '2026-11-09T13:00:00+01:00'].map(Date.parse);

/** A sky with passing clouds. */
const lightAt = (at: number): number =>
  clearSkyWm2(sunPosition(SEVILLE, at).elevation) * (0.75 + 0.2 * Math.sin(at / 2_500_000));

const weather = (at: number): Measurements => ({
  irradianceWm2: lightAt(at),
  globalIrradianceWm2: lightAt(at),
  ambientTemperatureC: 18,
});

const inverter = (at: number): Measurements => {
  const light = lightAt(at);
  const { powerW } = acPower(dcPower(8_000, light, moduleTemperature(light, 18)), 8_000);
  const isOut = at >= OUTAGE[0]! && at < OUTAGE[1]!;
  return { acPowerW: isOut ? 0 : 0.95 * powerW };
};

describe.skipIf(!findChromium())('what a plant should have produced in Chromium', () => {
  let scene: PortalScene;
  let owner: Account;
  let plantId: string;
  let sn: string;

  beforeAll(async () => {
    scene = await openScene(settableClock(NOW));
    const { fleet } = scene;
    owner = await scene.owner('maria@example.com');
    plantId = await fleet.plant(owner.id, {
      name: 'Finca',
      timeZone: 'Europe/Madrid',
      capacityKwp: 8,
      ...SEVILLE,
    });
    ({ sn } = await fleet.device(plantId, { ratedPowerW: 8_000 }));
    const station = await fleet.device(plantId, { kind: 'weather' });
    const times = Array.from(
      { length: (NOW - FIRST) / STEP_MS + 1 },
      (_, i) => FIRST + i * STEP_MS,
    );
    for (const [device, measure] of [
      [sn, inverter],
      [station.sn, weather],
    ] as const)
      await fleet.report(
        device,
        times.map((at) => [at, measure(at)] as const),
      );
  }, 60_000);
  afterAll(() => scene?.close());

  const mount = (...arrays: readonly object[]) =>
    scene.fleet.ask('plant/setArrays', userCaller(owner.id), { plantId, arrays });
  const MOUNTED = { tiltDegrees: 27.5, azimuthDegrees: 180, capacityKwp: 8 };

  test('the owner says how the modules are mounted, and then reads whether it is normal', async () => {
    await mount();
    const { page, complaints } = await scene.visit(owner, `/plants/${plantId}`, {
      ...desk,
      locale: 'en',
    });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('canvas').waitFor(SOON);
    expect(await page.locator('[data-figure=performance]').count()).toBe(0);
    await page.goto(`${scene.portal.url}/plants/${plantId}/settings`);
    const modules = page.getByRole('region', { name: 'Modules' });
    await modules.getByLabel('Tilt (°)').fill('95');
    await modules.getByLabel('Direction (°)').fill('180');
    expect(await modules.getByLabel('Rated power (kWp)').inputValue()).toBe('8');
    await modules.getByLabel('Inverter').selectOption(sn);
    await modules.getByRole('button', { name: 'Save the modules' }).click();
    await modules.getByText('Expected: a number from 0 to 90').waitFor(SOON);
    await modules.getByLabel('Tilt (°)').fill('27,5');
    await modules.getByLabel('Rated power (kWp)').fill('7');
    await modules.getByText(/^The arrays have 7(.00)? kWp together, the plant has 8/).waitFor();
    await modules.getByLabel('Rated power (kWp)').fill('8');
    expect(await seriousBarriers(page)).toEqual([]);
    await modules.scrollIntoViewIfNeeded();
    await picture(page, 'performance-modules');
    await modules.getByRole('button', { name: 'Save the modules' }).click();
    await page.getByText('The modules have been saved.').waitFor(SOON);
    await page.goto(`${scene.portal.url}/plants/${plantId}`);
    const sentence = page.locator('[data-figure=performance]');
    await sentence.waitFor(SOON);
    expect(await sentence.locator('p').first().textContent()).toMatch(
      /^95\s?% of what the sun allowed in November 2026: normal$/,
    );
    await page.getByLabel(/Allowed by the sun/).waitFor(SOON);
    await sentence.getByText('How this is known').click();
    await sentence.getByText(/may be 7(\.\d)?\s?% more or less/).waitFor();
    await picture(page, 'performance-plant');
    expect(complaints.filter((each) => !each.includes('setArrays'))).toEqual([]);
  });

  test.each([
    ['phone, dark, German', { ...phone, locale: 'de', colorScheme: 'dark' }],
    ['desk, light, Chinese', { ...desk, locale: 'zh', colorScheme: 'light' }],
    ['phone, light, Spanish', { ...phone, locale: 'es' }],
  ] as const)('is read beside the curve of the day: %s', async (name, options) => {
    await mount(MOUNTED);
    const { page, complaints } = await scene.visit(owner, `/plants/${plantId}`, options);
    const sentence = page.locator('[data-figure=performance]');
    await sentence.waitFor(SOON);
    await sentence.locator('summary').click();
    await page.locator('canvas').first().scrollIntoViewIfNeeded();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `performance ${name}`);
    expect(complaints).toEqual([]);
  });

  test('is in the table and the file of the curve, also while the plant stood still', async () => {
    await mount(MOUNTED);
    const { page } = await scene.visit(owner, `/plants/${plantId}`, { ...desk, locale: 'en' });
    await page.getByLabel(/Allowed by the sun/).waitFor(SOON);
    await page.getByRole('button', { name: 'As a table' }).first().click();
    const row = page.getByRole('row', { name: /^12:00\sPM/ }).first();
    await row.waitFor(SOON);
    const cells = await row.locator('td').allTextContents();
    expect(Number(cells[0]!.replaceAll(/[^\d.]/g, ''))).toBe(0);
    expect(Number(cells.at(-1)!.replaceAll(/[^\d.]/g, ''))).toBeGreaterThan(1000);
  });

  describe('what it lost', () => {
    let juan: Account;
    let workshop: string;
    let dead: string;

    beforeAll(async () => {
      const { fleet } = scene;
      juan = await scene.owner('juan@example.com');
      workshop = await fleet.plant(juan.id, {
        name: 'Taller',
        timeZone: 'Europe/Madrid',
        capacityKwp: 16,
        pricePerKwh: 0.1,
        ...SEVILLE,
      });
      const [first, second] = [
        await fleet.device(workshop, { ratedPowerW: 8_000 }),
        await fleet.device(workshop, { ratedPowerW: 8_000 }),
      ];
      dead = second.sn;
      const station = await fleet.device(workshop, { kind: 'weather' });
      const stopsAt = Date.parse('2026-11-05T12:00:00+01:00');
      const times = Array.from(
        { length: (NOW - FIRST) / STEP_MS + 1 },
        (_, i) => FIRST + i * STEP_MS,
      );
      for (const [device, measure] of [
        [first.sn, inverter],
        [dead, (at: number) => (at < stopsAt ? inverter(at) : { acPowerW: 0 })],
        [station.sn, weather],
      ] as const)
        await fleet.report(
          device,
          times.map((at) => [at, measure(at)] as const),
        );
      const caller = userCaller(juan.id);
      await fleet.ask('plant/setArrays', caller, {
        plantId: workshop,
        arrays: [first.sn, dead].map((each) => ({ ...MOUNTED, sn: each })),
      });
      await fleet.ask('performance/losses', caller, { plantId: workshop, each: 'day' });
    }, 60_000);

    test('leads from the list of visits to the plant, its causes, a table and a file', async () => {
      const { page, complaints } = await scene.visit(juan, '/', { ...desk, locale: 'en' });
      const visits = page.locator('[data-figure=visits]');
      await visits.waitFor(SOON);
      const row = visits.getByRole('row', { name: /Taller/ });
      expect(await row.textContent()).toMatch(
        new RegExp(`Inverter down.*${dead}.*MWh.*€.*Nov.* 5.*certain`),
      );
      expect(await seriousBarriers(page)).toEqual([]);
      await picture(page, 'performance-visits');
      await row.getByRole('link', { name: 'Taller' }).click();
      const losses = page.locator('[data-figure=losses]');
      await losses.getByRole('heading', { name: 'Losses in November 2026' }).waitFor(SOON);
      await losses.getByText(`inverter ${dead}`).waitFor();
      await losses.scrollIntoViewIfNeeded();
      expect(await seriousBarriers(page)).toEqual([]);
      await picture(page, 'performance-losses');
      const stacked = losses.locator('[data-stacked]').nth(5).locator('[data-some]');
      expect(await stacked.count()).toBeGreaterThanOrEqual(2);
      // A day is read with what it lost alone.
      const before = losses.getByRole('button', { name: /\bNov 1\b/ });
      expect(await before.getAttribute('aria-label')).not.toContain('Inverter down');
      const after = losses.getByRole('button', { name: /\bNov 7\b/ });
      expect(await after.getAttribute('aria-label')).toContain('Inverter down');
      const saved = page.waitForEvent('download');
      await losses.getByRole('button', { name: 'Download as CSV' }).click();
      expect((await saved).suggestedFilename()).toMatch(/^Taller_.*2026-11\.csv$/);
      await losses.getByRole('button', { name: 'As a table' }).click();
      await losses.getByRole('columnheader', { name: 'Inverter down (kWh)' }).waitFor();
      expect(complaints).toEqual([]);
    });

    test.each([
      ['phone, dark, German', { ...phone, locale: 'de', colorScheme: 'dark' }],
      ['phone, light, Spanish', { ...phone, locale: 'es' }],
      ['desk, light, Chinese', { ...desk, locale: 'zh', colorScheme: 'light' }],
    ] as const)('is read on any screen: %s', async (name, options) => {
      const { page, complaints } = await scene.visit(juan, '/', options);
      await page.locator('[data-figure=visits]').waitFor(SOON);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `visits ${name}`);
      await page.goto(`${scene.portal.url}/plants/${workshop}?period=months`);
      const losses = page.locator('[data-figure=losses]');
      await losses.waitFor(SOON);
      await losses.scrollIntoViewIfNeeded();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `losses ${name}`);
      expect(complaints).toEqual([]);
    });
  });
});
