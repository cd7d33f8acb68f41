import { createClient, type Client } from '@helioport/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { addClient, createRunning } from '../oauth/fixture.ts';
import { findChromium, picture, seriousBarriers } from '../support/browser.ts';
import { createStreet, type House, type Street } from './house.ts';

const HOUR_MS = 3_600_000;
const PLAN = [
  { start: '00:00', end: '24:00', payload: { type: 'exportLimit', powerKw: 1.5 } },
] as const;
const EVENING = [
  { start: '02:00', end: '05:00', payload: { type: 'charge', socPercent: 90, powerKw: 3 } },
  {
    start: '17:00',
    end: '20:00',
    days: ['mon', 'fri'],
    payload: { type: 'discharge', socPercent: 20, powerKw: 2.5 },
  },
] as const;

if (!findChromium()) console.log('skipped: the strategies of a plant (Chromium not installed)');

describe.skipIf(!findChromium())('the strategies of a plant', { timeout: 90_000 }, () => {
  let street: Street;
  let house: House;
  let token: string;
  let client: Client;
  let references = 0;
  beforeAll(async () => {
    street = await createStreet({ HELIOPORT_ROLES: 'user-api,oauth,portal,gateway,worker' });
    house = await street.house();
    const { fleet, app } = street;
    const running = createRunning({
      clock: fleet.clock,
      world: fleet,
      database: () => street.database,
      oauth: () => ({ url: app.addresses['oauth']! }) as never,
    });
    token = (
      await running.pair(await addClient(fleet, { name: 'Peak Partner' }), {
        owner: { id: house.ownerId } as never,
      })
    ).access_token;
    const terms = { label: '', canControl: true, plantIds: null, cidrs: null, expiresAt: null };
    const key = await fleet.write((trx) =>
      insertKeyPair(trx, fleet.act(), app.secretBox, house.ownerId, terms),
    );
    client = createClient({ baseUrl: app.addresses['user-api']!, ...key });
  });
  afterAll(() => street.close());

  const path = (): string => `/plants/${house.plantId}/strategies`;
  /** What the application asks for, with its token. */
  const ask = async (
    operation: string,
    body: object,
  ): Promise<{ readonly code: string; readonly data: { readonly id: string } }> => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const url = `${street.app.addresses['oauth']}/api/control_device/strategy/${operation}`;
    return (await (
      await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    ).json()) as never;
  };
  const create = async (name: string, intervals: readonly object[] = PLAN): Promise<string> => {
    const about = {
      reference: `r${++references}`,
      name,
      program: 'Peak shaving',
      sn: house.storageSn,
      end: Date.now() + 2 * HOUR_MS,
      intervals,
    };
    return (await ask('create', about)).data.id;
  };
  const dispatch = async (
    name: string,
  ): Promise<{ readonly id: string; readonly code: string }> => {
    const id = await create(name);
    return { id, code: (await ask('dispatch', { id })).code };
  };

  test('shows what runs, who dispatched it, what it does in words and how it goes; one is stopped, and the device has its former settings again', async () => {
    const { id } = await dispatch('Evening peak');
    const { page, complaints } = await street.open(house.ownerId, path());
    const card = page.locator(`[data-strategy="${id}"]`);
    await card.getByText('Active').waitFor({ timeout: 60_000 });
    expect(await card.textContent()).toMatch(
      /^Evening peakActiveby Peak Partner · Program Peak shaving · /,
    );
    await card.getByText('all day, every day').waitFor();
    await card.getByText('At most 1.5 kW goes to the grid').waitFor();
    const { targets } = await client.call('strategy/detail', { id });
    const { rows = [] } = await client.call('strategy/delivery', { id });
    await card.getByRole('button', { name: 'Details' }).click();
    const devices = card.getByRole('table', { name: 'Devices' }).locator('tbody tr');
    await devices.first().waitFor();
    expect(await devices.allTextContents()).toEqual(targets.map(({ sn }) => `${sn}Active`));
    const delivered = card.getByRole('table', { name: 'Asked and delivered' }).locator('tbody tr');
    await expect.poll(() => delivered.count()).toBe(Math.min(rows.length, 24));
    await picture(page, 'strategies-active');

    const { page: plant } = await street.open(house.ownerId, `/plants/${house.plantId}`);
    const running = plant.getByRole('link', { name: 'A strategy is running: Evening peak' });
    expect(await running.getAttribute('href')).toBe(path());
    await picture(plant, 'plant-strategy-running');

    expect(house.settings.findLast(({ parameter }) => parameter === '230')?.value).toBe('1500');
    await card.getByRole('button', { name: 'Stop Evening peak' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('“Evening peak” ends on the devices of this plant').waitFor();
    await dialog.getByRole('button', { name: 'Stop' }).click();
    const over = page.getByRole('region', { name: 'Ended' }).locator(`[data-strategy="${id}"]`);
    await over.getByText('Ended early').waitFor();
    await plant.reload();
    await plant.getByRole('heading', { name: 'Energy flow' }).waitFor();
    await plant.waitForLoadState('networkidle');
    expect(await running.count()).toBe(0);
    await plant.close();
    await over.getByText(/· ended /).waitFor();
    await over.getByText('You stopped it').waitFor();
    await expect
      .poll(() => house.settings.findLast(({ parameter }) => parameter === '230')?.value, {
        timeout: 30_000,
      })
      .not.toBe('1500');
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
  });

  test('a change by hand says before which strategy it pauses; the strategy is shown as paused, and why', async () => {
    const { id } = await dispatch('Evening peak');
    const { page } = await street.open(house.ownerId, path());
    const card = page.locator(`[data-strategy="${id}"]`);
    await card.getByText('Active').waitFor({ timeout: 60_000 });
    const device = await street.open(
      house.ownerId,
      `${street.pathOf(house, house.storageSn)}#settings`,
    );
    const change = device.page.getByRole('button', {
      name: 'Change Reserve for power cuts',
      exact: true,
    });
    await change.click();
    const dialog = device.page.getByRole('dialog');
    const warning = dialog.getByText('“Evening peak” of Peak Partner is running on this device.');
    await warning.waitFor();
    await picture(device.page, 'strategies-paused-by-hand');
    const values = { sn: house.storageSn, cid: '157', value: '40' };
    await client.call('command/send', values);
    await card.getByText('Paused by hand').waitFor({ timeout: 60_000 });
    await card.getByRole('button', { name: 'Details' }).click();
    await card.getByText('Paused by hand: “Reserve for power cuts” was changed').waitFor();
    // What runs comes first, with Stop as its first button.
    expect(await page.locator('main').getByRole('heading', { level: 2 }).nth(1).textContent()).toBe(
      'Now and planned',
    );
    expect(await card.getByRole('button').allTextContents()).toEqual([
      'Stop',
      'Resume',
      'Hide details',
    ]);
    const { page: plant } = await street.open(house.ownerId, `/plants/${house.plantId}`);
    await plant.getByRole('heading', { name: 'Energy flow' }).waitFor();
    await plant.waitForLoadState('networkidle');
    expect(await plant.getByText('A strategy is running').count()).toBe(0);
    await plant.close();
    // Nothing is left to pause.
    await device.page.reload();
    await change.click();
    await dialog.getByText('Each change wears out the device’s memory').waitFor();
    await device.page.waitForLoadState('networkidle');
    expect(await warning.count()).toBe(0);
    await card.getByRole('button', { name: 'Resume: Evening peak' }).click();
    await page.getByText('The strategy has been resumed.').waitFor();
    await card.getByText('Active').first().waitFor({ timeout: 60_000 });
    expect(await card.getByRole('button', { name: /^Resume/ }).count()).toBe(0);
    await client.call('strategy/stop', { id });
  });

  test('the plant’s page says which inverter is limited, by whom and since when, until it is not', async () => {
    const own = await street.house({ name: 'Limited', ownerId: house.ownerId });
    const limit = (value: string) =>
      client.call('command/send', { sn: own.stringSn, cid: '15', value });
    await limit('60');
    const { page } = await street.open(house.ownerId, `/plants/${own.plantId}`);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Energy flow' }).waitFor();
          await page.waitForLoadState('networkidle');
          return page.getByText(/is limited to 60 % of its rated power\. Set by you on /).count();
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect(await seriousBarriers(page)).toEqual([]);
    await page.getByRole('link', { name: own.stringSn, exact: true }).first().click();
    await page.getByRole('tab', { name: 'Settings', selected: true }).waitFor();
    await limit('100');
    await page.goto(new URL(`/plants/${own.plantId}`, page.url()).href);
    await expect
      .poll(
        async () => {
          await page.reload();
          await page.getByRole('heading', { name: 'Energy flow' }).waitFor();
          await page.waitForLoadState('networkidle');
          return page.getByText('Power is limited').count();
        },
        { timeout: 60_000 },
      )
      .toBe(0);
  });

  test('among the changes of a device, those of strategies are shown when they are asked for, without a way to undo them', async () => {
    const own = await street.house({ name: 'Changes', ownerId: house.ownerId });
    const about = {
      reference: `r${++references}`,
      name: 'Steps',
      sn: own.storageSn,
      end: Date.now() + HOUR_MS,
      intervals: PLAN,
    };
    const { id } = (await ask('create', about)).data;
    await client.call('command/send', { sn: own.storageSn, cid: '158', value: '15' });
    await ask('dispatch', { id });
    const { page } = await street.open(
      own.ownerId,
      `${street.pathOf(own, own.storageSn)}#commands`,
    );
    const commands = page
      .getByRole('list', { name: 'Changes of settings, newest first' })
      .locator('> li');
    const steps = page.getByRole('checkbox', { name: /Show what strategies changed/ });
    await steps.waitFor({ timeout: 60_000 });
    expect(await commands.count()).toBe(1);
    await commands.getByText('Discharging ends at').waitFor();
    await steps.check();
    // While a step is queued, it can be cancelled like any other command.
    const applied = commands
      .filter({ hasText: 'step of a strategy' })
      .and(page.locator('[data-state=verified]'));
    await applied.first().waitFor({ timeout: 60_000 });
    expect(await applied.getByRole('button').count()).toBe(0);
    await picture(page, 'device-steps');
    expect(await seriousBarriers(page)).toEqual([]);
    await client.call('strategy/stop', { id });
  });

  test('says in words what a day plan does, with its days', async () => {
    const id = await create('<b>Night</b> \u202E שלום', EVENING);
    const { page } = await street.open(house.ownerId, path());
    const card = page.locator(`[data-strategy="${id}"]`);
    expect(await card.getByRole('heading').textContent()).toBe('<b>Night</b> \u202E שלום');
    expect(await card.locator('dl > div').allTextContents()).toEqual([
      '02:00–05:00, every dayCharge the battery to 90 % with 3 kW, from the grid if need be',
      '17:00–20:00, Mon, FriDischarge the battery to 20 % with 2.5 kW',
    ]);
  });

  test.each([
    { deliveredKwh: 1.25, sentence: 'In total, 2.5 kWh more discharged or fed in than without it' },
    {
      deliveredKwh: -1.25,
      sentence: 'In total, 2.5 kWh more charged or taken from the grid than without it',
    },
  ])(
    'says which way energy went ($deliveredKwh kWh a part), and from when to when each part lasted',
    async ({ deliveredKwh, sentence }) => {
      const id = await create('Both ways');
      const { page } = await street.open(house.ownerId, path());
      const [startAt, endAt] = [Date.UTC(2026, 5, 1, 10), Date.UTC(2026, 5, 1, 10, 15)];
      const part = { sn: house.storageSn, askedKw: 1, measuredKw: 5, baselineKw: 0, deliveredKwh };
      const rows = [
        { ...part, startAt, endAt },
        { ...part, startAt: endAt, endAt: endAt + 900_000 },
      ];
      await page.route('**/strategy/delivery', (route) =>
        route.fulfill({ json: { success: true, code: '0', msg: 'success', data: { rows } } }),
      );
      const card = page.locator(`[data-strategy="${id}"]`);
      await card.getByRole('button', { name: 'Details' }).click();
      await card.getByText(sentence, { exact: true }).waitFor();
      const times = card
        .getByRole('table', { name: 'Asked and delivered' })
        .locator('tbody tr > :first-child');
      const { format } = new Intl.DateTimeFormat('en-GB', {
        timeZone: house.zone,
        timeStyle: 'short',
      });
      const spans = rows.map((row) => `, ${format(row.startAt)} – ${format(row.endAt)}`);
      expect(await times.allTextContents()).toEqual([
        expect.stringContaining(spans[1]!),
        expect.stringContaining(spans[0]!),
      ]);
    },
  );

  test('“lock out everyone else” says before what it means; then nobody else changes anything until they are let back in', async () => {
    const guest = await street.fleet.person();
    await street.fleet.write((trx) =>
      sharePlant(trx, street.fleet.act(), house.plantId, guest.email, 'control'),
    );
    const { id } = await dispatch('Whole day');
    const { page } = await street.open(house.ownerId, path());
    const control = page.getByRole('region', { name: 'Who may control' });
    await control.getByRole('button', { name: 'Lock out everyone else' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(
        'All strategies on this plant stop, and the devices go back to their previous settings.',
      )
      .waitFor();
    await dialog.getByText('no application and no other person can change the devices').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    await picture(page, 'strategies-stop-all');
    expect(
      (await client.call('control/state', { plantId: house.plantId })).stoppedAt,
    ).toBeUndefined();
    await dialog.getByRole('button', { name: 'Lock out everyone else', exact: true }).click();
    await page.getByText('only the owner and the operator can change this plant').waitFor();
    await page.getByRole('region', { name: 'Ended' }).locator(`[data-strategy="${id}"]`).waitFor();
    expect((await dispatch('Not now')).code).toBe('R0004');

    const other = await street.open(guest.id, street.pathOf(house, house.storageSn));
    await other.page.getByRole('tab', { name: 'Settings' }).click();
    await other.page.getByText('The owner has stopped changes by others.').waitFor();
    expect(await other.page.getByRole('button', { name: /^Change/ }).count()).toBe(0);

    await control.getByRole('button', { name: 'Let others back in' }).click();
    await dialog.getByText('Strategies that were stopped stay stopped.').waitFor();
    await dialog.getByRole('button', { name: 'Let others back in' }).click();
    await control.getByRole('button', { name: 'Lock out everyone else' }).waitFor();
    expect(
      (await client.call('control/state', { plantId: house.plantId })).stoppedAt,
    ).toBeUndefined();
  });

  test('the owner sets limits; a second tab learns that they were changed, and overwrites nothing unseen', async () => {
    const first = (await street.open(house.ownerId, path())).page;
    const second = (await street.open(house.ownerId, path())).page;
    const limits = () => client.call('strategy/limits', { plantId: house.plantId });
    await second.getByLabel('Full cycles a day at most').fill('2');
    await first.getByLabel('Strategies leave in the battery at least').fill('101');
    await first.getByText('From 0 to 100 %').waitFor();
    expect(await first.getByRole('button', { name: 'Save limits' }).isDisabled()).toBe(true);
    await first.getByLabel('Strategies leave in the battery at least').fill('35');
    await first.getByRole('button', { name: 'Add quiet hours' }).click();
    await first.getByLabel('From').fill('23:00');
    await first.getByRole('button', { name: 'Save limits' }).click();
    await first.getByText('Saved.').waitFor();
    expect(await limits()).toEqual({
      reserveSocPercent: 35,
      quietHours: [{ start: '23:00', end: '06:00' }],
    });

    // Whether or not the second tab has learned already, it saves nothing before it has been.
    await second.getByRole('button', { name: 'Save limits' }).click();
    await second.getByText('These limits were changed elsewhere meanwhile.').waitFor();
    expect(await limits()).toMatchObject({ reserveSocPercent: 35 });
    expect(await second.getByLabel('Full cycles a day at most').inputValue()).toBe('2');
    await second.getByRole('button', { name: 'Show those' }).click();
    expect(await second.getByLabel('Strategies leave in the battery at least').inputValue()).toBe(
      '35',
    );
    await second.getByRole('button', { name: 'Remove 23:00–06:00, every day' }).click();
    await second.getByRole('button', { name: 'Save limits' }).click();
    await second.getByText('Saved.').waitFor();
    expect(await limits()).toEqual({ reserveSocPercent: 35, quietHours: [] });
  });

  test('the owner sets the reserve of the battery and of strategies at once, sees it arrive, and turns on the switch without which it has no effect', async () => {
    const own = await street.house({ name: 'Reserve', ownerId: house.ownerId });
    const about = {
      reference: `r${++references}`,
      name: 'Down',
      sn: own.storageSn,
      start: Date.now() + HOUR_MS,
      end: Date.now() + 2 * HOUR_MS,
    };
    const { id } = (
      await ask('create', {
        ...about,
        intervals: [
          {
            start: '17:00',
            end: '20:00',
            payload: { type: 'discharge', socPercent: 25, powerKw: 2 },
          },
        ],
      })
    ).data;
    await client.call('strategy/setLimits', {
      plantId: own.plantId,
      cyclesPerDay: 2,
      quietHours: [{ start: '22:00', end: '23:00' }],
    });
    const { page, complaints } = await street.open(
      own.ownerId,
      `/plants/${own.plantId}/strategies`,
      { viewport: { width: 390, height: 844 } },
    );
    const card = page.getByRole('region', { name: 'Reserve for power cuts' });
    await card.getByText(/^read /).waitFor();
    await card.getByText('Until “Backup” is part of it').waitFor();
    expect(await card.getByRole('button', { name: 'Set the reserve' }).isDisabled()).toBe(true);
    await card.getByLabel('Keep at least').fill('40');
    await card.getByRole('button', { name: 'Set the reserve' }).click();
    await card.getByText('as it is set now, the value has no effect').waitFor();
    expect(await client.call('strategy/limits', { plantId: own.plantId })).toEqual({
      reserveSocPercent: 40,
      cyclesPerDay: 2,
      quietHours: [{ start: '22:00', end: '23:00' }],
    });
    expect(own.settings.findLast(({ parameter }) => parameter === '157')?.value).toBe('40');
    await picture(page, 'strategies-reserve-390');
    expect(await seriousBarriers(page)).toEqual([]);
    await card.getByRole('button', { name: 'Turn on “Backup”' }).click();
    await card.getByText('Until “Backup” is part of it').waitFor({ state: 'detached' });
    await expect.poll(() => card.getByText('has no effect').count()).toBe(0);
    expect(Number(own.settings.findLast(({ parameter }) => parameter === '636')?.value) & 16).toBe(
      16,
    );
    expect(await card.locator('dd').last().textContent()).toBe('40 %');
    // What is really in force, and what stays after a stop.
    const strategy = page.locator(`[data-strategy="${id}"]`);
    await strategy
      .getByText('Discharge the battery to 40 % with 2 kW instead of 25 %: your limit')
      .waitFor();
    await strategy.getByRole('button', { name: 'Stop Down' }).click();
    await page
      .getByRole('dialog')
      .getByText('So does your reserve: strategies leave 40 %.')
      .waitFor();
    expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
    await client.call('strategy/stop', { id });
  });

  test('somebody with a share for reading sees limits and strategies, and no controls', async () => {
    const guest = await street.fleet.person();
    await street.fleet.write((trx) =>
      sharePlant(trx, street.fleet.act(), house.plantId, guest.email, 'read'),
    );
    const { page } = await street.open(guest.id, path());
    await page.getByText('Only the owner can lock everyone else out.').waitFor();
    await page.getByText('Strategies leave in the battery at least').waitFor();
    expect(await page.getByRole('button', { name: /Stop|Save|again/ }).count()).toBe(0);
    await page.getByText('They limit strategies alone').waitFor();
    await picture(page, 'strategies-limits');
    await page.getByRole('link', { name: `${house.storageSn} keeps` }).click();
    await page.getByText('Reserve for power cuts').waitFor();
  });

  test('in a plant with 300 devices: each is listed, what is left out is said, and the ways from the plant to its strategies and devices work', async () => {
    const { fleet } = street;
    const plantId = await fleet.plant(house.ownerId, { name: 'Many roofs' });
    const serials: string[] = [];
    while (serials.length < 300)
      serials.push((await fleet.device(plantId, { model: 'SIM-8K-ES' })).sn);
    const about = {
      reference: `r${++references}`,
      name: 'Everywhere',
      plantIds: [plantId],
      end: Date.now() + HOUR_MS,
      intervals: PLAN,
    };
    const { id } = (await ask('create', about)).data;
    const { page } = await street.open(house.ownerId, `/plants/${plantId}`);
    await page.getByRole('link', { name: 'Strategies' }).click();
    const card = page.locator(`[data-strategy="${id}"]`);
    await card.getByRole('button', { name: 'Details' }).click();
    const devices = card.getByRole('table', { name: 'Devices' }).locator('tbody th');
    await devices.nth(299).waitFor();
    expect((await devices.allTextContents()).toSorted()).toEqual(serials.toSorted());
    await card.getByText('only the first 50 are shown').waitFor();
    await page
      .getByRole('navigation', { name: 'Pages of the plant' })
      .getByRole('link', { name: 'Devices' })
      .click();
    await page.getByRole('link', { name: serials[0]!, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: serials[0]! }).waitFor();
  });

  test.each([
    [
      'desktop',
      { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
      'Strategies and limits',
    ],
    [
      'phone',
      { viewport: { width: 360, height: 780 }, colorScheme: 'dark', locale: 'de-DE' },
      'Strategien und Grenzen',
    ],
    [
      'phone-zh',
      { viewport: { width: 320, height: 640 }, colorScheme: 'light', locale: 'zh-CN' },
      '策略与限制',
    ],
  ] as const)(
    '%s: without barriers, without complaints and within the page',
    async (name, options, title) => {
      const { page, complaints } = await street.open(house.ownerId, path(), options);
      await page.getByRole('heading', { level: 2, name: title, exact: true }).waitFor();
      await page.locator('article').first().waitFor();
      await picture(page, `strategies-${name}`);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(
        await page.evaluate<number>(
          'Math.max(0, document.documentElement.scrollWidth - innerWidth)',
        ),
      ).toBe(0);
      expect(complaints.filter((text) => !text.includes('ERR_ABORTED'))).toEqual([]);
    },
  );
});
