import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { changeAlarms } from '../../../packages/server/src/outbound/alarms/alarm-rows.ts';
import { formatsOf } from '../../../packages/portal/src/i18n/formats-of.ts';
import {
  findChromium,
  fitsItsWidth,
  picture,
  seriousBarriers,
  misplacedLabels,
} from '../../support/browser.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';
import { sunnyDay } from './sunny-day.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const DIST = fileURLToPath(new URL('../../../packages/portal/dist', import.meta.url));

const HOSTILE = [
  '<script>document.title="stolen"</script>',
  'محطة الطاقة الشمسية في القاهرة',
  `Dach ${'sehr '.repeat(18)}lang`,
  '"\' onload=alert(1) &amp; {{x}}',
];

describe.skipIf(!findChromium())('the overview in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owner: Account;
  let house: string;

  beforeAll(async () => {
    scene = await openScene(clock);
    const { fleet } = scene;
    owner = await scene.owner('maria@example.com');
    house = await fleet.plant(owner.id, {
      name: 'Meadow Lane 4',
      timeZone: 'Europe/Berlin',
      pricePerKwh: 0.1,
      latitude: 52.5,
      longitude: 13.4,
      address: 'Berlin',
    });
    const { sn } = await fleet.device(house);
    await fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
    for (const name of HOSTILE) await fleet.plant(owner.id, { name: name.slice(0, 100) });
    const silent = await fleet.device(
      await fleet.plant(owner.id, { name: 'Nothing yet', latitude: -33.9, longitude: 151.2 }),
    );
    const [broken, unknown] = [
      { code: 'H103', level: 2, message: 'string 3 gives 20 % of the median', beginAt: clock.at },
      { code: 'X7', level: 1, message: 'fan', beginAt: clock.at },
    ] as const;
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: fleet.newId }, silent.id, [
        { raise: broken },
        { raise: unknown },
      ]),
    );
    await scene.settle();
  });
  afterAll(() => scene?.close());

  const names = (page: Page): Promise<string[]> => page.locator('tbody th a').allTextContents();

  test.each([
    [
      'phone, dark, German',
      { ...phone, locale: 'de', colorScheme: 'dark' },
      [
        'String 3 liefert 20 % der anderen',
        'und ein weiterer Alarm',
        '5 Anlagen ohne Messwerte nicht mitgezählt',
        'seit 6. Nov.',
      ],
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en-GB', colorScheme: 'light' },
      [
        'String 3 delivers 20 % of the others',
        'and another alarm',
        'not counting 5 plants without readings',
        'since 6 Nov',
      ],
    ],
  ] as const)('can be read and used: %s', async (name, options, [alarm, more, left, since]) => {
    const { page, complaints } = await scene.visit(owner, '/', options);
    await page.waitForSelector('tbody tr');
    const ailing = page.locator('tbody tr').filter({ hasText: 'Nothing yet' });
    await ailing.getByRole('link', { name: alarm }).waitFor();
    await ailing.getByText(more).waitFor();
    // Rated power that nothing can produce with would make the share of it too small.
    await page.getByText(left).waitFor();
    // Nothing was recorded before.
    expect(await page.locator('dl > div').filter({ hasText: since }).count()).toBe(2);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `overview ${name}`);
    expect(complaints).toEqual([]);
  });

  test('says first whether all is well, which plants need somebody, and which do not report', async () => {
    const { fleet } = scene;
    const pair = await scene.owner('pair@example.com');
    const devices = await Promise.all(
      ['Barn', 'Mill'].map(async (name) => fleet.device(await fleet.plant(pair.id, { name }))),
    );
    for (const { sn } of devices)
      await fleet.report(sn, sunnyDay('2026-11-06T10:00:00Z', '2026-11-06T11:00:00Z'));
    await scene.settle();
    const { page, complaints } = await scene.visit(pair, '/', { ...phone, locale: 'en' });
    await page.getByText('All plants are well.').waitFor();
    const raise = { code: 'X7', level: 2, message: 'fan', beginAt: clock.at } as const;
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: fleet.newId }, devices[1]!.id, [{ raise }]),
    );
    await scene.settle();
    await page.reload();
    const line = (words: string) => page.getByRole('listitem').filter({ hasText: words });
    await expect
      .poll(() => line('1 plant needs attention:').getByRole('link').allTextContents(), SOON)
      .toEqual(['Mill']);
    expect(
      (await page.getByText('does not report').count()) +
        (await page.getByText('All plants are well.').count()),
    ).toBe(0);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    // Once somebody is on it, it no longer waits for anybody.
    await page.getByRole('link', { name: 'Mill' }).first().click();
    await page.getByRole('heading', { name: '1 open alarm' }).click();
    await page.getByRole('button', { name: /I’m on it/ }).click();
    await page.goto(scene.portal.url);
    await expect
      .poll(
        () => line('1 plant has an alarm in progress:').getByRole('link').allTextContents(),
        SOON,
      )
      .toEqual(['Mill']);
    expect(await line('needs attention').count()).toBe(0);
    const { page: other } = await scene.visit(owner, '/', { ...desk, locale: 'en' });
    await other
      .getByRole('listitem')
      .filter({ hasText: '1 plant does not report:' })
      .getByRole('link', { name: 'Nothing yet' })
      .click();
    await other.getByRole('heading', { name: 'Nothing yet' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('draws what was produced in the last 24 hours, by each plant and by all', async () => {
    const { page, complaints } = await scene.visit(owner, '/', {
      ...desk,
      locale: 'en-GB',
      timezoneId: 'Europe/Berlin',
    });
    const all = page.getByRole('img', {
      name: 'Last 24 hours: peak 4 kW at 12:00 (15-minute average)',
    });
    await all.waitFor();
    // It is 12:05 in Berlin, so that the 24 hours began at 12:15; readings began at midnight, 47 quarters of an hour later.
    expect((await all.locator('path').last().getAttribute('d'))!.startsWith('M47.5 ')).toBe(true);
    const row = page.locator('tbody tr').filter({ hasText: 'Meadow Lane 4' });
    expect(
      await row.getByRole('img', { name: 'peak 4 kW at 12:00 (15-minute average)' }).count(),
    ).toBe(1);
    // One that never reported has none.
    expect(await page.locator('tbody tr').getByRole('img', { name: /peak/ }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('shows names that mean harm as the text that they are, and fits the smallest screens', async () => {
    const { page, complaints } = await scene.visit(owner, '/', {
      viewport: { width: 320, height: 640 },
      locale: 'en',
    });
    await page.waitForSelector('tbody tr');
    expect((await names(page)).toSorted()).toEqual(
      [...HOSTILE.map((name) => name.slice(0, 100)), 'Meadow Lane 4', 'Nothing yet'].toSorted(),
    );
    expect(await page.title()).toBe('Overview · Helioport');
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, 'overview 320');
    expect(complaints).toEqual([]);
  });

  test('shows of each plant what the signed interface answers for the same owner', async () => {
    const client = await scene.signed(owner);
    const { page } = await scene.visit(owner, '/', { ...desk, locale: 'en' });
    await page.waitForSelector('tbody tr');
    const formats = formatsOf('en');
    const text = ({ value, unit }: { value: string; unit: string }): string =>
      `${value} ${unit}`.trim();
    let compared = 0;
    for await (const plant of client.all('userStationList', { pageSize: 100 })) {
      const row = page
        .locator('tbody tr')
        .filter({ has: page.locator(`a[href="/plants/${plant.id}"]`) });
      expect(await row.locator('th bdi').first().textContent()).toBe(plant.stationName);
      const cells = await row.locator('td').allInnerTexts();
      // The signed interface has a 0 where nothing is known.
      if (plant.id === house) {
        expect(cells.slice(3, 5)).toEqual([
          text(formats.power(plant.power! * 1000)),
          `${text(formats.energy(plant.dayEnergy))}\n${formats.money(plant.dayIncome, plant.money)}\nGeneration tariff`,
        ]);
        expect(cells[3]).toBe('4 kW');
      }
      expect(cells[0]).toContain(
        { 1: 'Online', 2: plant.inverterCount ? 'Offline' : 'Without devices', 3: 'Alarm' }[
          plant.state!
        ],
      );
      compared += 1;
    }
    expect(compared).toBe(6);
  });

  test('searches, sorts and filters on the server, and keeps that in the address', async () => {
    const { page } = await scene.visit(owner, '/', { ...desk, locale: 'en' });
    await page.waitForSelector('tbody tr');
    await page.fill('input[type=search]', 'meadow');
    await expect.poll(() => names(page), SOON).toEqual(['Meadow Lane 4']);
    await page.fill('input[type=search]', 'no such plant');
    await page.getByRole('button', { name: 'Show all plants' }).click();
    await expect.poll(async () => (await names(page)).length, SOON).toBe(6);
    await page.getByRole('button', { name: 'Power now' }).click();
    await expect.poll(async () => (await names(page))[0], SOON).toBe('Meadow Lane 4');
    expect(new URL(page.url()).searchParams.get('sort')).toBe('power');
    await page.getByRole('button', { name: /Online/ }).click();
    await expect.poll(() => names(page), SOON).toEqual(['Meadow Lane 4']);
    await page.reload();
    await expect.poll(() => names(page), SOON).toEqual(['Meadow Lane 4']);
  });

  test.each([
    ['desk', { ...desk, locale: 'en' }],
    ['phone', { ...phone, locale: 'en' }],
  ] as const)(
    'answers which plant yielded least yesterday for its size, and which most: %s',
    async (name, options) => {
      const installer = await scene.owner(`installer-${name}@example.com`);
      const { fleet } = scene;
      for (const [plant, capacityKwp, kwh] of [
        ['Large', 20, 30],
        ['Small', 5, 15],
        ['Unmeasured', 10, undefined],
      ] as const) {
        const { sn } = await fleet.device(
          await fleet.plant(installer.id, { name: plant, capacityKwp, timeZone: 'Europe/Berlin' }),
        );
        if (kwh !== undefined)
          await fleet.report(sn, [
            ['2026-11-05T15:00:00Z', { energyTodayKwh: kwh, energyTotalKwh: 100 + kwh }],
          ]);
      }
      await scene.settle();
      const { page, complaints } = await scene.visit(installer, '/', options);
      await page.waitForSelector('tbody tr');
      const sortBy = async (order: string): Promise<void> => {
        if (name === 'phone')
          await page
            .getByRole('combobox', { name: 'Sort by' })
            .selectOption({ label: `Yesterday per kWp: ${order}` });
        else await page.getByRole('button', { name: 'Yesterday per kWp' }).click();
      };
      await sortBy('largest first');
      await expect.poll(() => names(page), SOON).toEqual(['Small', 'Large', 'Unmeasured']);
      await sortBy('smallest first');
      await expect.poll(() => names(page), SOON).toEqual(['Large', 'Small', 'Unmeasured']);
      expect(
        await page.locator('tbody td[data-header="Yesterday per kWp"]').allInnerTexts(),
      ).toEqual(['1.5 kWh/kWp\n30 kWh', '3 kWh/kWp\n15 kWh', '–']);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await misplacedLabels(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `overview yesterday ${name}`);
      expect(complaints).toEqual([]);
    },
  );

  test('shows the plants with a position on a map, and leads from there to their pages', async () => {
    const { page, complaints } = await scene.visit(owner, '/?map=true', { ...desk, locale: 'en' });
    const mark = page.getByRole('link', { name: 'Meadow Lane 4, Online' });
    await mark.waitFor();
    expect(await page.getByRole('link', { name: 'Nothing yet, Offline' }).count()).toBe(1);
    const land = page.locator('section[aria-label="Map of your plants"] svg g path').first();
    await expect
      .poll(async () => (await land.getAttribute('d'))?.length, SOON)
      .toBeGreaterThan(10_000);
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await picture(page, 'overview map');
    await mark.click();
    await page.getByRole('heading', { name: 'Meadow Lane 4' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('needs less than 200 kB of scripts and styles, and neither curves nor outlines', async () => {
    const { page } = await scene.visit(owner, '/', { ...desk, locale: 'en' });
    await page.waitForSelector('tbody tr');
    const loaded = await page.evaluate<string[]>(
      "performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)",
    );
    const assets = loaded.filter((path) => /^\/assets\/.*\.(js|css)$/.test(path));
    // The app, what joins its modules, the texts; and the words of alarms, since there are some.
    expect(assets.filter((path) => path.endsWith('.js')).length).toBeLessThanOrEqual(4);
    expect(loaded.join()).not.toMatch(/plant-map|countries|account-menu/);
    // What it asks first was answered with the page.
    expect(loaded.join()).not.toMatch(/api\/plant\/(overview|ranking)/);
    // uPlot's own style.
    for (const path of assets)
      expect(readFileSync(DIST + path, 'utf8').includes('.u-select'), path).toBe(false);
    // As over TLS; files without a compressed form are smaller than a packet.
    const sizeOf = (path: string): number =>
      statSync(existsSync(`${DIST}${path}.br`) ? `${DIST}${path}.br` : `${DIST}${path}`).size;
    const bytes = assets.reduce((sum, path) => sum + sizeOf(path), 0);
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(200_000);
  });

  test.each([
    [
      'phone, dark, Spanish',
      { ...phone, locale: 'es', colorScheme: 'dark' },
      'Ahorrado + vendido en 5 monedas',
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en', colorScheme: 'light' },
      'Saved + sold in 5 currencies',
    ],
  ] as const)(
    'shows amounts of five currencies behind a click, none added to another: %s',
    async (name, options, more) => {
      const trader = await scene.owner(`trader-${options.locale}@example.com`);
      const { fleet } = scene;
      for (const [i, currency] of ['EUR', 'CHF', 'USD', 'JPY', 'XXQ'].entries()) {
        const plantId = await fleet.plant(trader.id, {
          name: `In ${currency}`,
          currency,
          timeZone: 'Europe/Berlin',
          pricePerKwh: 0.1 * 40 ** i,
        });
        const { sn } = await fleet.device(plantId);
        await fleet.report(sn, [
          ['2025-11-06T08:00:00Z', { acPowerW: 1000, energyTotalKwh: 100 }],
          ['2026-11-06T08:00:00Z', { acPowerW: 1000, energyTotalKwh: 100 }],
          ['2026-11-06T11:00:00Z', { acPowerW: 1000, energyTotalKwh: 112.5 }],
        ]);
      }
      await scene.settle();
      const { page, complaints } = await scene.visit(trader, '/', options);
      const today = page.locator('dl > div').first().locator('li');
      await page.getByRole('button', { name: more }).waitFor();
      // Amounts that nobody can add up are there for those who want them.
      expect(await today.count()).toBe(0);
      const top = await page.locator('section').first().boundingBox();
      // The curve of the last day among them.
      expect(top!.height).toBeLessThan(540);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await misplacedLabels(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `overview currencies ${name}`);
      await page.getByRole('button', { name: more }).click();
      const client = await scene.signed(trader);
      const formats = formatsOf(options.locale);
      for await (const plant of client.all('userStationList', {})) {
        expect(
          await page
            .locator(`dl > div:first-child li[data-currency="${plant.money}"]`)
            .textContent(),
        ).toBe(
          formats.money(
            plant.dayIncome! * (plant.dayIncomeUnit?.length === 4 ? 1000 : 1),
            plant.money,
          ),
        );
      }
      expect(await today.count()).toBe(5);
      expect(complaints).toEqual([]);
    },
  );

  test('says of an alarm that somebody deals with it, and leads to a new plant', async () => {
    const { fleet } = scene;
    const busy = await scene.owner('busy@example.com');
    const plantId = await fleet.plant(busy.id, { name: 'Workshop' });
    const { id: deviceId, sn } = await fleet.device(plantId);
    await fleet.report(sn, sunnyDay('2026-11-06T10:00:00Z', '2026-11-06T11:00:00Z'));
    const raise = { code: 'X7', level: 2, message: 'fan', beginAt: clock.at } as const;
    await fleet.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: fleet.newId }, deviceId, [{ raise }]),
    );
    await scene.settle();
    const { page, complaints } = await scene.visit(busy, '/', { ...phone, locale: 'en' });
    const row = page.locator('tbody tr').filter({ hasText: 'Workshop' });
    await row.getByText('fan').waitFor();
    expect(await row.getByText('in progress').count()).toBe(0);
    const { id } = await scene
      .database()
      .db.selectFrom('alarm')
      .select('id')
      .where('plantId', '=', plantId)
      .executeTakeFirstOrThrow();
    await fleet.ask('alarm/process', userCaller(busy.id), { id });
    await scene.settle();
    await page.reload();
    await row.getByText('Alarm', { exact: true }).waitFor();
    await row.getByText('in progress').waitFor();
    await picture(page, 'overview in progress');
    await row.getByRole('link', { name: 'fan' }).click();
    await page.getByText('fan').first().waitFor();
    await page.goBack();
    expect(await page.getByRole('link', { name: 'New plant' }).getAttribute('href')).toBe(
      '/plants/new',
    );
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  test('says what to expect to somebody without plants', async () => {
    const { page } = await scene.visit(await scene.owner('new@example.com'), '/', {
      ...phone,
      locale: 'en',
    });
    await page.getByRole('heading', { name: 'You have no plants yet' }).waitFor();
    expect(await page.getByRole('link', { name: 'New plant' }).getAttribute('href')).toBe(
      '/plants/new',
    );
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await page.getByRole('main').getByRole('link', { name: 'For developers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
  });
});
