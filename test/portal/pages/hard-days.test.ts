import type { Page } from 'playwright-core';
import { keepBindingStarts } from '../../../packages/server/src/fleet/plants/binding-starts.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { countIn } from '../../../packages/server/src/fleet/plants/fleet/counters.ts';
import { foldCounts } from '../../../packages/server/src/fleet/plants/fleet/fold-counts.ts';
import { nameKey, searchKey } from '../../../packages/server/src/fleet/plants/ranking/keys.ts';
import { findChromium, fitsItsWidth } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, type PortalScene, SOON } from './fixture.ts';
import { sunnyDay } from './sunny-day.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const PLANTS = 10_000;
const ROWS_AT_ONCE = 500;
const DAY_MS = 86_400_000;

/** A place among all plants that has nothing to do with the order in which they were made. */
const rankOf = (n: number): number => (n * 7919) % 10_007;

describe.skipIf(!findChromium())('the portal on hard days, in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;

  beforeAll(async () => {
    scene = await openScene(clock);
  });
  afterAll(() => scene?.close());

  const open = async (
    owner: Account,
    path: string,
    clockOff = 0,
  ): Promise<{ page: Page; complaints: readonly string[] }> => {
    const visit = await scene.visit(owner, '/account', { ...desk, locale: 'en' });
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    await visit.page.clock.setSystemTime(clock.at + clockOff);
    await visit.page.goto(new URL(path, visit.page.url()).href);
    return visit;
  };

  /** Plants without devices, whose figures are as if they had some. */
  async function manyPlants(owner: Account): Promise<void> {
    const { fleet } = scene;
    const { db } = scene.database();
    const other = await fleet.plant((await fleet.person()).id);
    const template = await db
      .selectFrom('plant')
      .selectAll()
      .where('id', '=', other)
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: PLANTS }, (_, n) => ({
      id: fleet.newId(),
      name: `Plant ${n}`,
      powerW: rankOf(n) * 10,
    }));
    await fleet.write(async (trx) => {
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const some = rows.slice(from, from + ROWS_AT_ONCE);
        await trx
          .insertInto('plant')
          .values(some.map(({ id, name }) => ({ ...template, id, name, ownerId: owner.id })))
          .execute();
        const times = {
          dayEndsAt: clock.at + DAY_MS,
          monthEndsAt: clock.at + DAY_MS,
          yearEndsAt: clock.at + DAY_MS,
          workedOutAt: clock.at,
          dueAt: clock.at + DAY_MS,
        };
        await trx
          .insertInto('plantStanding')
          .values(
            some.map(({ id, name, powerW }) => ({
              ...times,
              plantId: id,
              nameKey: nameKey(name),
              searchKey: searchKey(name, null),
              state: template.state,
              capacityKwp: template.capacityKwp,
              powerW,
              dayKwh: powerW / 1000,
            })),
          )
          .execute();
        await trx
          .insertInto('plantAccess')
          .values(
            some.map(({ id }) => ({
              plantId: id,
              accountId: owner.id,
              level: 'owner' as const,
              createdAt: 0,
            })),
          )
          .execute();
      }
      await countIn(trx, { accountId: owner.id });
    });
    await foldCounts(db, 100);
  }

  test('10,000 plants are counted, sorted, paged through and searched', async () => {
    const owner = await scene.owner('fleet@example.com');
    await manyPlants(owner);
    const { page, complaints } = await open(owner, '/?sort=power');
    const names = page.locator('tbody th a');
    const range = page.getByRole('navigation').getByRole('status');
    await expect.poll(() => range.textContent()).toBe('1–20 of 10,000');
    const best = Array.from({ length: PLANTS }, (_, n) => n)
      .toSorted((a, b) => rankOf(b) - rankOf(a))
      .map((n) => `Plant ${n}`);
    expect(await names.allTextContents()).toEqual(best.slice(0, 20));
    await page.getByRole('button', { name: 'Next page' }).click();
    await expect.poll(() => names.allTextContents()).toEqual(best.slice(20, 40));
    expect(await page.locator('table caption').textContent()).toBe('10,000 plants');
    await page.getByRole('searchbox').fill('Plant 7777');
    await expect.poll(() => names.allTextContents()).toEqual(['Plant 7777']);
    await page.goto(new URL('/?sort=power&page=500', page.url()).href);
    await expect.poll(() => range.textContent()).toBe('9,981–10,000 of 10,000');
    await expect.poll(() => names.allTextContents()).toEqual(best.slice(-20));
    expect(await fitsItsWidth(page)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('ten years of a plant are shown year by year', async () => {
    const owner = await scene.owner('old@example.com');
    const { fleet } = scene;
    const { db } = scene.database();
    const house = await fleet.plant(owner.id, { name: 'Since 2016', timeZone: 'Europe/Berlin' });
    const { sn, id } = await fleet.device(house);
    await fleet.report(sn, sunnyDay('2026-10-30T23:00:00Z', '2026-10-31T22:55:00Z'));
    await fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
    const { no, revision } = await db
      .selectFrom('binding')
      .select(['no', 'revision'])
      .where('deviceId', '=', id)
      .executeTakeFirstOrThrow();
    const { state } = await db
      .selectFrom('deviceMonth')
      .select('state')
      .where('binding', '=', no)
      .executeTakeFirstOrThrow();
    const months = Array.from(
      { length: 120 },
      (_, i) => (2016 + Math.floor((i + 10) / 12)) * 100 + ((i + 10) % 12) + 1,
    ).filter((month) => month < 202_610);
    await db
      .insertInto('deviceMonth')
      .values(months.map((month) => ({ binding: no, month, state })))
      .execute();
    const at = Date.parse('2015-12-31T23:00:00Z');
    await keepBindingStarts(db, [{ binding: { no, revision }, reportedAt: at, producedAt: at }]);
    const { page, complaints } = await open(owner, `/plants/${house}`);
    const card = page.getByRole('region', { name: /^Energy in/ });
    await card.getByText('All', { exact: true }).click();
    const all = page.getByRole('region', { name: 'Energy in all years' });
    await all.getByRole('button', { name: 'As a table' }).click();
    const years = all.getByRole('rowheader');
    await expect.poll(() => years.count()).toBe(12);
    expect(await years.allTextContents()).toEqual([
      ...Array.from({ length: 11 }, (_, i) => String(2016 + i)),
      'All years',
    ]);
    expect(await fitsItsWidth(page)).toBe(true);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['ahead', DAY_MS],
    ['behind', -DAY_MS],
  ])(
    'a browser whose clock is a day %s shows the plant’s day and how long ago things were',
    async (which, off) => {
      const owner = await scene.owner(`${which}@example.com`);
      const { fleet } = scene;
      const house = await fleet.plant(owner.id, { name: 'House', timeZone: 'Europe/Berlin' });
      const { sn } = await fleet.device(house);
      await fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
      const { page, complaints } = await open(owner, `/plants/${house}`, off);
      await page.getByRole('heading', { name: 'Energy in November 2026' }).waitFor();
      expect(await page.evaluate(() => new Date().toISOString().slice(0, 10))).toBe(
        new Date(clock.at + off).toISOString().slice(0, 10),
      );
      // It is today, after which there is no other day.
      expect(await page.getByRole('button', { name: 'Next day' }).isDisabled()).toBe(true);
      await page.getByText(/5 min/).first().waitFor();
      expect(complaints).toEqual([]);
    },
  );

  test.each([
    ['ahead', DAY_MS],
    ['behind', -DAY_MS],
  ])(
    'when the browser’s clock was set a day %s, what the device kept of the overview is asked for again',
    async (which, off) => {
      const owner = await scene.owner(`kept-${which}@example.com`);
      await scene.fleet.plant(owner.id, { name: 'House' });
      await scene.settle();
      const { page, complaints } = await open(owner, '/');
      const names = (): Promise<string[]> => page.locator('tbody th a').allTextContents();
      await expect.poll(names, SOON).toEqual(['House']);
      await page.clock.setSystemTime(clock.at + off);
      await page.goto(new URL('/account', page.url()).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await scene.fleet.plant(owner.id, { name: 'Shed' });
      await scene.settle();
      await page.getByRole('link', { name: 'Overview', exact: true }).first().click();
      await expect.poll(names, SOON).toEqual(['House', 'Shed']);
      expect(complaints).toEqual([]);
    },
  );
});
