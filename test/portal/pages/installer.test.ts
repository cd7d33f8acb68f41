import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { sharePlant, unsharePlant } from '../../../packages/server/src/fleet/plants/shares.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { proving } from '../../support/effort.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';
import { sunnyDay } from './sunny-day.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

describe.skipIf(!findChromium())(
  'the portal of an installer, who has nothing but shares, in Chromium',
  () => {
    const clock = settableClock('2026-11-06T11:05:00Z');
    let scene: PortalScene;
    let owner: Account;
    let installer: Account;
    let seen: string;
    let controlled: string;
    const inverters: Record<string, string> = {};

    beforeAll(async () => {
      scene = await openScene(clock);
      const { fleet } = scene;
      [owner, installer] = [
        await scene.owner('maria@example.com'),
        await scene.owner('fitter@example.com'),
      ];
      const plantOf = async (name: string): Promise<string> => {
        const plantId = await fleet.plant(owner.id, {
          name,
          timeZone: 'Europe/Berlin',
          pricePerKwh: 0.1,
          address: 'Meadow Lane 4',
        });
        const { id, sn } = await fleet.device(plantId, {
          name: `Inverter of ${name}`,
          model: 'SIM-8K-ES',
          ratedPowerW: 8000,
        });
        await fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
        inverters[plantId] = id;
        return plantId;
      };
      [seen, controlled] = [await plantOf('Barn'), await plantOf('Mill')];
      await plantOf('Kept to herself');
      await fleet.write((trx) => sharePlant(trx, fleet.act(), seen, installer.email, 'read'));
      await fleet.write((trx) =>
        sharePlant(trx, fleet.act(), controlled, installer.email, 'control'),
      );
      await scene.settle();
    });
    afterAll(() => scene?.close());

    const names = (page: Page): Promise<string[]> => page.locator('tbody th a').allTextContents();

    test.each([
      [
        'phone, dark, German',
        { ...phone, locale: 'de', colorScheme: 'dark' },
        ['overview', 'devices', 'settings'],
      ],
      [
        'desk, light, English',
        { ...desk, locale: 'en', colorScheme: 'light' },
        ['plant', 'device', 'strategies'],
      ],
    ] as const)(
      'can be read: overview, plant, devices, device, strategies and settings: %s',
      async (name, options, some) => {
        const { page, complaints } = await scene.visit(installer, '/', options);
        // In a brief run half of them at each width: their owner's tests see each at both.
        const isSeen = (screen: string): boolean =>
          proving || (some as readonly string[]).includes(screen);
        for (const [screen, path] of Object.entries({
          overview: '/',
          plant: `/plants/${seen}`,
          devices: `/plants/${seen}/devices`,
          device: `/plants/${controlled}/devices/${inverters[controlled]}`,
          strategies: `/plants/${seen}/strategies`,
          settings: `/plants/${seen}/settings`,
        }).filter(([each]) => isSeen(each))) {
          await page.goto(scene.portal.url + path);
          await page.locator(':is(h1, h2)').first().waitFor();
          await page.locator('main :is(table, dl, p)').first().waitFor();
          expect([screen, await seriousBarriers(page)]).toEqual([screen, []]);
          expect([screen, await fitsItsWidth(page)]).toEqual([screen, true]);
          await picture(page, `installer ${screen} ${name}`);
        }
        expect(complaints).toEqual([]);
      },
    );

    test('leads from the fleet to a device, and shows what the signed interface answers for the installer', async () => {
      const { page, complaints } = await scene.visit(installer, '/', { ...desk, locale: 'en' });
      await expect.poll(() => names(page), SOON).toEqual(['Barn', 'Mill']);
      const client = await scene.signed(installer);
      const listed: string[] = [];
      for await (const { stationName } of client.all('userStationList', {}))
        listed.push(stationName!);
      expect(listed.toSorted()).toEqual(await names(page));
      expect(await page.getByText('belongs to maria@example.com').count()).toBe(2);
      await page.getByRole('link', { name: 'Barn' }).click();
      await page.getByRole('heading', { name: 'Barn' }).waitFor();
      await page.getByText('View only', { exact: true }).waitFor();
      // What only an owner decides is not offered.
      const pages = page.getByRole('navigation', { name: 'Pages of the plant' });
      expect(await pages.getByRole('link', { name: 'Settings' }).count()).toBe(0);
      await pages.getByRole('link', { name: 'Devices' }).click();
      await page.getByRole('link', { name: 'Inverter of Barn' }).click();
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page
        .getByText('You can see the settings of this plant, but not change them.')
        .waitFor();
      expect(complaints).toEqual([]);
    });

    test('speaks of the owner’s limits, and leads back from what only the owner decides', async () => {
      const { page, complaints } = await scene.visit(installer, `/plants/${seen}/strategies`, {
        ...desk,
        locale: 'en',
      });
      await page.getByRole('heading', { name: 'The owner’s limits' }).waitFor();
      expect(await page.locator('main').innerText()).not.toMatch(/\byou/i);
      await page.goto(`${scene.portal.url}/plants/${seen}/settings`);
      await page.getByRole('link', { name: 'Plant', exact: true }).click();
      await page.waitForURL(`**/plants/${seen}`);
      await page.getByRole('heading', { name: 'Barn' }).waitFor();
      expect(complaints).toEqual([]);
    });

    test('offers the settings of a device where the share allows control', async () => {
      const { page, complaints } = await scene.visit(
        installer,
        `/plants/${controlled}/devices/${inverters[controlled]}`,
        { ...desk, locale: 'en' },
      );
      await page.getByRole('tab', { name: 'Settings' }).click();
      await page.getByRole('button', { name: 'Change Reserve for power cuts' }).waitFor();
      expect(await page.getByRole('link', { name: 'Unbind from this plant' }).count()).toBe(0);
      await page.goto(`${scene.portal.url}/plants/${controlled}`);
      await page.getByRole('heading', { name: 'Mill' }).waitFor();
      await page.waitForLoadState('networkidle');
      expect(await page.getByText('View only', { exact: true }).count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    test('ends with the share, in a page that is open', async () => {
      const { fleet } = scene;
      const { page } = await scene.visit(installer, '/', { ...desk, locale: 'en' });
      await expect.poll(() => names(page), SOON).toEqual(['Barn', 'Mill']);
      await fleet.write((trx) => unsharePlant(trx, fleet.act(), seen, installer.email));
      await page.getByRole('link', { name: 'Barn' }).click();
      await page.getByText('Your access to “Barn” ended').waitFor();
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
      await page.getByRole('link', { name: 'To the overview', exact: true }).click();
      await expect.poll(() => names(page), SOON).toEqual(['Mill']);
    });
  },
);
