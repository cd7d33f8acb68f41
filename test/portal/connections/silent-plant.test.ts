import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markPosted } from '../../../packages/server/src/fleet/collectors/presence.ts';
import { findChromium } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from '../pages/fixture.ts';

const MINUTE_MS = 60_000;
const NOON = Date.parse('2026-06-15T10:00:00Z');

describe.skipIf(!findChromium())('a plant that is not heard of', () => {
  const clock = settableClock(NOON);
  let scene: PortalScene;
  beforeAll(async () => {
    scene = await openScene(clock);
  }, 60_000);
  afterAll(() => scene.close());

  const post = async (id: string, isBacklog = false): Promise<void> => {
    const { db } = scene.database();
    const row = await db
      .selectFrom('device')
      .select(['id', 'state', 'reportedAt', 'expectedSeconds', 'clockOffsetSeconds', 'backlogAt'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    await markPosted(db, row, clock.at, { isBacklog });
  };

  /** A plant in Berlin that reported at noon on its clock, beside one that goes on. */
  const setUp = async (email: string) => {
    clock.at = NOON;
    const owner = await scene.owner(email);
    const berlin = { latitude: 52.5, longitude: 13.4, timeZone: 'Europe/Berlin' };
    const plantId = await scene.fleet.plant(owner.id, { name: 'Silent house', ...berlin });
    const { id: collectorId } = await scene.fleet.device(plantId, { kind: 'collector' });
    const { id: deviceId, sn } = await scene.fleet.device(plantId);
    const otherId = await scene.fleet.plant(owner.id, { name: 'Other house', ...berlin });
    const other = await scene.fleet.device(otherId);
    await post(collectorId);
    await scene.fleet.report(sn, [
      [NOON, { acPowerW: 3300, loadPowerW: 437, gridPowerW: 2863, energyTodayKwh: 8 }],
    ]);
    const goOn = () => scene.fleet.report(other.sn, [[clock.at, { acPowerW: 1000 }]]);
    return { owner, plantId, collectorId, deviceId, sn, goOn };
  };

  test.each([
    [
      'desk, English',
      { ...desk, locale: 'en-GB' },
      {
        what: 'The collector has not reported since 12:00.',
        advice: 'Is the router on',
        asOf: 'as of 12:00',
        now: 'Right now',
      },
    ],
    [
      'phone, German',
      { ...phone, locale: 'de-DE' },
      {
        what: 'Der Datensammler hat sich seit 12:00 nicht gemeldet.',
        advice: 'Ist der Router an',
        asOf: 'Stand 12:00',
        now: 'Gerade jetzt',
      },
    ],
  ])(
    'looks so everywhere: grey figures with their time, a still flow, the same sentence: %s',
    async (_name, options, words) => {
      const { owner, plantId, deviceId, goOn } = await setUp(
        `silent-${options.locale}@example.org`,
      );
      clock.at += 60 * MINUTE_MS;
      await goOn();
      await scene.fleet.watch();
      const { page, complaints } = await scene.visit(owner, `/plants/${plantId}`, options);
      const flow = page.locator('section[aria-labelledby=energy-flow]');
      await flow.waitFor();
      await page.getByText(words.what).waitFor();
      await page.getByText(words.advice).waitFor();
      await page.getByText(words.asOf, { exact: true }).waitFor();
      expect(await page.getByText(words.now, { exact: true }).count()).toBe(0);
      expect(await flow.textContent()).toContain(words.asOf);
      const directions = await flow
        .locator('path[data-node]')
        .evaluateAll((paths) => paths.map((path) => path.getAttribute('data-direction')));
      expect(new Set(directions)).toEqual(new Set(['still']));
      // Device and alarms say the same.
      await page.goto(`${scene.portal.url}/plants/${plantId}/devices/${deviceId}`);
      await page.getByText(words.what).waitFor();
      await page.goto(`${scene.portal.url}/alarms`);
      await page.getByText(words.what).waitFor();
      await page.getByText(words.advice).waitFor();
      // Verdict and list.
      await page.goto(`${scene.portal.url}/`);
      await expect.poll(() => page.getByText(words.what).count(), SOON).toBe(2);
      const power = page.locator('[data-figure=power]');
      expect(await power.textContent()).toContain('kW');
      expect(await power.textContent()).toMatch(/^1\s*kW/);
      expect(complaints).toEqual([]);
    },
  );

  test('says that readings are late while a backlog is replayed, and is live again afterwards', async () => {
    const { owner, plantId, collectorId, sn, goOn } = await setUp('late@example.org');
    clock.at += 180 * MINUTE_MS;
    await goOn();
    await scene.fleet.watch();
    await post(collectorId, true);
    await scene.fleet.report(sn, [[clock.at - 120 * MINUTE_MS, { acPowerW: 5000 }]]);
    const { page } = await scene.visit(owner, `/plants/${plantId}`, {
      ...desk,
      locale: 'en-GB',
    });
    await page.getByText('Earlier readings are arriving; they have reached 13:00.').waitFor();
    await page.goto(`${scene.portal.url}/`);
    await page.getByText('Earlier readings are arriving; they have reached 13:00.').waitFor();
    expect(await page.locator('[data-figure=power]').textContent()).toMatch(/^1\s*kW/);
    expect(await page.getByText('does not report').count()).toBe(0);
    await post(collectorId);
    await scene.fleet.report(sn, [[clock.at, { acPowerW: 2000 }]]);
    await page.reload();
    await expect
      .poll(() => page.locator('[data-figure=power]').textContent(), SOON)
      .toMatch(/^3\s*kW/);
    expect(await page.getByText('Earlier readings').count()).toBe(0);
  });

  test('is not online because its collector is', async () => {
    const { owner, plantId, collectorId, goOn } = await setUp('alone@example.org');
    clock.at += 60 * MINUTE_MS;
    await goOn();
    await post(collectorId);
    await scene.fleet.watch();
    const { page } = await scene.visit(owner, `/plants/${plantId}`, {
      ...desk,
      locale: 'en-GB',
    });
    await page
      .getByText('The collector reports, but no device behind it has since 12:00.')
      .waitFor();
    expect(await page.locator('header [data-state=online]').count()).toBe(0);
    await page.locator('header [data-state=offline]').first().waitFor();
  });
});
