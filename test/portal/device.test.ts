import { createClient, type Client } from '@helioport/sdk';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { formatsOf } from '../../packages/portal/src/i18n/formats-of.ts';
import { addDays, localDay } from '../../packages/portal/src/i18n/plant-time.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { addOwner, PASSWORD } from '../oauth/fixture.ts';
import { findChromium, hasFocus, picture, seriousBarriers } from '../support/browser.ts';
import { createStreet, type House, type Street } from './house.ts';

const FACTORS: Readonly<Record<string, number>> = { kW: 1000, MWh: 1000 };

/** A figure as shown, in W, kWh or its own unit. */
function figureOf(text: string | null): number {
  const [, number = '', unit = ''] = /^(-?[\d,.]+) ?(\S*)$/.exec(text ?? '') ?? [];
  return Number(number.replaceAll(',', '')) * (FACTORS[unit] ?? 1);
}

const clientOf = async ({ fleet, app }: Street, accountId: string): Promise<Client> => {
  const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
  const key = await fleet.write((trx) =>
    insertKeyPair(trx, fleet.act(), app.secretBox, accountId, terms),
  );
  return createClient({ baseUrl: app.addresses['user-api']!, ...key });
};

const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click();
const setting = (page: Page, parameter: string) => page.locator(`[data-parameter="${parameter}"]`);
const view = (page: Page, name: string) => page.getByText(name, { exact: true }).click();
/** What switches the device off is shown when it is asked for. */
const openSwitches = (page: Page) => page.locator('[data-group=switches] summary').click();
const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('Math.max(0, document.documentElement.scrollWidth - innerWidth)');

if (!findChromium()) console.log('skipped: the page of a device (Chromium not installed)');

