import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==',
  'base64',
);

const [LATITUDE, LONGITUDE] = [52.5, 13.4];

/** The tile in which a position is, as sources number them. */
function tileAt(zoom: number): string {
  const radians = (LATITUDE * Math.PI) / 180;
  const column = Math.floor(((LONGITUDE + 180) / 360) * 2 ** zoom);
  const row = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** zoom);
  return `${zoom}/${column}/${row}`;
}

describe.skipIf(!findChromium())('a map with tiles in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let source: Server;
  let owner: Account;
  const asked: { readonly path: string; readonly referer: string | undefined }[] = [];

  beforeAll(async () => {
    source = createServer(({ url, headers: { referer } }, response) => {
      asked.push({ path: url!, referer });
      response.writeHead(200, { 'Content-Type': 'image/png' }).end(PIXEL);
    });
    await new Promise<void>((done) => source.listen(0, '127.0.0.1', done));
    const { port } = source.address() as AddressInfo;
    scene = await openScene(clock, {
      mapTiles: `http://127.0.0.1:${port}/map/{z}/{x}/{y}.png`,
      mapAttribution: '© <b>Mapmakers</b>',
    });
    owner = await scene.owner('maria@example.com');
    await scene.fleet.plant(owner.id, {
      name: 'Meadow Lane 4',
      latitude: LATITUDE,
      longitude: LONGITUDE,
    });
    await scene.fleet.plant(owner.id, {
      name: 'Meadow Lane 6',
      latitude: LATITUDE,
      longitude: LONGITUDE,
    });
  });
  afterAll(async () => {
    await scene?.close();
    source?.close();
  });

  const tilesOf = (page: Page): Promise<string[]> =>
    page
      .locator('section img')
      .evaluateAll((images) =>
        images.map((image) => new URL((image as unknown as { src: string }).src).pathname),
      );

  test.each([
    ['phone, dark, German', { ...phone, locale: 'de', colorScheme: 'dark' }, 'Vergrößern'],
    ['desk, light, English', { ...desk, locale: 'en', colorScheme: 'light' }, 'Zoom in'],
  ] as const)(
    'shows those around the plants, at every zoom down to the street, and names their source: %s',
    async (name, options, closer) => {
      asked.length = 0;
      const { page, complaints } = await scene.visit(owner, '/?map=true', options);
      await page.getByText('© <b>Mapmakers</b>').waitFor();
      const zooms = new Set<number>();
      for (let i = 0; i < 14; i++) {
        await expect.poll(async () => (await tilesOf(page)).length, SOON).toBeGreaterThan(0);
        const tiles = await tilesOf(page);
        const zoom = Number(tiles[0]!.split('/')[2]);
        zooms.add(zoom);
        expect(tiles).toContain(`/map/${tileAt(zoom)}.png`);
        // Only what is seen, with a tile of 181 px side at least.
        const { width, height } = options.viewport!;
        expect(tiles.length).toBeLessThanOrEqual(
          (Math.ceil(width / 181) + 1) * (Math.ceil(Math.min(height, 544) / 181) + 1),
        );
        if (i === 4) await picture(page, `overview tiles ${name}`);
        await page.getByRole('button', { name: closer }).click();
      }
      expect(Math.max(...zooms)).toBeGreaterThan(15);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(complaints).toEqual([]);
      // The source does not learn which page it is for.
      expect(asked.length).toBeGreaterThan(14);
      expect(new Set(asked.map(({ referer }) => referer))).toEqual(new Set([undefined]));
    },
  );
});
