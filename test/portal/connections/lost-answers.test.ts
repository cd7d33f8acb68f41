import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findChromium } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from '../pages/fixture.ts';

const ASKING = 'We do not know yet whether the change was made';
const DONE = 'The change was made. Only the answer was lost.';
const NOT_DONE = 'The change did not reach the server. Nothing was changed.';

describe.skipIf(!findChromium())('a change whose answer is lost', () => {
  const clock = settableClock('2026-06-15T10:00:00Z');
  let scene: PortalScene;
  beforeAll(async () => {
    scene = await openScene(clock);
  }, 60_000);
  afterAll(() => scene.close());

  /** Cuts the answer to one operation, or the request itself. Outcomes are held until they may be asked for. */
  const cut = async (page: Page, operation: string, what: 'answer' | 'request') => {
    const { promise: may, resolve: allow } = Promise.withResolvers<void>();
    await page.route(
      `**/portal/api/${operation}`,
      async (route) => {
        if (what === 'answer') await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );
    await page.route('**/portal/outcome', async (route) => {
      await may;
      await route.fallback();
    });
    return allow;
  };

  const fill = async (page: Page) => {
    await page.getByLabel('Name', { exact: false }).first().fill('Meadow');
    await page.getByLabel('Address', { exact: false }).first().fill('Lane 1');
    await page.getByLabel('Latitude', { exact: false }).fill('52.5');
    await page.getByLabel('Longitude', { exact: false }).fill('13.4');
    await page.getByLabel('Rated power', { exact: false }).fill('9.9');
    await page.getByText('Taken from the position').first().waitFor();
    await page.getByRole('button', { name: 'Create the plant' }).click();
  };
  const plantsOf = async (ownerId: string): Promise<number> => {
    const rows = await scene
      .database()
      .db.selectFrom('plant')
      .select('id')
      .where('ownerId', '=', ownerId)
      .execute();
    return rows.length;
  };

  test('is not said to have failed: it is asked about, and goes on as if the answer had come', async () => {
    const owner = await scene.owner('lost-answer@example.org');
    const { page } = await scene.visit(owner, '/plants/new', desk);
    const allow = await cut(page, 'addStationBindCollector', 'answer');
    await fill(page);
    await page.getByText(ASKING).waitFor();
    expect(await page.getByText('Nothing was changed').count()).toBe(0);
    expect(await plantsOf(owner.id)).toBe(1);
    allow();
    await page.getByText(DONE).waitFor();
    // With the answer that was lost: the page of the plant.
    await page.waitForURL(/\/plants\/\d+$/);
    expect(await page.getByText(ASKING).count()).toBe(0);
    expect(await plantsOf(owner.id)).toBe(1);
  });

  test('that never came is said not to have been made, once that is sure, and can be made again', async () => {
    const owner = await scene.owner('lost-request@example.org');
    const { page } = await scene.visit(owner, '/plants/new', phone);
    const allow = await cut(page, 'addStationBindCollector', 'request');
    await fill(page);
    await page.getByText(ASKING).waitFor();
    allow();
    await page.getByText(NOT_DONE).first().waitFor();
    expect(await plantsOf(owner.id)).toBe(0);
    await page.getByRole('button', { name: 'Create the plant' }).click();
    await page.waitForURL(/\/plants\/\d+$/);
    expect(await plantsOf(owner.id)).toBe(1);
  });

  test('is asked about until the server answers', async () => {
    const owner = await scene.owner('lost-long@example.org');
    const { page } = await scene.visit(owner, '/plants/new', { ...desk, locale: 'de-DE' });
    await page.getByRole('heading', { name: 'Neue Anlage' }).waitFor();
    let refusals = 0;
    await page.route('**/portal/api/addStationBindCollector', async (route) => {
      await route.fetch();
      await route.abort('connectionreset');
    });
    await page.route('**/portal/outcome', async (route) => {
      refusals += 1;
      await (refusals <= 2 ? route.abort('connectionreset') : route.fallback());
    });
    await page.getByLabel('Name').first().fill('Wiese');
    await page.getByLabel('Adresse').first().fill('Weg 1');
    await page.getByLabel('Breitengrad').fill('52.5');
    await page.getByLabel('Längengrad').fill('13.4');
    await page.getByLabel('Nennleistung').fill('9.9');
    await page.getByText('Aus dem Ort übernommen').first().waitFor();
    await page.getByRole('button', { name: 'Anlage anlegen' }).click();
    await page.getByText('der Server wird gefragt').waitFor();
    await page.getByText('Die Änderung wurde gemacht.').waitFor();
    expect(refusals).toBe(3);
    await expect.poll(() => plantsOf(owner.id), SOON).toBe(1);
  });
});