describe.skipIf(!findChromium())('the page of a device', () => {
  let street: Street;
  let house: House;
  beforeAll(async () => {
    street = await createStreet();
    house = await street.house();
  });
  afterAll(() => street.close());

  const open = async (
    sn: string,
    options: Parameters<Street['open']>[2] = {},
    accountId = house.ownerId,
  ) => street.open(accountId, street.pathOf(house, sn), options);

  test('shows what the signed interface answers, in groups with units, for each kind', async () => {
    const client = await clientOf(street, house.ownerId);
    const inverter = await client.call('inverterDetail', { sn: house.storageSn });
    const epm = await client.call('epmDetail', { sn: house.epmSn });
    const meter = await client.call('ammeterDetail', { sn: house.meterSn });
    const weather = await client.call('weatherDetail', { sn: house.weatherSn });
    const collector = await client.call('collectorDetail', { sn: house.collectorSn });
    const { page } = await open(house.storageSn);
    for (const [sn, kind, readings] of [
      [
        house.storageSn,
        'Inverter · SIM-8K-ES',
        {
          acPower: inverter.pac! * 1000,
          loadPower: inverter.totalLoadPower! * 1000,
          soc: inverter.batteryCapacitySoc,
          producedToday: inverter.eToday,
          frequency: inverter.fac,
        },
      ],
      [
        house.epmSn,
        'Export power manager',
        { gridPower: epm.pEpmTotalOrigin, frequency: epm.facMeter },
      ],
      [
        house.meterSn,
        'Meter',
        {
          meterPower: meter.psum! * 1000,
          boughtTotal:
            meter.eTotalPositiveActive! * (meter.eTotalPositiveActiveStr === 'MWh' ? 1000 : 1),
        },
      ],
      [
        house.weatherSn,
        'Weather station',
        { irradiance: weather.totalR, airTemperature: weather.temp },
      ],
      [house.collectorSn, 'Collector', { signal: collector.rssi, devices: 5 }],
    ] as const) {
      await page.goto(new URL(street.pathOf(house, sn), page.url()).href);
      await page.getByText(kind, { exact: true }).waitFor();
      for (const [name, value] of Object.entries(readings)) {
        const shown = figureOf(await page.locator(`[data-reading="${name}"]`).textContent());
        expect({
          sn,
          name,
          value,
          shown,
          isNear: Math.abs(shown - value!) <= Math.max(0.06, Math.abs(value!) * 0.006),
        }).toEqual({
          sn,
          name,
          value,
          shown,
          isNear: true,
        });
      }
    }
  });

  test('says since when what was produced this month and year is recorded', async () => {
    const { fisTimeStr = '' } = await (
      await clientOf(street, house.ownerId)
    ).call('inverterDetail', { sn: house.storageSn });
    const { page } = await open(house.storageSn);
    const day = fisTimeStr.slice(0, 10);
    // On its first day, nothing of a month or year is missing.
    const parts = [
      ...(day.endsWith('-01') ? [] : ['producedMonth']),
      ...(day.endsWith('-01-01') ? [] : ['producedYear']),
    ];
    await page.locator('[data-reading=producedYear]').waitFor();
    const line = page
      .locator('dl > div')
      .filter({ hasText: `since ${formatsOf('en-GB').shortDay(day)}` });
    const names = () =>
      line
        .locator('dd')
        .evaluateAll((all) =>
          all.map(
            (one) => (one as unknown as { dataset: Record<string, string> }).dataset['reading'],
          ),
        );
    expect(await names()).toEqual(parts);
    await picture(page, 'device readings');
  });

  test('compares the strings, and says which one stands out', async () => {
    const { page } = await open(house.stringSn);
    const rows = page.locator('li', { hasText: /^String \d/ });
    await rows.nth(3).waitFor();
    expect(await rows.count()).toBe(4);
    expect(await page.locator('li[data-odd]').allTextContents()).toEqual([
      expect.stringMatching(/^String 3.*delivers nothing$/),
    ]);
  });

  test('draws any quantity of a day, and gives it as a table', async () => {
    const rows = await (
      await clientOf(street, house.ownerId)
    ).call('inverterDay', { sn: house.stringSn });
    const { page } = await open(house.stringSn);
    await tab(page, 'History');
    await page.getByLabel('Quantity').selectOption('Current of the strings');
    await page.getByRole('button', { name: 'As a table' }).click();
    const table = page.getByRole('region', { name: 'Current of the strings' }).getByRole('row');
    expect(await table.first().getByRole('columnheader').allTextContents()).toEqual([
      'Time',
      'String 1 (A)',
      'String 2 (A)',
      'String 3 (A), delivered nothing this day',
      'String 4 (A)',
    ]);
    expect(await table.count()).toBe(rows.length + 1);
    const { iPv1, iPv2, iPv4 } = rows.at(-1)!;
    expect((await table.last().getByRole('cell').allTextContents()).map(Number)).toEqual([
      iPv1,
      iPv2,
      0,
      iPv4,
    ]);
    await page.getByRole('button', { name: 'As a chart' }).click();
    await page.getByLabel('Quantity').selectOption('Power of the strings');
    const legend = page.getByRole('group', { name: 'What is shown' });
    expect(await legend.locator('label > span:not([class])').allTextContents()).toEqual([
      'String 1',
      'String 2',
      'String 3delivered nothing this day',
      'String 4',
    ]);
    // Dashes are for what is compared, with or without.
    expect(await legend.locator('svg line').count()).toBe(0);
    await picture(page, 'device-strings');
    // The choice stays on a day that has nothing of it.
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.getByText('Power of the strings: no readings on this day').waitFor();
    await page.getByRole('button', { name: 'Next day' }).click();
    await legend.waitFor();
    expect(await page.getByLabel('Quantity').inputValue()).toBe('stringPower');
    await page.setViewportSize({ width: 390, height: 844 });
    // The chart follows the window a moment later.
    await expect.poll(() => overflow(page)).toBe(0);
    await picture(page, 'device-strings-390');
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.getByText('No readings on this day').waitFor();
  });

  test('without sun, the strings are compared as they were in good sun', async () => {
    const own = await street.house();
    const rows = await (
      await clientOf(street, own.ownerId)
    ).call('inverterDay', { sn: own.stringSn });
    const brightest = Math.max(
      ...rows.flatMap(({ pow1, pow2, pow4 }) => [pow1 ?? 0, pow2 ?? 0, pow4 ?? 0]),
    );
    const dark = Object.fromEntries(
      [1, 2, 3, 4].flatMap((i) => [
        [`dcVoltage${i}V`, 1],
        [`dcCurrent${i}A`, 0],
        [`dcPower${i}W`, 0],
      ]),
    );
    await own.report([{ sn: own.stringSn, at: Date.now(), values: { acPowerW: 0, ...dark } }]);
    const { page, complaints } = await street.open(own.ownerId, street.pathOf(own, own.stringSn));
    await page
      .getByText('There is too little sun now. This is how they were in good sun, on')
      .waitFor();
    const strings = page.locator('li', { hasText: /^String \d/ });
    const shown = (await strings.allTextContents()).map((text) =>
      figureOf(/^String \d([\d.,]+ k?W)/.exec(text)![1]!),
    );
    expect(Math.abs(Math.max(...shown) - brightest)).toBeLessThan(brightest * 0.006 + 1);
    expect(await page.locator('li[data-odd]').allTextContents()).toEqual([
      expect.stringMatching(/^String 3.*delivers nothing$/),
    ]);
    await picture(page, 'device-strings-night');
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test.each([
    [
      'at a desk',
      { viewport: { width: 1280, height: 900 }, locale: 'en' },
      'Compare with',
      'Production',
    ],
    [
      'on a phone, dark, in German',
      { viewport: { width: 360, height: 780 }, locale: 'de', colorScheme: 'dark' },
      'Vergleichen mit',
      'Erzeugung',
    ],
  ] as const)(
    'an inverter is compared with another one of its plant, in one chart: %s',
    async (name, options, label, production) => {
      const silent = `Silent, ${name}`;
      await street.fleet.device(house.plantId, { name: silent });
      const { page, complaints } = await street.open(
        house.ownerId,
        `${street.pathOf(house, house.storageSn)}#history`,
        options,
      );
      const others = page.getByLabel(label);
      await expect
        .poll(() => others.locator('option').allTextContents())
        .toEqual(expect.arrayContaining([house.stringSn, silent]));
      expect(await others.locator('option', { hasText: house.storageSn }).count()).toBe(0);
      await others.selectOption(house.stringSn);
      const legend = page.locator('label > span:not([class])', { hasText: house.stringSn });
      await legend.first().waitFor();
      expect(await legend.allTextContents()).toEqual([`${production}, ${house.stringSn}`]);
      await picture(page, `device-compared ${name}`);
      await page.getByRole('button', { name: /As a table|Als Tabelle/ }).click();
      const table = page.getByRole('table');
      const heads = await table.getByRole('columnheader').allTextContents();
      const column = heads.findIndex((head) => head.includes(house.stringSn));
      const cells = await table.locator(`tbody tr td:nth-child(${column + 1})`).allTextContents();
      const most = Math.max(
        ...cells.map((text) =>
          figureOf(options.locale === 'de' ? text.replaceAll('.', '').replace(',', '.') : text),
        ),
      );
      expect(most).toBeGreaterThan(1000);
      const rows = await (
        await clientOf(street, house.ownerId)
      ).call('inverterDay', { sn: house.stringSn });
      expect(rows.some(({ pac }) => Math.abs(pac! - most) < 1)).toBe(true);
      expect([await overflow(page), await seriousBarriers(page)]).toEqual([0, []]);
      await others.selectOption(silent);
      await page.getByText(new RegExp(`^${silent}: `)).waitFor();
      // What was chosen stays so with another quantity: strings are compared with strings.
      await others.selectOption(house.stringSn);
      await page.getByLabel(/Quantity|Messgröße/).selectOption('stringPower');
      await expect
        .poll(() => legend.allTextContents())
        .toEqual([`String 1, ${house.stringSn}`, `String 2, ${house.stringSn}`]);
      expect(await others.locator('option:checked').textContent()).toBe(house.stringSn);
      const colours = await page
        .locator('fieldset label')
        .evaluateAll((entries) =>
          entries.map(
            (entry) =>
              /--hp-[\w-]+/.exec(
                entry.querySelector('line')?.getAttribute('stroke') ?? entry.innerHTML,
              )?.[0],
          ),
        );
      expect(new Set(colours).size).toBe(4);
      await picture(page, `device-strings-compared ${name}`);
      expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
    },
  );

  test.each([
    ['at a desk', { viewport: { width: 1280, height: 900 }, locale: 'en' }, 'Compare with'],
    [
      'on a phone, dark, in Spanish',
      { viewport: { width: 390, height: 844 }, locale: 'es', colorScheme: 'dark' },
      'Comparar con',
    ],
  ] as const)(
    'two days of a quantity are compared, in one chart: %s',
    async (name, options, label) => {
      const own = await street.house({ name: `Two days, ${name}` });
      const { dataTimestamp, pac } = (
        await (await clientOf(street, own.ownerId)).call('inverterDay', { sn: own.storageSn })
      ).at(-1)!;
      const strings = {
        dcPower1W: 1500,
        dcVoltage1V: 300,
        dcCurrent1A: 5,
        dcPower2W: 900,
        dcVoltage2V: 300,
        dcCurrent2A: 3,
      };
      await own.report([
        {
          sn: own.storageSn,
          at: Number(dataTimestamp) - 24 * 3_600_000,
          values: { acPowerW: 1234, ...strings },
        },
      ]);
      const { page, complaints } = await street.open(
        own.ownerId,
        `${street.pathOf(own, own.storageSn)}#history`,
        options,
      );
      const compare = page.getByLabel(label);
      await compare.selectOption('yesterday');
      const day = formatsOf(options.locale).day(
        addDays(localDay(Number(dataTimestamp), own.zone), -1),
      );
      const legend = page.locator('label', { hasText: day });
      await legend.first().waitFor();
      expect(await legend.count()).toBe(1);
      expect(await legend.locator('line[stroke-dasharray]').count()).toBe(1);
      await picture(page, `device-days ${name}`);
      await page.getByRole('button', { name: /As a table|Como tabla/ }).click();
      const heads = await page.getByRole('table').getByRole('columnheader').allTextContents();
      // What was measured a day earlier stands beside what was measured now.
      const cells = await page
        .getByRole('table')
        .locator('tbody tr')
        .last()
        .locator('td')
        .allTextContents();
      const second = heads.findIndex((head) => head.includes(day));
      expect([cells[0], cells[second - 1]].map((text) => text!.replace(/[.,]/g, ''))).toEqual([
        String(pac),
        '1234',
      ]);
      expect([await overflow(page), await seriousBarriers(page)]).toEqual([0, []]);
      await page.locator('select').first().selectOption('stringPower');
      await expect.poll(() => legend.count()).toBe(2);
      await compare.selectOption('lastWeek');
      await page.getByText(/: (no readings on this day|no hay lecturas de este día)$/).waitFor();
      expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
    },
  );

  test('many strings cannot be compared, which is said, and what was chosen is kept for other quantities', async () => {
    const own = await street.house({ name: 'Five strings' });
    const numbers = [1, 2, 3, 4, 5];
    await own.report([
      {
        sn: own.stringSn,
        at: Date.now(),
        values: {
          acPowerW: 4000,
          ...Object.fromEntries(numbers.map((i) => [`dcPower${i}W`, 800])),
        },
      },
    ]);
    const { page } = await street.open(own.ownerId, `${street.pathOf(own, own.stringSn)}#history`);
    const compare = page.getByLabel('Compare with');
    await compare.selectOption('lastYear');
    await page.getByLabel('Quantity').selectOption('stringPower');
    await page.getByText('Too many curves to compare').waitFor();
    expect([await compare.isDisabled(), await compare.inputValue()]).toEqual([true, 'lastYear']);
    await page.getByLabel('Quantity').selectOption('powers');
    await expect.poll(() => compare.isEnabled()).toBe(true);
    expect(await compare.inputValue()).toBe('lastYear');
  });

  test('shows the history of meters and weather stations, which ends at what the signed interface answers', async () => {
    const client = await clientOf(street, house.ownerId);
    const meter = await client.call('ammeterDetail', { sn: house.meterSn });
    const epm = await client.call('epmDetail', { sn: house.epmSn });
    const weather = await client.call('weatherDetail', { sn: house.weatherSn });
    const { page, complaints } = await open(house.meterSn);
    for (const [sn, quantity, column, last] of [
      [house.meterSn, 'Powers', /At the meter/, meter.psum! * 1000],
      [house.epmSn, 'Powers', /Grid/, epm.pEpmTotalOrigin],
      [house.weatherSn, 'Irradiance', /Irradiance/, weather.totalR],
      [house.weatherSn, 'Temperatures', /Air temperature/, weather.temp],
    ] as const) {
      await page.goto(new URL(street.pathOf(house, sn), page.url()).href);
      await tab(page, 'History');
      await page.getByLabel('Quantity').selectOption(quantity);
      await page.getByRole('button', { name: 'As a table' }).click();
      const rows = page.getByRole('region', { name: quantity }).getByRole('row');
      const heads = await rows.first().getByRole('columnheader').allTextContents();
      const [, unit] = / \((\S+)\)$/.exec(heads.find((head) => column.test(head))!) ?? [];
      const cell = (await rows.last().getByRole('cell').allTextContents())[
        heads.findIndex((head) => column.test(head)) - 1
      ]!;
      expect({
        sn,
        shown:
          Math.abs(figureOf(`${cell} ${unit}`) - last!) <= Math.max(0.06, Math.abs(last!) * 0.006),
      }).toEqual({ sn, shown: true });
      await picture(page, `device-history-${quantity}-${sn.slice(0, 2)}`);
    }
    expect(await seriousBarriers(page)).toEqual([]);
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test('changes a setting and shows each step until the device has been read back; then the change is undone', async () => {
    const { page, complaints } = await open(house.storageSn);
    await tab(page, 'Settings');
    const row = setting(page, '7963');
    const before = (
      await (
        await clientOf(street, house.ownerId)
      ).call('atRead', { inverterSn: house.storageSn, cid: 7963 })
    ).msg;
    await row.getByText(`${before} %`, { exact: true }).waitFor();

    const change = page.getByRole('button', { name: 'Change Charging ends at' });
    await change.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New value').fill('101');
    await dialog.getByText('This value is not allowed here.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Change it' }).isDisabled()).toBe(true);
    await dialog.getByLabel('New value').fill('42');
    await dialog.getByLabel('New value').press('Enter');
    await dialog.getByText('Read back from the device: it has this value.').waitFor();
    expect(
      await dialog
        .locator(':focus')
        .or(dialog.and(page.locator(':focus')))
        .count(),
    ).toBe(1);
    expect(await dialog.locator('li[data-mark=done]').allTextContents()).toEqual([
      'Queued',
      'Sent',
      'Confirmed',
      'Verified',
    ]);
    await picture(page, 'device-verified');
    expect(
      house.settings.filter(({ parameter }) => parameter === '7963').map(({ value }) => value),
    ).toEqual(['42']);
    await dialog.getByRole('button', { name: 'Done' }).press('Enter');
    await row.getByText('42 %', { exact: true }).waitFor();
    await expect.poll(() => hasFocus(change)).toBe(true);

    await tab(page, 'Commands');
    await page
      .getByText(/^Times in GMT/)
      .or(page.getByText(/^Times in UTC/))
      .waitFor();
    const commands = page
      .getByRole('list', { name: 'Changes of settings, newest first' })
      .locator('> li');
    await commands.first().waitFor();
    expect(await commands.first().textContent()).toMatch(
      /Charging ends at.*\d+ % → 42 %Verified.*You, at the portal/,
    );
    await page.getByRole('button', { name: 'Undo the change of Charging ends at' }).click();
    await page
      .getByRole('dialog')
      .getByText(`Set “Charging ends at” back to ${before} %?`)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await commands.first().getByText('undoes an earlier change').waitFor();
    await commands.first().locator('[data-kind=good]').waitFor();
    expect(
      house.settings.filter(({ parameter }) => parameter === '7963').map(({ value }) => value),
    ).toEqual(['42', before]);
    expect(await page.getByRole('button', { name: /^Undo the change/ }).count()).toBe(0);
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test.each([
    [
      'phone, Spanish',
      { viewport: { width: 390, height: 844 }, locale: 'es' },
      'Ajustes',
      'Cambiar',
    ],
    ['desk, Chinese', { viewport: { width: 1280, height: 900 }, locale: 'zh-CN' }, '设置', '更改'],
  ] as const)(
    'says of the charge kept for backup that the storage mode keeps none, and leads there: %s',
    async (name, options, settings, change) => {
      const { page, complaints } = await open(house.storageSn, options);
      await tab(page, settings);
      const button = (parameter: string, label: string) =>
        setting(page, parameter).getByRole('button', { name: label }).last().click();
      const mode = setting(page, '636').locator('strong');
      await expect.poll(() => mode.textContent()).not.toBe('–');
      expect(await setting(page, '157').textContent()).toContain(await mode.textContent());
      expect(await setting(page, '158').textContent()).not.toContain(await mode.textContent());
      await button('157', change);
      const warning = page.getByRole('dialog').getByRole('alert');
      expect(await warning.textContent()).toContain(await mode.textContent());
      await picture(page, `device-reserve ${name}`);
      expect([await overflow(page), await seriousBarriers(page)]).toEqual([0, []]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button('158', change);
      await page.getByRole('dialog').locator('form').waitFor();
      expect(await warning.count()).toBe(0);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await button('157', change);
      await warning.getByRole('button').click();
      const switches = page.getByRole('dialog').getByRole('checkbox');
      await expect.poll(() => switches.count()).toBe(7);
      for (const one of await switches.all())
        expect(await one.getAttribute('aria-describedby')).toBeTruthy();
      await page.getByRole('dialog').locator('summary').click();
      await expect.poll(() => switches.count()).toBe(12);
      await picture(page, `device-storage-mode ${name}`);
      expect([await overflow(page), await seriousBarriers(page)]).toEqual([0, []]);
      expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
    },
  );

  test('on a phone, the head leaves room, and the sections are in one row, of which the chosen one is marked', async () => {
    const { page } = await open(house.storageSn, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
      locale: 'de-DE',
    });
    const tabs = page.getByRole('tab');
    await tabs.first().waitFor();
    const tops = await tabs.evaluateAll((each) =>
      each.map((one) => (one as unknown as { offsetTop: number }).offsetTop),
    );
    expect(new Set(tops).size).toBe(1);
    expect(await page.getByText('Seriennummer', { exact: true }).count()).toBe(0);
    expect((await tabs.first().boundingBox())!.y).toBeLessThan(300);
    expect(
      await page.evaluate(
        `getComputedStyle(document.querySelector('[role=tab][data-active]')).borderBottomColor`,
      ),
    ).toBe(await page.evaluate(`getComputedStyle(document.querySelector('main header a')).color`));
    await picture(page, 'device-head-390-dark');
    await tabs.last().click();
    await page.getByRole('heading', { name: 'Keine Alarme' }).waitFor();
    await picture(page, 'device-tabs-end-390-dark');
  });

  test('shows owners the few settings that they change, and reads those once', async () => {
    const own = await street.house({ name: 'Everyday' });
    const { page, complaints } = await street.open(
      own.ownerId,
      `${street.pathOf(own, own.storageSn)}#settings`,
      { viewport: { width: 390, height: 844 } },
    );
    const rows = page.locator('[data-parameter]');
    for (const parameter of ['157', '158', '7963', '636', '15', '499'])
      await setting(page, parameter)
        .getByText(/^read /)
        .waitFor();
    expect(await rows.count()).toBe(6);
    expect(await page.getByRole('tabpanel').textContent()).not.toMatch(/No\. \d|Switch off/);
    const reads = () =>
      street.database.db
        .selectFrom('command')
        .select('parameter')
        .where('deviceId', '=', own.ids.get(own.storageSn)!)
        .execute();
    expect((await reads()).length).toBe(6);
    await picture(page, 'device-everyday-390');
    expect([await overflow(page), await seriousBarriers(page)]).toEqual([0, []]);
    await tab(page, 'Readings');
    await tab(page, 'Settings');
    await rows.first().waitFor();
    await page.waitForLoadState('networkidle');
    expect((await reads()).length).toBe(6);
    await page.setViewportSize({ width: 1280, height: 900 });
    await picture(page, 'device-everyday-1280');
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test('a value without effect is not said to be done; the switch that it lacks is turned on in two steps, without alarm, and turning it off is warned of', async () => {
    const own = await street.house({ name: 'No backup' });
    const { page, complaints } = await street.open(
      own.ownerId,
      `${street.pathOf(own, own.storageSn)}#settings`,
    );
    const dialog = page.getByRole('dialog');
    const mode = setting(page, '636').locator('strong');
    await expect.poll(() => mode.textContent()).not.toBe('–');
    expect(await mode.textContent()).not.toContain('Backup');
    const modeBefore = Number(
      (
        await (
          await clientOf(street, own.ownerId)
        ).call('atRead', { inverterSn: own.storageSn, cid: 636 })
      ).msg,
    );
    await page.getByRole('button', { name: 'Change Reserve for power cuts' }).click();
    await dialog.getByLabel('New value').fill('40');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByText('as it is set now, the value has no effect').waitFor();
    expect(await dialog.locator('li[data-mark]').allTextContents()).toEqual([
      'Queued',
      'Sent',
      'Confirmed',
      'Without effect',
    ]);
    await picture(page, 'device-without-effect');
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Turn on “Backup”' }).click();
    expect(await dialog.getByLabel('Backup', { exact: true }).isChecked()).toBe(true);
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByText('Read back from the device: it has this value.').waitFor();
    expect(own.settings.findLast(({ parameter }) => parameter === '636')?.value).toBe(
      String(modeBefore | 16),
    );
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect.poll(() => mode.textContent()).toContain('Backup');
    expect(await setting(page, '157').textContent()).not.toContain('no effect');
    await page.getByRole('button', { name: 'Change Storage mode' }).click();
    await dialog.getByLabel('Backup', { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByText('This can cut the supply').waitFor();
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test('takes a change back right after it was made, in the same dialog, and only once', async () => {
    const { page, complaints } = await open(house.storageSn);
    const { msg: before } = await (
      await clientOf(street, house.ownerId)
    ).call('atRead', { inverterSn: house.storageSn, cid: 158 });
    await tab(page, 'Settings');
    await page.getByRole('button', { name: 'Change Discharging ends at' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change: Discharging ends at' });
    await dialog.getByLabel('New value').fill('23');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    const undo = dialog.getByRole('button', { name: `Set it back to ${before} %` });
    await undo.waitFor();
    await picture(page, 'device-undo');
    expect(await seriousBarriers(page)).toEqual([]);
    await undo.click();
    expect(await page.getByRole('dialog').count()).toBe(1);
    await dialog.getByText(`23 % → ${before} %`).waitFor();
    await dialog.getByText('Read back from the device: it has this value.').waitFor();
    expect(await undo.count()).toBe(0);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await setting(page, '158').getByText(`${before} %`, { exact: true }).waitFor();
    expect(
      house.settings.filter(({ parameter }) => parameter === '158').map(({ value }) => value),
    ).toEqual(['23', before]);
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test('offers to undo the last change of each setting, and undoes the one that is chosen', async () => {
    const client = await clientOf(street, house.ownerId);
    const before = (await client.call('atRead', { inverterSn: house.storageSn, cid: 157 })).msg;
    const { page } = await open(house.storageSn);
    await tab(page, 'Settings');
    for (const [name, value] of [
      ['Reserve for power cuts', '44'],
      ['Discharging ends at', '21'],
      ['Discharging ends at', '22'],
    ] as const) {
      await page.getByRole('button', { name: `Change ${name}` }).click();
      const dialog = page.getByRole('dialog', { name: `Change: ${name}` });
      await dialog.getByLabel('New value').fill(value);
      await dialog.getByRole('button', { name: 'Change it' }).click();
      await dialog.getByRole('button', { name: 'Done' }).click();
    }
    await tab(page, 'Commands');
    const commands = page
      .getByRole('list', { name: 'Changes of settings, newest first' })
      .locator('> li');
    const undo = commands.getByRole('button', { name: /^Undo the change of/ });
    await expect.poll(() => undo.count()).toBe(2);
    expect(await commands.nth(0).getByRole('button').count()).toBe(1);
    expect(await commands.nth(1).getByRole('button').count()).toBe(0);
    await picture(page, 'device-undo-each');
    await commands
      .nth(2)
      .getByRole('button', { name: 'Undo the change of Reserve for power cuts' })
      .click();
    await page
      .getByRole('dialog')
      .getByText(`Set “Reserve for power cuts” back to ${before} %?`)
      .waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
    await commands.first().getByText('undoes an earlier change').waitFor();
    await commands.first().locator('[data-kind=good]').waitFor();
    expect(house.settings.findLast(({ parameter }) => parameter === '157')!.value).toBe(before);
    expect(house.settings.findLast(({ parameter }) => parameter === '158')!.value).toBe('22');
  });

  test('says what the settings of the battery and the limits of the power do, reads a group at once, and has room for the names on a phone', async () => {
    const { page } = await street.open(
      house.ownerId,
      `${street.pathOf(house, house.storageSn)}#settings`,
      { viewport: { width: 390, height: 844 } },
    );
    await view(page, 'All settings');
    await setting(page, '157').getByText('only if the storage mode includes “Backup”').waitFor();
    expect(await setting(page, '15').textContent()).toContain('At 0 % it gives nothing.');
    expect(await setting(page, '230').textContent()).toContain(
      'The system as a whole exports at most this much.',
    );
    expect(await setting(page, '376').textContent()).toContain(
      'that the inverter gives at the very most',
    );
    expect(await setting(page, '499').textContent()).toContain(
      'This inverter exports at most this much.',
    );
    expect(await setting(page, '696').textContent()).toContain(
      'Whether there is a limit to what is exported.',
    );
    await page.getByRole('button', { name: 'Read all of this group: Battery' }).click();
    for (const parameter of ['157', '158', '160', '469', '636'])
      await setting(page, parameter)
        .getByText(/^read /)
        .waitFor();
    await setting(page, '230').getByText('not read yet').waitFor();
    await setting(page, '158').getByText('No. 158', { exact: true }).waitFor();
    const lines = (name: string) =>
      page
        .getByText(name, { exact: true })
        .first()
        .evaluate((text) => text.getClientRects().length);
    expect([await lines('Storage mode'), await lines('Discharging without grid ends at')]).toEqual([
      1, 1,
    ]);
    expect(await overflow(page)).toBe(0);
    await picture(page, 'device-settings-390');
    await page.setViewportSize({ width: 1280, height: 900 });
    await picture(page, 'device-settings-1280');
    expect(await seriousBarriers(page)).toEqual([]);
  });

  test('warns before what can cut the supply, and sends nothing until the warning was answered', async () => {
    const { page } = await open(house.stringSn);
    await tab(page, 'Settings');
    await setting(page, '15').getByText('Can cut the supply at 11 % or less').waitFor();
    await view(page, 'All settings');
    expect(await setting(page, '53').isVisible()).toBe(false);
    await openSwitches(page);
    await page.getByText('These act at once.').waitFor();
    await setting(page, '53').getByText('Can cut the supply', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Change Power limit' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.textContent()).toContain(`${house.stringSn}, `);
    await dialog.getByLabel('New value').fill('5');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByRole('alert').getByText('This can cut the supply').waitFor();
    await picture(page, 'device-warning');
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Back' }).click();
    expect(await dialog.getByLabel('New value').inputValue()).toBe('5');
    const sentSoFar = () =>
      street.database.db
        .selectFrom('command')
        .select('id')
        .where('parameter', '=', '15')
        .where('action', '=', 'write')
        .execute();
    expect(await sentSoFar()).toEqual([]);
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByRole('button', { name: 'Change it anyway' }).click();
    await dialog.getByText('Read back from the device').waitFor();
    expect(
      house.settings
        .filter(({ sn, parameter }) => sn === house.stringSn && parameter === '15')
        .map(({ value }) => value),
    ).toEqual(['5']);
    await dialog.getByRole('button', { name: 'Done' }).click();

    // A value that harms nobody is named mildly, and sent at once.
    await page.getByRole('button', { name: 'Change Power limit' }).click();
    await dialog.getByLabel('New value').fill('90');
    await dialog.getByText('does not cut the supply').waitFor();
    await picture(page, 'device-mild');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByText('Read back from the device').waitFor();
    expect(await dialog.getByRole('alert').count()).toBe(0);
  });

  test.each([
    ['en-GB', 'All settings', 'active power', 'Power limit'],
    ['en-GB', 'All settings', 'zero export', 'Highest export power'],
    ['de-DE', 'Alle Einstellungen', 'Nulleinspeisung', 'Höchste Einspeiseleistung'],
  ])(
    'a setting is found by what people call it: %s, %s, %s',
    async (locale, which, words, name) => {
      const { page } = await street.open(
        house.ownerId,
        `${street.pathOf(house, house.storageSn)}#settings`,
        { locale },
      );
      const names = page.locator('[data-parameter]');
      await view(page, which);
      await names.first().waitFor();
      await page.getByRole('searchbox').fill(words);
      await expect.poll(() => names.count()).toBeLessThan(8);
      await page.getByText(name, { exact: true }).waitFor();
    },
  );

  test('how long ago a device reported is counted on without a report', async () => {
    const { page } = await open(house.storageSn);
    await page.getByText(/\(.* ago\)/).waitFor();
    await page.clock.install();
    await page.reload();
    const text = page.getByText(/\(.* ago\)/);
    await text.waitFor();
    const before = await text.textContent();
    await page.clock.runFor(3_600_000);
    await expect.poll(() => text.textContent()).not.toBe(before);
    expect(await text.textContent()).toMatch(/\([12] hr\.? ago\)/);
  });

  test('the commands that switch an inverter on and off are named so, and both show whether the inverter is on', async () => {
    const { page } = await open(house.stringSn);
    await tab(page, 'Settings');
    await view(page, 'All settings');
    await openSwitches(page);
    for (const name of ['Switch on', 'Switch off'])
      await page.getByRole('button', { name: `Read ${name}`, exact: true }).click();
    for (const parameter of ['48', '53']) {
      await setting(page, parameter).getByText('Inverter on', { exact: true }).waitFor();
      await setting(page, parameter)
        .getByText('A command that the device carries out once.')
        .waitFor();
    }
    expect(await setting(page, '15').getByText('A command').count()).toBe(0);
    await page.getByRole('button', { name: 'Carry out: Switch off' }).click();
    const dialog = page.getByRole('dialog', { name: 'Carry out: Switch off' });
    // There is nothing to choose.
    expect(await dialog.getByLabel('New value').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Carry out' }).click();
    await dialog.getByRole('alert').getByText('This can cut the supply').waitFor();
    await dialog.getByText('Inverter on → Inverter off').waitFor();
    await picture(page, 'device-command');
  });

  test('a setting that needs its old value is read before it is changed', async () => {
    const { page } = await open(house.stringSn);
    await tab(page, 'Settings');
    await view(page, 'All settings');
    await page.getByRole('button', { name: 'Change Search for the best' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('New value').selectOption('On');
    await dialog.getByText('Read it first').waitFor();
    expect(await dialog.getByRole('button', { name: 'Change it' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Read' }).click();
    await dialog.getByRole('button', { name: 'Change it', disabled: false }).click();
    await dialog.getByText('Read back from the device').waitFor();
  });

  test('somebody with a share for reading sees no controls, and who made a change is not shown to them', async () => {
    const guest = await street.fleet.person();
    await street.fleet.write((trx) =>
      sharePlant(trx, street.fleet.act(), house.plantId, guest.email, 'read'),
    );
    const { page } = await open(house.storageSn, {}, guest.id);
    await tab(page, 'Settings');
    await page.getByText('You can see the settings of this plant, but not change them.').waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
    await tab(page, 'Commands');
    await page.getByText('Somebody else, at the portal').first().waitFor();
    expect(await page.getByRole('main').getByRole('button').count()).toBe(0);
  });

  test('a session that ends while a value is typed loses nothing: after the log-in the value is sent', async () => {
    const owner = await addOwner(street.fleet);
    const own = await street.house({ ownerId: owner.id });
    const { page, endSession } = await street.open(owner.id, street.pathOf(own, own.storageSn));
    await tab(page, 'Settings');
    await page.getByRole('button', { name: 'Change Discharging ends at' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change: Discharging ends at' });
    await dialog.getByLabel('New value').fill('17');
    await endSession();
    await dialog.getByRole('button', { name: 'Change it' }).click();
    const again = page.getByRole('dialog', { name: 'Please sign in again' });
    await again.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await again.getByRole('button', { name: 'Sign in' }).click();
    await dialog.getByText('Read back from the device').waitFor();
    expect(own.settings.map(({ parameter, value }) => [parameter, value])).toEqual([['158', '17']]);
  });

  test('a device that cannot be reached: the change waits, says so, and can be cancelled', async () => {
    const { fleet } = street;
    const plantId = await fleet.plant(house.ownerId, { name: 'Away' });
    const { id } = await fleet.device(plantId, { model: 'SIM-8K-ES' });
    const { page } = await street.open(house.ownerId, `/plants/${plantId}/devices/${id}`);
    await page.getByText('No readings yet').waitFor();
    await page.getByText('has never reported').waitFor();
    await tab(page, 'Settings');
    await page.getByText('The device cannot be reached now: its collector is offline.').waitFor();
    expect(await page.getByRole('button', { name: /^Read/ }).count()).toBe(0);
    await page.getByRole('button', { name: 'Change Reserve for power cuts' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('The change waits, and is made when the device is back in time.')
      .waitFor();
    await dialog.getByLabel('New value').fill('25');
    await dialog.getByLabel('Wait for at most').selectOption('1 hour');
    await dialog.getByRole('button', { name: 'Change it' }).click();
    await dialog.getByText('It waits for the collector to fetch it.').waitFor();
    const [command] = await street.database.db
      .selectFrom('command')
      .select(['queuedAt', 'expiresAt', 'value'])
      .where('deviceId', '=', id)
      .execute();
    expect([command!.value, command!.expiresAt - command!.queuedAt]).toEqual(['25', 3_600_000]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await tab(page, 'Commands');
    await page.getByRole('button', { name: 'Cancel the change of Reserve for power cuts' }).click();
    await page.locator('[data-state=cancelled]').waitFor();
    expect(
      await street.database.db
        .selectFrom('command')
        .select('state')
        .where('deviceId', '=', id)
        .execute(),
    ).toEqual([{ state: 'cancelled' }]);
  });

  test('hostile names are text, and nothing is wider than a small phone', async () => {
    const { fleet } = street;
    const plantId = await fleet.plant(house.ownerId, {
      name: `<script>alert(1)</script>${'ü'.repeat(70)}`,
    });
    const name = `\u202E<img src=x onerror=alert(2)> שלום ${'W'.repeat(60)}`;
    const { id } = await fleet.device(plantId, { name, sn: `X${'9'.repeat(60)}`, model: 'SIM-8K' });
    const { page, complaints } = await street.open(
      house.ownerId,
      `/plants/${plantId}/devices/${id}`,
      { viewport: { width: 320, height: 640 } },
    );
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe(name);
    for (const section of ['Readings', 'History', 'Settings', 'Commands', 'Alarms']) {
      await tab(page, section);
      expect([section, await overflow(page)]).toEqual([section, 0]);
    }
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test('what is not there, and what is somebody else’s, is shown alike', async () => {
    const stranger = await street.fleet.person();
    for (const path of [
      street.pathOf(house, house.storageSn),
      `/plants/${house.plantId}/devices/1300000000000000000`,
    ]) {
      const { page } = await street.open(stranger.id, path);
      await page.getByText('This does not exist, or you have no access to it').waitFor();
    }
  });

  test.each([
    [
      'desktop',
      'storageSn',
      { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
      ['Readings', 'History', 'Settings', 'Commands', 'Alarms'],
    ],
    [
      'phone',
      'storageSn',
      { viewport: { width: 360, height: 780 }, colorScheme: 'dark', locale: 'de-DE' },
      ['Messwerte', 'Verlauf', 'Einstellungen', 'Änderungen', 'Alarme'],
    ],
    [
      'phone of a weather station',
      'weatherSn',
      { viewport: { width: 360, height: 780 }, colorScheme: 'dark', locale: 'es' },
      ['Lecturas', 'Historial', 'Alarmas'],
    ],
  ] as const)(
    '%s: every section without barriers, without complaints and within the page',
    async (name, device, options, sections) => {
      const { page, complaints } = await open(house[device], options);
      for (const section of sections) {
        await tab(page, section);
        await page.getByRole('tabpanel').locator(':is(h2, li, dl, table)').first().waitFor();
        await picture(page, `device-${name}-${section}`);
        expect([section, await seriousBarriers(page), await overflow(page)]).toEqual([
          section,
          [],
          0,
        ]);
      }
      expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
    },
  );
});
