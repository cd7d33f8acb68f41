import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { markPosted } from '../../../packages/server/src/fleet/collectors/presence.ts';
import { formatsOf, type Shown } from '../../../packages/portal/src/i18n/formats-of.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from './fixture.ts';
import { sunnyDay } from './sunny-day.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const LONG_NAME = `Dach ${'sehr '.repeat(18)}lang`;

describe.skipIf(!findChromium())('the page of a plant in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owner: Account;
  let house: string;
  let meter: string;

  beforeAll(async () => {
    scene = await openScene(clock);
    const { fleet } = scene;
    owner = await scene.owner('maria@example.com');
    house = await fleet.plant(owner.id, {
      name: '<b>Haus</b> محطة',
      timeZone: 'Europe/Berlin',
      pricePerKwh: 0.1,
      address: 'Meadow Lane 4',
    });
    ({ sn: meter } = await fleet.device(house));
    await fleet.report(meter, sunnyDay('2026-11-04T23:00:00Z', '2026-11-05T22:55:00Z'));
    await fleet.report(meter, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
  });
  afterAll(() => scene?.close());

  const open = async (plantId = house, options = {}) => {
    const visit = await scene.visit(owner, `/plants/${plantId}`, {
      ...desk,
      locale: 'en',
      ...options,
    });
    await visit.page.getByRole('heading', { level: 1 }).waitFor();
    return visit;
  };
  const text = ({ value, unit }: Shown): string => `${value} ${unit}`.trim();
  const figure = async (page: Page, name: string): Promise<string> =>
    (await page.locator(`[data-figure=${name}]`).textContent())!.replaceAll(/\s+/g, ' ').trim();

  test.each([
    ['phone, dark, Spanish', { ...phone, locale: 'es', colorScheme: 'dark' }],
    ['desk, light, English', { colorScheme: 'light' }],
  ] as const)('can be read and used: %s', async (name, options) => {
    const { page, complaints } = await open(house, options);
    await page.locator('canvas').waitFor();
    await page.locator('[data-figure=power]').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, `plant ${name}`);
    expect(complaints).toEqual([]);
  });

  test('shows what the signed interface answers for the same owner, on the plant’s clock', async () => {
    const client = await scene.signed(owner);
    const plant = await client.call('stationDetail', { id: house });
    const { page } = await open(house, { timezoneId: 'America/New_York' });
    const formats = formatsOf('en');
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(plant.stationName);
    expect(await figure(page, 'power')).toBe(text(formats.power(plant.power! * 1000)));
    expect(await figure(page, 'today')).toBe(text(formats.energy(plant.dayEnergy)));
    expect(plant.dayEnergy).toBeCloseTo(10.2, 0);
    await page.getByText('Nothing is wrong.').waitFor();
    await page.getByText('About these figures').click();
    const body = await page.locator('main').innerText();
    for (const shown of [
      formats.money(plant.dayInCome, 'EUR'),
      '12:05 PM in Berlin (GMT+1)',
      'feeding in',
      'of CO₂ avoided so far, about what',
    ])
      expect(body).toContain(shown);

    // The curve, as its table: the same points at the same times.
    await page.getByRole('button', { name: 'As a table' }).first().click();
    const rows = await client.call('stationDay', { id: house });
    const cells = await page
      .locator('section table tbody tr')
      .evaluateAll((lines) =>
        lines.map((line) => [...line.children].map((cell) => cell.textContent)),
      );
    const curve = cells.slice(0, rows.length);
    expect(curve.map(([at]) => at)).toEqual(
      rows.map(({ time }) => formats.time(time, 'Europe/Berlin')),
    );
    expect(await page.locator('section table caption').first().textContent()).toBe(
      'Fri, Nov 6, 2026',
    );
    expect(curve.map(([, power]) => power)).toEqual(
      rows.map(({ power }) => formats.number(power, 3)),
    );
  });

  test('does not say that nothing is wrong while an inverter does not report', async () => {
    const half = await scene.fleet.plant(owner.id, { name: 'Half', timeZone: 'Europe/Berlin' });
    const [{ sn }] = [await scene.fleet.device(half), await scene.fleet.device(half)];
    await scene.fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
    await scene.settle();
    const { page } = await open(half);
    await page.getByText('One inverter is not reporting.').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Nothing is wrong.').count()).toBe(0);
  });

  test('says since when energy is recorded where the counters of the devices say more', async () => {
    const { page } = await open();
    const said = 'Recorded since Thu, Nov 5, 2026.';
    expect(
      await page.locator('dl > div').filter({ hasText: 'from device counters' }).allTextContents(),
    ).toEqual([expect.stringMatching(/^Lifetime/)]);
    await page.getByText('About these figures').click();
    await page.getByRole('region', { name: 'Right now' }).getByText(said).waitFor();
    await page
      .getByRole('region', { name: /^Energy in/ })
      .getByText('All', { exact: true })
      .click();
    await page.getByRole('region', { name: 'Energy in all years' }).getByText(said).waitFor();
    const young = await scene.fleet.plant(owner.id, { name: 'New' });
    await scene.fleet.report((await scene.fleet.device(young)).sn, [
      ['2026-11-06T09:00:00Z', { acPowerW: 0, energyTotalKwh: 0 }],
      ['2026-11-06T10:00:00Z', { acPowerW: 0, energyTotalKwh: 10 }],
    ]);
    const { page: other } = await open(young);
    await other.getByRole('region', { name: 'Energy in November 2026' }).waitFor();
    await other.waitForLoadState('networkidle');
    expect(await figure(other, 'today')).toBe('10 kWh');
    expect(await other.getByText('Recorded since').count()).toBe(0);
    expect(await other.getByText('from device counters').count()).toBe(0);
    // Months before the record would be empty.
    const year = other.getByRole('region', { name: /^Energy in/ });
    await year.getByText('Year', { exact: true }).click();
    const months = other.getByRole('group', { name: /^Energy in 2026/ }).getByRole('button');
    await expect
      .poll(async () => (await months.allInnerTexts()).map((name) => name.trim()), SOON)
      .toEqual(['Nov', 'Dec']);
    // Else a year that is hardly more than its last month would look wrong.
    for (const visited of [page, other]) {
      const since = visited === page ? 'since Nov 5' : 'since Nov 6';
      const periods = visited.getByRole('region', { name: 'Right now' }).locator('dl > div');
      await periods.getByText(since).first().waitFor();
      expect(await periods.filter({ hasText: since }).locator('dt').allTextContents()).toEqual([
        'This month',
        'This year',
      ]);
    }
  });

  test('gives the energies of a month as a file', async () => {
    const client = await scene.signed(owner);
    const { page } = await open();
    await page.getByRole('heading', { name: 'Energy in November 2026' }).waitFor();
    const [powers] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).first().click(),
    ]);
    expect(powers.suggestedFilename()).toBe('b-Haus-b-محطة_Power-over-the-day_2026-11-06.csv');
    const [head, first] = (await readFile(await powers.path(), 'utf8')).split('\r\n');
    expect(head).toMatch(/^\uFEFF?Time \(Europe\/Berlin\),Time \(UTC\),Production \(W\),/);
    expect(head).not.toContain('Irradiance');
    expect(first).toMatch(/^2026-11-06 00:00:00,2026-11-05 23:00:00,\d/);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).nth(1).click(),
    ]);
    expect(download.suggestedFilename()).toBe(
      'b-Haus-b-محطة_Energy_Produced-and-consumed_2026-11.csv',
    );
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    expect(lines[0]).toBe(
      'Day,Produced (kWh),Consumed (kWh),Generation tariff (EUR),Self-consumption (%),Self-sufficiency (%)',
    );
    const days = await client.call('stationMonth', { id: house, month: '2026-11' });
    expect(days.length).toBeGreaterThan(1);
    const percent = (whole = 0, grid = 0): number => Math.round((1 - grid / whole) * 100);
    expect(lines.slice(1)).toEqual(
      days.map(({ dateStr, energy, consumeEnergy, money, gridSellEnergy, gridPurchasedEnergy }) =>
        [
          dateStr,
          energy,
          consumeEnergy,
          money,
          percent(energy, gridSellEnergy),
          percent(consumeEnergy, gridPurchasedEnergy),
        ].join(),
      ),
    );
  });

  test('says what a period was in all, and what was paid and received for energy bought and sold', async () => {
    const traded = await scene.fleet.plant(owner.id, {
      name: 'Traded',
      timeZone: 'Europe/Berlin',
      pricePerKwh: 0.1,
    });
    const priced = (use: number) => [{ fromAt: 0, pricePerKwh: use }];
    const tariffs = JSON.stringify({
      production: priced(0.1),
      import: priced(0.4),
      export: priced(0.08),
    });
    await scene
      .database()
      .db.updateTable('plant')
      .set({ tariffs })
      .where('id', '=', traded)
      .execute();
    const { sn } = await scene.fleet.device(traded);
    await scene.fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
    const days = await (
      await scene.signed(owner)
    ).call('stationMonth', { id: traded, month: '2026-11' });
    const [day] = days;
    expect(days).toHaveLength(1);
    const formats = formatsOf('en');
    const { page } = await open(traded);
    const chart = page.getByRole('region', { name: 'Energy in November 2026' });
    const total = async (): Promise<string> =>
      (await chart.locator('[data-figure=total] > p').innerText()).replaceAll(/\s+/g, ' ');
    await chart.waitFor();
    const energy = (kwh: number | undefined): string => text(formats.energy(kwh));
    // At the price of a kWh bought.
    const saved = (day!.consumeEnergy! - day!.gridPurchasedEnergy!) * 0.4;
    expect(saved).toBeGreaterThan(0.5);
    expect(await total()).toBe(
      `Month in total · since Nov 6 Produced ${energy(day!.energy)} Consumed ${energy(day!.consumeEnergy)} Saved + sold ${formats.money(day!.worth, 'EUR')} ` +
        `Saved ${formats.money(saved, 'EUR')} Sold ${formats.money(day!.gridSellIncome, 'EUR')} Generation tariff ${formats.money(day!.money, 'EUR')}`,
    );
    expect(day!.worth).toBeCloseTo(saved + day!.gridSellIncome!, 2);
    await chart.getByText('at the price of buying at that time').waitFor();
    await chart.getByLabel('What is shown').selectOption('buySell');
    expect(day!.gridPurchasedIncome).toBeGreaterThan(0);
    expect(await total()).toBe(
      `Month in total · since Nov 6 Bought ${energy(day!.gridPurchasedEnergy)} Sold ${energy(day!.gridSellEnergy)} ` +
        `Paid ${formats.money(day!.gridPurchasedIncome, 'EUR')} Received ${formats.money(day!.gridSellIncome, 'EUR')}`,
    );
    await chart.getByRole('button', { name: 'As a table' }).click();
    expect(await chart.locator('tfoot tr > *').allTextContents()).toEqual([
      'Month in total · since Nov 6',
      ...(await chart.locator('tbody td').allTextContents()).slice(0, 2),
      formats.money(day!.gridPurchasedIncome, 'EUR'),
      formats.money(day!.gridSellIncome, 'EUR'),
      ...(await chart.locator('tbody td').allTextContents()).slice(-2),
    ]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      chart.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('Traded_Energy_Bought-and-sold_2026-11.csv');
    await page.setViewportSize({ width: 390, height: 844 });
    await expect.poll(() => fitsItsWidth(page), SOON).toBe(true);
    await picture(page, 'plant bought and sold, phone');

    const { page: unpriced } = await open();
    await unpriced.getByLabel('What is shown').last().selectOption('buySell');
    // A day that is compared with none has no difference from it.
    await expect
      .poll(() =>
        unpriced
          .getByRole('list', { name: 'Energy and peak of the day' })
          .getByRole('listitem')
          .count(),
      )
      .toBe(2);
    await unpriced.getByText('once prices of bought and sold energy have been entered').waitFor();
    await picture(unpriced, 'plant bought and sold');
  });

  test('without a price of what is produced, says what own power saved and what was received', async () => {
    const priced = (use: number) => [{ fromAt: 0, pricePerKwh: use }];
    const plantOf = async (name: string, tariffs: object): Promise<string> => {
      const id = await scene.fleet.plant(owner.id, { name, timeZone: 'Europe/Berlin' });
      const changes = { tariffs: JSON.stringify(tariffs), pricePerKwh: null };
      await scene.database().db.updateTable('plant').set(changes).where('id', '=', id).execute();
      const { sn } = await scene.fleet.device(id);
      await scene.fleet.report(sn, sunnyDay('2026-11-05T23:00:00Z', '2026-11-06T11:00:00Z'));
      return id;
    };
    const traded = await plantOf('Only traded', { import: priced(0.4), export: priced(0.08) });
    const [day] = await (
      await scene.signed(owner)
    ).call('stationMonth', { id: traded, month: '2026-11' });
    const worth = (day!.consumeEnergy! - day!.gridPurchasedEnergy!) * 0.4 + day!.gridSellIncome!;
    expect(day!.gridSellIncome).toBeGreaterThan(0);
    const { page } = await open(traded);
    const now = page.getByRole('region', { name: 'Right now' });
    const amount = formatsOf('en').money(worth, 'EUR');
    await expect.poll(() => now.getByText(amount, { exact: true }).count(), SOON).toBe(4);
    await now.getByText('About these figures').click();
    await now.getByText('own power that did not have to be bought').waitFor();
    await picture(page, 'plant without a price of what is produced');
    const { page: sold } = await open(await plantOf('Only sold', { export: priced(0.08) }));
    await sold
      .getByRole('region', { name: 'Right now' })
      .getByText(formatsOf('en').money(day!.gridSellIncome, 'EUR'), { exact: true })
      .first()
      .waitFor();
    const { page: bare } = await open(await plantOf('Priceless', {}));
    await bare.getByText('Nothing is wrong.').waitFor();
    await bare.waitForLoadState('networkidle');
    expect(await bare.getByRole('region', { name: 'Right now' }).textContent()).not.toContain('€');
  });

  test('shows an amount alike wherever it stands: that of a month is rounded once', async () => {
    const plantId = await scene.fleet.plant(owner.id, {
      name: 'Cents',
      timeZone: 'UTC',
      pricePerKwh: 0.1,
    });
    const { sn } = await scene.fleet.device(plantId);
    // 0.004 a day: rounded each, nothing at all.
    for (const day of [1, 2, 3, 4, 5])
      await scene.fleet.report(sn, [
        [`2026-11-0${day}T08:00:00Z`, { acPowerW: 100, energyTotalKwh: 100 + 0.04 * (day - 1) }],
        [`2026-11-0${day}T12:00:00Z`, { acPowerW: 100, energyTotalKwh: 100 + 0.04 * day }],
      ]);
    const client = await scene.signed(owner);
    const days = await client.call('stationMonth', { id: plantId, month: '2026-11' });
    expect(days.map(({ money }) => money)).toEqual([0, 0, 0, 0, 0]);
    const { page } = await open(plantId);
    const chart = page.getByRole('region', { name: 'Energy in November 2026' });
    await expect
      .poll(
        async () =>
          (await chart.locator('[data-figure=total]').innerText()).replaceAll(/\s+/g, ' '),
        SOON,
      )
      .toContain('Generation tariff €0.02');
    await page
      .getByRole('region', { name: 'Right now' })
      .locator('dl > div')
      .filter({ hasText: 'This month' })
      .getByText('€0.02')
      .waitFor();
    await chart.getByText('Year', { exact: true }).click();
    const year = page.getByRole('region', { name: 'Energy in 2026' });
    await expect
      .poll(
        async () => (await year.locator('[data-figure=total]').innerText()).replaceAll(/\s+/g, ' '),
        SOON,
      )
      .toContain('Generation tariff €0.02');
    expect(await year.locator('[data-figure=total]').innerText()).toContain(
      'Year in total · since Nov 1',
    );
  });

  test('has the curves that are shown in the table, and all of them in the file, under the same names and in the same figures', async () => {
    const roof = await scene.fleet.plant(owner.id, { name: 'Roof', timeZone: 'Europe/Berlin' });
    await scene.fleet.report((await scene.fleet.device(roof)).sn, [
      ['2026-11-06T10:00:00Z', { acPowerW: 1234.5, loadPowerW: 0.1, backupPowerW: 0.2 }],
    ]);
    await scene.fleet.report((await scene.fleet.device(roof, { kind: 'weather' })).sn, [
      ['2026-11-06T10:00:00Z', { irradianceWm2: 411.66667 }],
    ]);
    const { page } = await open(roof);
    const table = async (): Promise<string[][]> => {
      await page.getByRole('button', { name: 'As a table' }).first().click();
      const lines = page
        .getByRole('region', { name: 'Power over the day' })
        .getByRole('region')
        .locator('tr');
      const cells = await lines.evaluateAll((rows) =>
        rows.map((row) =>
          [...row.children].slice(1).map((cell) => cell.textContent!.replaceAll(',', '')),
        ),
      );
      await page.getByRole('button', { name: 'As a chart' }).click();
      return cells;
    };
    const file = async (): Promise<string[][]> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: 'Download as CSV' }).first().click(),
      ]);
      return (await readFile(await download.path(), 'utf8'))
        .trim()
        .split('\r\n')
        .map((line) => line.split(',').slice(2));
    };
    const irradiance = page.getByRole('checkbox', { name: 'Irradiance' });
    await irradiance.waitFor();
    expect((await table())[0]).not.toContain('Irradiance (W/m²)');
    // Its columns are chosen in the table as well.
    await page.getByRole('button', { name: 'As a table' }).first().click();
    await irradiance.press(' ');
    await page.getByRole('button', { name: 'As a chart' }).click();
    const shown = await table();
    expect(shown[0]).toContain('Irradiance (W/m²)');
    expect(shown[1]).toContain('411.667');
    expect(shown[1]).toContain('0.3');
    expect(await file()).toEqual(shown);
  });

  test('says how much of what was produced was used, and how independent the house was, today, in a period and on one of its days', async () => {
    const { page } = await open();
    const client = await scene.signed(owner);
    const days = await client.call('stationMonth', { id: house, month: '2026-11' });
    const percent = (whole: number, grid: number): string =>
      `${Math.round((1 - grid / whole) * 100)} %`;
    const of = (rows: typeof days): [string, string] => {
      const sum = (key: 'energy' | 'consumeEnergy' | 'gridSellEnergy' | 'gridPurchasedEnergy') =>
        rows.reduce((total, row) => total + row[key]!, 0);
      return [
        percent(sum('energy'), sum('gridSellEnergy')),
        percent(sum('consumeEnergy'), sum('gridPurchasedEnergy')),
      ];
    };
    const chart = page.getByRole('region', { name: 'Energy in November 2026' });
    const shares = (part: string): Promise<string[]> =>
      chart.locator(`[data-figure=${part}] [data-split] strong`).allTextContents();
    await expect.poll(() => shares('total'), SOON).toEqual(of(days));
    expect(await shares('read')).toEqual(of(days.slice(-1)));
    await chart.getByRole('button', { name: /^Thu, Nov 5, 2026/ }).hover();
    await expect.poll(() => shares('read'), SOON).toEqual(of(days.slice(0, 1)));
    const texts = await chart.locator('[data-figure=read] [data-split]').allInnerTexts();
    expect(texts.map((one) => one.replaceAll(/\s+/g, ' '))).toEqual([
      expect.stringMatching(
        /^Self-consumption \d+ % Used or stored [\d.]+ kWh \(\d+ %\) Sold [\d.]+ kWh \(\d+ %\)$/,
      ),
      expect.stringMatching(
        /^Self-sufficiency \d+ % Own power [\d.]+ kWh \(\d+ %\) Bought [\d.]+ kWh \(\d+ %\)$/,
      ),
    ]);
    const plant = await client.call('stationDetail', { id: house });
    expect(await figure(page, 'self-sufficiency')).toBe(
      `${percent(plant.homeLoadTodayEnergy!, plant.gridPurchasedDayEnergy!)} self-sufficient today`,
    );
  });

  test('shows a week from Monday to Sunday, also where a month ends in it', async () => {
    const { page, complaints } = await open();
    await page
      .getByRole('region', { name: 'Energy in November 2026' })
      .getByText('Week', { exact: true })
      .click();
    const week = page.getByRole('region', { name: 'Energy in the week from Mon, Nov 2, 2026' });
    await week.locator('[data-figure=total]').getByText('Week in total').waitFor();
    const bars = week.getByRole('group', { name: /^Energy/ }).getByRole('button');
    expect((await bars.allInnerTexts()).map((name) => name.trim())).toEqual([
      '2 Mon',
      '3 Tue',
      '4 Wed',
      '5 Thu',
      '6 Fri',
      '7 Sat',
      '8 Sun',
    ]);
    expect(await week.getByRole('button', { name: 'Next week' }).isDisabled()).toBe(true);
    expect(complaints).toEqual([]);

    const old = await scene.fleet.plant(owner.id, { name: 'Old', timeZone: 'Europe/Berlin' });
    const { sn } = await scene.fleet.device(old);
    await scene.fleet.report(sn, sunnyDay('2026-10-30T23:00:00Z', '2026-10-31T22:55:00Z'));
    await scene.fleet.report(
      sn,
      sunnyDay('2026-10-31T23:00:00Z', '2026-11-01T22:55:00Z').map(([at, values]) => [
        at,
        { ...values, energyTotalKwh: values.energyTotalKwh! + 20 },
      ]),
    );
    const { page: older } = await open(old);
    await older
      .getByRole('region', { name: /^Energy in/ })
      .getByText('Week', { exact: true })
      .click();
    await older.getByRole('button', { name: 'Previous week' }).click();
    const across = older.getByRole('region', { name: 'Energy in the week from Mon, Oct 26, 2026' });
    await across.getByRole('button', { name: 'As a table' }).click();
    await expect
      .poll(() => across.getByRole('rowheader').allTextContents(), SOON)
      .toEqual(['Sat, Oct 31, 2026', 'Sun, Nov 1, 2026', 'Week in total · since Oct 31']);
  });

  test('opens the day of a bar as curves, and keeps it in the address', async () => {
    const { page } = await open();
    const curveDay = page.getByLabel('Day', { exact: true });
    const bar = page.getByRole('button', { name: /^Thu, Nov 5, 2026/ });
    await bar.click();
    await expect.poll(() => curveDay.inputValue(), SOON).toBe('2026-11-05');
    expect(new URL(page.url()).searchParams.get('day')).toBe('2026-11-05');
    await expect.poll(() => page.locator('canvas').first().isVisible(), SOON).toBe(true);
    await page.reload();
    await expect.poll(() => curveDay.inputValue(), SOON).toBe('2026-11-05');
    await page.goBack();
    await expect.poll(() => curveDay.inputValue(), SOON).toBe('2026-11-06');

    // A finger reads a bar first.
    const { page: small } = await open(house, { ...phone });
    await small.getByRole('button', { name: /^Thu, Nov 5, 2026/ }).tap();
    await small.locator('output strong', { hasText: 'Thu, Nov 5, 2026' }).waitFor();
    expect(await small.getByLabel('Day', { exact: true }).inputValue()).toBe('2026-11-06');
    await small.getByRole('link', { name: 'Show this day’s curve' }).click();
    await expect
      .poll(() => small.getByLabel('Day', { exact: true }).inputValue(), SOON)
      .toBe('2026-11-05');
    await expect
      .poll(
        () =>
          small
            .getByRole('heading', { name: 'Power over the day' })
            .evaluate((title) => title.getBoundingClientRect().top),
        SOON,
      )
      .toBeLessThan(200);
  });

  test('reads a bar that a finger is drawn across', async () => {
    const { page } = await open();
    const bars = page.getByRole('group', { name: /^Energy in November 2026/ });
    const { x, width } = (await bars.boundingBox())!;
    await bars.dispatchEvent('pointermove', { clientX: x + (width * 4.5) / 30 });
    await page.locator('output strong', { hasText: 'Thu, Nov 5, 2026' }).waitFor();
    await bars.dispatchEvent('pointermove', { clientX: x + width + 50 });
    await page.locator('output strong', { hasText: 'Mon, Nov 30, 2026' }).waitFor();
  });

  test('reads the curves where a finger taps or is drawn across, and nothing moves for it', async () => {
    const { page, complaints } = await open(house, {
      ...phone,
      viewport: { width: 390, height: 844 },
    });
    const chart = page.getByRole('img', { name: /^Power over the day/ });
    await chart.scrollIntoViewIfNeeded();
    const over = chart.locator('.u-over');
    const production = page
      .getByRole('checkbox', { name: /^Production/ })
      .locator('xpath=..')
      .locator('strong');
    const when = page.getByRole('group', { name: 'What is shown' }).getByRole('status');
    const { x, y, width, height } = (await over.boundingBox())!;
    // The latest reading, as long as nothing is pointed at.
    expect([await when.textContent(), await production.textContent()]).toEqual([
      '12:00 PM',
      '4 kW',
    ]);
    const touch = { x: x + width / 2.4, y: y + height / 2 };
    await page.touchscreen.tap(touch.x, touch.y);
    await expect.poll(() => when.textContent(), SOON).toBe('10:00 AM');
    expect(await production.textContent()).toBe('2.83 kW');
    expect((await over.boundingBox())!.y).toBe(y);

    const touches = await page.context().newCDPSession(page);
    const finger = (
      type: 'touchStart' | 'touchMove' | 'touchEnd',
      points: { x: number; y: number }[],
    ) => touches.send('Input.dispatchTouchEvent', { type, touchPoints: points });
    await finger('touchStart', [touch]);
    for (const part of [0.3, 0.2, 0.1])
      await finger('touchMove', [{ ...touch, x: x + width * (part + 1 / 12) }]);
    await finger('touchEnd', []);
    await expect.poll(() => when.textContent(), SOON).toMatch(/^4:[0-3]\d AM$/);
    expect(await production.textContent()).toBe('0 W');
    // It was not zoomed into, so there is no way out.
    expect(await page.getByRole('button', { name: 'Show all' }).count()).toBe(0);

    // Up and down, the page scrolls.
    const before = await page.evaluate('scrollY');
    await finger('touchStart', [touch]);
    for (const far of [30, 60, 90, 120])
      await finger('touchMove', [{ ...touch, y: touch.y - far }]);
    await finger('touchEnd', []);
    await expect.poll(() => page.evaluate('scrollY'), SOON).toBeGreaterThan(Number(before));
    await picture(page, 'plant read by touch');
    expect(complaints).toEqual([]);
  });

  test('curves are hidden one by one; without any, the time that is read is the latest', async () => {
    const { page, complaints } = await open();
    const curves = page.getByRole('group', { name: 'What is shown' });
    await expect.poll(() => curves.getByRole('status').textContent(), SOON).toBe('12:00 PM');
    const checked = curves.getByRole('checkbox', { checked: true });
    for (let left = await checked.count(); left > 0; left--) {
      await checked.first().click();
      await expect.poll(() => checked.count()).toBe(left - 1);
    }
    expect(await curves.getByRole('status').textContent()).toBe('12:00 PM');
    expect(complaints).toEqual([]);
  });

  test('compares two days, zooms, and goes back a day', async () => {
    const { page, complaints } = await open();
    await page
      .getByRole('group', { name: 'What is shown' })
      .getByText('Consumption', { exact: true })
      .click();
    await page.getByLabel('Compare with').selectOption('yesterday');
    await page.getByText('Production, Thu, Nov 5, 2026').waitFor();
    const curves = page.getByRole('group', { name: 'What is shown' });
    // What is read is the latest of today, also where the other day has readings until midnight.
    await expect.poll(() => curves.getByRole('status').textContent()).toBe('12:00 PM');
    const shownCurves = (): Promise<string[]> =>
      curves.locator('label:not([data-off])').allInnerTexts();
    // What was chosen before is kept; of the other day, production is shown at first.
    const own = ['Production', 'Battery', 'Grid', 'State of charge'];
    expect((await shownCurves()).map((name) => name.split('\n')[0]!.trim())).toEqual([
      ...own,
      'Production, Thu, Nov 5, 2026',
    ]);
    await curves.getByText('Consumption, Thu, Nov 5, 2026', { exact: true }).click();
    expect(await shownCurves()).toHaveLength(6);
    const sums = page
      .getByRole('list', { name: 'Energy and peak of the day' })
      .getByRole('listitem');
    const formats = formatsOf('en');
    const month = await (
      await scene.signed(owner)
    ).call('stationMonth', { id: house, month: '2026-11' });
    const [before, today] = ['2026-11-05', '2026-11-06'].map(
      (day) => month.find(({ dateStr }) => dateStr === day)!.energy!,
    );
    await expect
      .poll(() => sums.allTextContents(), SOON)
      .toEqual([
        `Fri, Nov 6, 2026: ${text(formats.energy(today))}, highest 4 kW at 12:00 PM`,
        expect.stringMatching(
          /^Consumed [\d.]+ kWhBought [\d.]+ kWhSold [\d.]+ kWhCharged 0 kWhDischarged 0 kWhSelf-sufficiency \d+ %$/,
        ),
        expect.stringMatching(
          /^Thu, Nov 5, 2026, until 12:\d\d PM: [\d.]+ kWh, highest 4 kW at 12:00 PM$/,
        ),
        expect.stringMatching(/^[\d.]+ kWh (more|less)$/),
      ]);
    // The difference is that of the two figures above it.
    const [shownToday, , shownBefore, difference] = (await sums.allTextContents()).map((line) =>
      Number(/([\d.]+) kWh/.exec(line)![1]),
    );
    expect(difference).toBe(Number(Math.abs(shownToday! - shownBefore!).toFixed(3)));
    // As much of the other day: both had the same sun, and the whole day had twice as much.
    const untilThen = Number(/([\d.]+) kWh/.exec((await sums.allTextContents())[2]!)![1]);
    expect(untilThen / today!).toBeCloseTo(1, 1);
    expect(before! / untilThen).toBeGreaterThan(1.8);
    expect(
      await page
        .getByRole('checkbox', { name: /^Production, Thu/ })
        .locator('xpath=..')
        .locator('line[stroke-dasharray]')
        .count(),
    ).toBe(1);
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'plant compared, phone');
    await page.setViewportSize(desk.viewport!);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Show all' }).isEnabled(), SOON)
      .toBe(true);
    const pan = page.getByRole('button', { name: 'Earlier' });
    const axis = page.getByRole('img', { name: /^Power over the day/ });
    // The middle of what is shown is read with the arrow keys from there.
    const readInMiddle = async (): Promise<string> => {
      await axis.scrollIntoViewIfNeeded();
      const { x, y, width, height } = (await axis.locator('.u-over').boundingBox())!;
      await page.mouse.move(x + width / 2, y + height / 2);
      await page.mouse.move(x + width / 2 + 1, y + height / 2);
      return (await curves.getByRole('status').textContent())!;
    };
    await expect.poll(readInMiddle, SOON).toBe('12:00 PM');
    await pan.press('Enter');
    await expect.poll(readInMiddle, SOON).toBe('6:00 AM');
    await page.getByRole('button', { name: 'Show all' }).click();
    expect(await pan.count()).toBe(0);
    await expect
      .poll(() => page.getByRole('button', { name: 'Show all' }).isDisabled(), SOON)
      .toBe(true);
    await page.getByRole('button', { name: 'Previous day' }).click();
    await expect
      .poll(() => page.getByLabel('Day', { exact: true }).inputValue(), SOON)
      .toBe('2026-11-05');
    await sums.getByText('Wed, Nov 4, 2026: no readings').waitFor();
    expect(await page.getByRole('checkbox', { name: /Nov 4/ }).count()).toBe(0);
    await picture(page, 'plant compared');
    expect(complaints).toEqual([]);
  });

  test.each([
    [
      'phone, Spanish',
      { ...phone, viewport: { width: 390, height: 844 }, locale: 'es' },
      'Comparar con',
      'Día con el que se compara',
      'no hay lecturas',
    ],
    ['desk, Chinese', { locale: 'zh-CN' }, '对比', '对比日期', '没有读数'],
  ] as const)(
    'compares a day with any day before today: %s',
    async (name, options, compare, comparedDay, noReadings) => {
      const { page, complaints } = await open(house, options);
      const formats = formatsOf(options.locale);
      await page.getByLabel(compare, { exact: true }).selectOption('lastYear');
      await page
        .getByText(
          `${formats.day('2025-11-07')}${options.locale === 'es' ? ': ' : '：'}${noReadings}`,
        )
        .waitFor();
      await picture(page, `plant compared with nothing, ${name}`);
      await page.getByLabel(compare, { exact: true }).selectOption('anotherDay');
      const field = page.getByLabel(comparedDay);
      expect(await field.inputValue()).toBe('2025-11-07');
      await field.fill('2026-11-06');
      expect(await field.inputValue()).toBe('2025-11-07');
      await field.fill('2026-11-05');
      await page
        .getByRole('checkbox', { name: new RegExp(`, ${formats.day('2026-11-05')}`) })
        .first()
        .waitFor();
      expect(await page.getByText(noReadings).count()).toBe(0);
      expect([await fitsItsWidth(page), await seriousBarriers(page)]).toEqual([true, []]);
      await picture(page, `plant compared with another day, ${name}`);
      expect(complaints).toEqual([]);
    },
  );

  test('follows what happens without being loaded again', async () => {
    const { page } = await open();
    expect(await figure(page, 'power')).toBe('4 kW');
    const { db } = scene.database();
    const { id: collector } = await scene.fleet.device(house, { kind: 'collector' });
    const loads: string[] = [];
    page.on('framenavigated', (frame) => loads.push(frame.url()));
    const reportAgain = async (): Promise<string> => {
      clock.at += 61_000;
      await scene.fleet.report(meter, [[clock.at, { acPowerW: 1234 }]]);
      const posting = db
        .selectFrom('device')
        .select(['id', 'state', 'reportedAt', 'expectedSeconds', 'clockOffsetSeconds', 'backlogAt'])
        .where('id', '=', collector);
      await markPosted(db, await posting.executeTakeFirstOrThrow(), clock.at);
      return figure(page, 'power');
    };
    await expect.poll(reportAgain, { timeout: 20_000, interval: 1000 }).toBe('1.23 kW');
    expect(loads).toEqual([]);
  });

  const silent = {
    'without devices': {
      fill: async () => {},
      said: 'This plant has no devices, so nothing reports.',
    },
    'whose device has not reported': {
      fill: async (plant: string) => void (await scene.fleet.device(plant)),
      said: 'This plant has no collector, so nothing reports.',
    },
    'with one reading': {
      fill: async (plant: string) =>
        scene.fleet.report((await scene.fleet.device(plant)).sn, [
          ['2026-11-06T11:04:00Z', { acPowerW: 0 }],
        ]),
      said: 'Power over the day',
    },
  };
  test.each(Object.entries(silent))(
    'makes sense for a plant %s, on the smallest screen',
    async (name, { fill, said }) => {
      const plant = await scene.fleet.plant(owner.id, { name: LONG_NAME });
      await fill(plant);
      const { page, complaints } = await open(plant, { viewport: { width: 320, height: 640 } });
      await page.getByText(said).first().waitFor();
      // A share of the rated power says that something was measured.
      expect(await page.getByText('0 % of').count()).toBe(name === 'with one reading' ? 1 : 0);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `plant ${name}`);
      expect(complaints).toEqual([]);
    },
  );

  test('is not shown to others, nor is whether it exists', async () => {
    const stranger = await scene.owner('eve@example.com');
    const { page } = await scene.visit(stranger, `/plants/${house}`, { ...desk, locale: 'en' });
    await page.getByText('This does not exist, or you have no access to it').waitFor();
    expect(await page.locator('main').innerText()).not.toContain('Haus');
  });
});
