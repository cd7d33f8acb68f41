import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import type { RuleLevel } from '../../packages/server/src/outbound/alarms/rule.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { sharePlant } from '../../packages/server/src/fleet/plants/shares.ts';
import { startEndpoint } from '../notifications/scene.ts';
import { findChromium, sharedChromium, picture, seriousBarriers } from '../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createWorld } from '../support/world.ts';
import { visit } from './visit.ts';

const MINUTE = 60_000;
const SOON = { timeout: 60_000 };

describe.skipIf(!findChromium())('the inbox of alarms, and what one is notified of', () => {
  const clock = { at: systemClock.now(), now: () => systemClock.now() };
  let database: TestDatabase;
  let app: RunningApp;
  let browser: Browser;
  let endpoint: Awaited<ReturnType<typeof startEndpoint>>;
  const world = createWorld(() => database, clock);

  beforeAll(async () => {
    [database, browser, endpoint] = await Promise.all([
      createSqliteDatabase(),
      sharedChromium(),
      startEndpoint(),
    ]);
    const mail = {
      HELIOPORT_SMTP_URL: 'smtp://127.0.0.1:9',
      HELIOPORT_MAIL_FROM: 'sun@example.org',
    };
    app = await startApp(database, {
      HELIOPORT_RATE_LIMIT: 'off',
      HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8',
      ...mail,
    });
  });
  afterAll(async () => {
    await Promise.all([app.stop(), endpoint.close()]);
    await database.drop();
  });

  const open = (accountId: string, path: string, options: BrowserContextOptions = {}) =>
    visit(browser, world, app.addresses['portal']!, accountId, path, {
      locale: 'en-GB',
      ...options,
    });

  const raise = (
    deviceId: string,
    code: string,
    level: RuleLevel,
    message: string,
    ago = 30 * MINUTE,
  ) =>
    world.write((trx) =>
      changeAlarms(trx, { now: clock.now(), newId: world.newId }, deviceId, [
        { raise: { code, level, message, beginAt: clock.now() - ago } },
      ]),
    );

  const HOSTILE = '<img src=x onerror=alert(1)> \u202e שלום "quoted"';

  /** Somebody with two plants, of which one has a name that means harm. */
  const owner = async () => {
    const person = await world.person({ timeZone: 'Europe/Berlin' });
    const [home, other] = [
      await world.plant(person.id, { name: 'Meadow Lane', timeZone: 'Asia/Tokyo' }),
      await world.plant(person.id, { name: HOSTILE }),
    ];
    const [inverter, second] = [await world.device(home), await world.device(other)];
    await raise(inverter.id, 'H107', 3, 'the battery has 58 °C');
    await raise(inverter.id, '1015', 2, 'OV-G-V 05 <b>');
    await raise(second.id, 'H101', 2, 'the device does not report', 40 * 60 * MINUTE);
    await raise(second.id, 'TIP', 1, 'clean the modules');
    await world.write((trx) =>
      changeAlarms(trx, { now: clock.now(), newId: world.newId }, second.id, [
        { clear: { code: 'TIP', endAt: clock.now() } },
      ]),
    );
    return { person, home, other, inverter, second };
  };

  const cards = (page: Page) => page.locator('main li h2');
  const statesOf = async (page: Page) =>
    (await page.getByRole('radiogroup').locator('label').allTextContents()).map((label) =>
      label.trim(),
    );

  test('shows what is wrong at all plants, is filtered by the address, and is where alarms are taken on', async () => {
    const { person, home, inverter } = await owner();
    const { page, complaints } = await open(person.id, '/alarms');
    await expect
      .poll(() => cards(page).allTextContents(), SOON)
      .toEqual(['Battery too hot', 'Device not reporting', 'OV-G-V 05 <b>']);
    const battery = page.locator('main li', { hasText: 'Battery too hot' });
    await expect
      .poll(() => battery.textContent(), SOON)
      .toContain('Stop charging, keep away from the battery');
    expect(await battery.textContent()).toContain('Temperature of the battery: 58 °C.');
    expect(await battery.textContent()).toContain(`Device ${inverter.sn}`);
    expect(await battery.textContent()).toContain(', Tokyo (GMT+9)');
    expect(await battery.getByRole('link', { name: 'Meadow Lane' }).getAttribute('href')).toBe(
      `/plants/${home}`,
    );
    expect(await battery.getByRole('link', { name: inverter.sn }).getAttribute('href')).toBe(
      `/plants/${home}/devices/${inverter.id}`,
    );
    expect(
      await page.locator('main li', { hasText: 'Device not reporting' }).textContent(),
    ).toContain('for 40 h');

    await page.getByLabel('Level', { exact: true }).selectOption('3');
    await expect.poll(() => cards(page).allTextContents(), SOON).toEqual(['Battery too hot']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByPlaceholder('All plants').fill('meadow');
    await page.getByRole('option', { name: 'Meadow Lane' }).click();
    await expect
      .poll(() => cards(page).allTextContents(), SOON)
      .toEqual(['Battery too hot', 'OV-G-V 05 <b>']);
    expect(new URL(page.url()).search).toContain(home);
    await page.reload();
    await expect.poll(() => cards(page).count(), SOON).toBe(2);
    await page.getByRole('button', { name: 'Show all plants' }).click();
    await page.getByText('Ended', { exact: true }).first().click();
    await expect.poll(() => cards(page).allTextContents(), SOON).toEqual(['Clean the modules']);
    expect(await page.locator('main li').textContent()).toMatch(/lasted \d+ min/);

    await page.getByText('Open', { exact: true }).first().click();
    await page.getByRole('button', { name: /I’m on it: Battery too hot/ }).click();
    await page.getByText('You are on it. The alarm ends when its cause is gone.').waitFor();
    await expect
      .poll(() => battery.textContent(), SOON)
      .toMatch(/You are on it since .+, Tokyo \(GMT\+9\)/);
    // It keeps its place, for the note; emergencies stand first.
    expect(await cards(page).allTextContents()).toEqual([
      'Battery too hot',
      'Device not reporting',
      'OV-G-V 05 <b>',
    ]);
    await expect
      .poll(() => statesOf(page), SOON)
      .toEqual(['Open 2', 'In progress 1', 'Ended 1', 'All']);
    const note = page.getByLabel('Note', { exact: true });
    expect(await page.evaluate('document.activeElement.tagName')).toBe('TEXTAREA');
    await note.fill(`${HOSTILE}\nFriday`);
    await page.getByRole('button', { name: 'Save the note' }).click();
    await expect.poll(() => battery.textContent(), SOON).toContain(`${HOSTILE} Friday`);
    await expect.poll(() => battery.textContent(), SOON).toMatch(/written .+\(Tokyo \(GMT\+9\)\)/);
    await picture(page, 'alarm with a note');
    expect(
      await database.db
        .selectFrom('alarm')
        .select('state')
        .where('deviceId', '=', inverter.id)
        .where('code', '=', 'H107')
        .executeTakeFirst(),
    ).toEqual({
      state: 1,
    });
    await page.getByText('In progress', { exact: true }).first().click();
    await expect.poll(() => cards(page).allTextContents(), SOON).toEqual(['Battery too hot']);
    expect(await page.locator('main li').textContent()).toMatch(
      /You are on it since .+, Tokyo \(GMT\+9\)/,
    );
    await page.getByRole('button', { name: /Change the note: Battery too hot/ }).click();
    expect(await note.inputValue()).toBe(`${HOSTILE} Friday`);
    await page.getByRole('button', { name: 'Remove it' }).click();
    await page.getByRole('button', { name: /Add a note: Battery too hot/ }).waitFor();
    expect(await battery.textContent()).not.toContain('Friday');
    await page.getByRole('button', { name: /Open again: Battery too hot/ }).click();
    await page.getByText('No alarms in progress').waitFor();
    await page.getByText('An alarm that somebody takes on is here until it ends.').waitFor();
    await page.getByText('Open', { exact: true }).first().click();
    await expect
      .poll(() => cards(page).allTextContents(), SOON)
      .toEqual(['Battery too hot', 'Device not reporting', 'OV-G-V 05 <b>']);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['desk, light', {}],
    [
      'phone, dark',
      {
        viewport: { width: 360, height: 780 },
        isMobile: true,
        hasTouch: true,
        colorScheme: 'dark',
      },
    ],
  ] as const)(
    'stands on the page of its plant until it is over, also while somebody is on it: %s',
    async (name, options) => {
      const { person, home, inverter } = await owner();
      const { page, complaints } = await open(person.id, `/plants/${home}`, options);
      const [pending, processed] = [
        page.getByRole('region', { name: 'open alarm' }),
        page.getByRole('region', { name: 'in progress' }),
      ];
      await page.getByRole('heading', { name: '2 open alarms' }).waitFor(SOON);
      // On a phone, their first line alone is there at first.
      const isFolded = name.startsWith('phone');
      expect(await pending.locator('details').getAttribute('open')).toBe(isFolded ? null : '');
      if (isFolded) await pending.locator('summary').click();
      expect(await pending.getByRole('heading', { level: 3 }).allTextContents()).toEqual([
        'Battery too hot',
        'OV-G-V 05 <b>',
      ]);
      expect(
        await pending.getByRole('link', { name: inverter.sn }).first().getAttribute('href'),
      ).toBe(`/plants/${home}/devices/${inverter.id}`);
      await page.getByRole('button', { name: /I’m on it: Battery too hot/ }).click();
      await page.getByRole('heading', { name: '1 alarm in progress' }).waitFor(SOON);
      await page.getByRole('heading', { name: '1 open alarm' }).waitFor(SOON);
      expect(await processed.textContent()).toContain('Stop charging, keep away from the battery');
      await page.getByRole('button', { name: /I’m on it: OV-G-V/ }).click();
      await page.getByRole('heading', { name: '2 alarms in progress' }).waitFor(SOON);
      expect(await page.getByText('Nothing is wrong.').count()).toBe(0);
      expect(await seriousBarriers(page)).toEqual([]);
      await picture(page, `plant with alarms ${name}`);
      expect(complaints).toEqual([]);
    },
  );

  test.each([
    ['phone', { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }],
    ['desk', {}],
  ] as const)(
    'all is not well while alarms are in progress; what somebody else took on is given back only when asked: %s',
    async (name, options) => {
      const { person, home, inverter } = await owner();
      const helper = await world.person();
      await world.write((trx) => sharePlant(trx, world.act(), home, helper.email, 'control'));
      const { page: theirs } = await open(helper.id, '/alarms');
      await theirs.getByRole('button', { name: /I’m on it: Battery too hot/ }).click();
      await theirs.getByRole('button', { name: /I’m on it: OV-G-V/ }).click();
      await theirs.getByText('You are on it since').nth(1).waitFor(SOON);
      await theirs.getByLabel('Note', { exact: true }).first().fill('I come on Friday.');
      await theirs.getByRole('button', { name: 'Save the note' }).first().click();
      await theirs.getByText('written').waitFor(SOON);
      await theirs.reload();
      await theirs.getByText('2 alarms are in progress').waitFor(SOON);
      await theirs.close();

      const { page, complaints } = await open(
        person.id,
        `/alarms?plant=${encodeURIComponent(JSON.stringify(home))}`,
        options,
      );
      await page.getByRole('heading', { name: 'No open alarms' }).waitFor(SOON);
      expect(await page.getByText('All is well').count()).toBe(0);
      expect(await page.locator('details[open]').count()).toBe(name === 'desk' ? 1 : 0);
      // The inbox is that of one plant.
      await page.getByText('Without them, there may be others.').waitFor();
      await page.getByRole('button', { name: 'Clear filters' }).last().waitFor();
      await picture(page, `nothing open ${name}`);
      await page.getByRole('button', { name: 'Show what is in progress' }).click();
      await expect.poll(() => cards(page).count(), SOON).toBe(2);
      const battery = page.locator('main li', { hasText: 'Battery too hot' });
      await expect
        .poll(() => battery.textContent(), SOON)
        .toContain(`Taken on by ${helper.email}, `);
      expect(await battery.textContent()).toContain(', Tokyo (GMT+9)');
      await page.getByText('I come on Friday.').waitFor();
      expect(await page.getByRole('button', { name: /note/i }).count()).toBe(0);
      await picture(page, `in progress ${name}`);
      await page.getByRole('button', { name: /Open again: Battery too hot/ }).click();
      const dialog = page.getByRole('dialog');
      expect(await dialog.textContent()).toMatch(
        new RegExp(`Battery too hot, Meadow Lane.*${helper.email}`),
      );
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await battery.count()).toBe(1);

      await page.goto(new URL('/', page.url()).href);
      const row = page.getByRole('row', { name: 'Meadow Lane' });
      await expect.poll(() => row.textContent(), SOON).toContain('Battery too hot');
      expect(await row.textContent()).toContain('in progress');
      expect(
        await row.getByRole('link', { name: 'Battery too hot' }).getAttribute('href'),
      ).toContain('state=processed');

      await page.goto(new URL(`/plants/${home}/devices/${inverter.id}`, page.url()).href);
      await page.getByText('Battery too hot').waitFor(SOON);
      await picture(page, `device in alarm ${name}`);
      const tabs = page.getByRole('tablist');
      const place = await tabs.boundingBox();
      await page.getByRole('button', { name: 'All 2 alarms' }).click();
      await expect.poll(() => cards(page).count(), SOON).toBe(2);
      expect(await page.getByRole('button', { name: 'All 2 alarms' }).count()).toBe(0);
      expect(await tabs.boundingBox()).toEqual(place);
      await page.getByRole('button', { name: /Open again: Battery too hot/ }).click();
      await dialog.getByRole('button', { name: 'Open again' }).click();
      await page.getByRole('button', { name: /I’m on it: Battery too hot/ }).waitFor(SOON);
      expect(
        await page.locator('main li', { hasText: 'Battery too hot' }).textContent(),
      ).not.toContain('Taken on');
      await picture(page, `alarms of a device ${name}`);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(
        await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
      ).toBeLessThanOrEqual(0);
      expect(complaints).toEqual([]);
    },
  );

  test('are found by the days on which they were under way, and the same state is shown without filters again', async () => {
    const { person } = await owner();
    const days = (ago: number) =>
      new Date(clock.now() - ago * 24 * 60 * MINUTE).toISOString().slice(0, 10);
    const { page } = await open(person.id, '/alarms?state=all');
    await expect.poll(() => cards(page).count(), SOON).toBe(4);
    await page.getByLabel('Active until').fill(days(3));
    await page.getByText('Without them, there may be others.').waitFor(SOON);
    await expect
      .poll(() => statesOf(page), SOON)
      .toEqual(['Open 0', 'In progress 0', 'Ended 0', 'All']);
    await page.getByLabel('Active until').fill('');
    await page.getByLabel('Active from').fill(days(-3));
    // It lasts still, but those that ended before are left out.
    await expect
      .poll(() => cards(page).allTextContents(), SOON)
      .toEqual(['Battery too hot', 'Device not reporting', 'OV-G-V 05 <b>']);
    await page.getByText('Ended', { exact: true }).first().click();
    await page.getByRole('button', { name: 'Clear filters' }).last().click();
    await expect.poll(() => cards(page).allTextContents(), SOON).toEqual(['Clean the modules']);
    expect(new URL(page.url()).search).toBe('?state=ended');
  });

  test('of a plant without devices nobody says that nothing is wrong', async () => {
    const person = await world.person();
    const { page } = await open(person.id, `/plants/${await world.plant(person.id)}`);
    await page.getByText('This plant has no devices, so nothing reports.').waitFor(SOON);
    await page.waitForLoadState('networkidle');
    expect(await page.getByText('Nothing is wrong.').count()).toBe(0);
  });

  test('offers nobody who may only look to take them on', async () => {
    const { home } = await owner();
    const guest = await world.person();
    await world.write((trx) => sharePlant(trx, world.act(), home, guest.email, 'read'));
    const { page } = await open(guest.id, '/alarms');
    await expect.poll(() => cards(page).count(), SOON).toBe(2);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('button', { name: /I’m on it/, includeHidden: true }).count()).toBe(
      0,
    );
  });

  test('keeps what was chosen, refuses addresses that are inside, shows a secret once, and sends a test', async () => {
    const { person, home } = await owner();
    const { page, complaints } = await open(person.id, '/alarms');
    await page.getByRole('link', { name: 'Notifications' }).click();
    await page.getByRole('switch', { name: 'Tell me of alarms' }).check();
    await page.getByRole('switch', { name: 'Send me a summary' }).check();
    await page.getByLabel('From level').selectOption('3');
    await page.getByPlaceholder('All plants').fill('Mead');
    await page.getByRole('option', { name: 'Meadow Lane' }).click();
    await page.getByRole('switch', { name: 'Do not disturb me' }).check();
    await page.locator('input[type=time]').first().fill('21:30');
    const waking = page.getByRole('switch', { name: 'Emergencies may wake me' });
    const idle = page.getByText('the quiet hours hold nothing back');
    await idle.waitFor();
    await waking.uncheck();
    await idle.waitFor({ state: 'detached' });
    await page.getByRole('switch', { name: 'Webhooks keep quiet too' }).check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    expect(
      await database.db
        .selectFrom('newsSetting')
        .selectAll()
        .where('accountId', '=', person.id)
        .executeTakeFirst(),
    ).toMatchObject({
      alarmsByMail: 1,
      weeklyByMail: 1,
      minLevel: 3,
      plantIds: JSON.stringify([home]),
      quietFrom: 21 * 60 + 30,
      quietTo: 7 * 60,
      urgentPasses: 0,
      webhooksQuiet: 1,
    });
    await page.reload();
    await page.getByRole('button', { name: 'Without Meadow Lane' }).waitFor();
    expect(await page.locator('input[type=time]').first().inputValue()).toBe('21:30');
    expect(await page.getByRole('switch', { name: 'Webhooks keep quiet too' }).isChecked()).toBe(
      true,
    );

    await page.getByLabel('Address').fill('https://10.0.0.1/alarms');
    await page.getByRole('button', { name: 'Add webhook' }).click();
    const inside = page.getByText('There is no such host on the public internet');
    await inside.waitFor();
    await page.getByLabel('Address').fill('ftp://home.example');
    await inside.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Add webhook' }).click();
    await page.getByText('An address begins with https://').waitFor();
    // Each has its own secret until somebody has saved it, and takes it along.
    const hooks = page.getByRole('region', { name: 'Webhooks' }).getByRole('listitem');
    const secretOf = (name: string) =>
      hooks.filter({ hasText: name }).getByRole('textbox', { name: 'Signing secret' });
    for (const name of ['/hook', '/other']) {
      await page.getByLabel('Address').fill(`${endpoint.origin}${name}`);
      await page.getByRole('button', { name: 'Add webhook' }).click();
      await secretOf(name).waitFor();
    }
    const first = await secretOf('/hook').inputValue();
    expect(first).toMatch(/^whsec_/);
    expect(await secretOf('/other').inputValue()).not.toBe(first);
    await hooks
      .filter({ hasText: '/other' })
      .getByRole('button', { name: /^Remove: / })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Signing secret' }).count(), SOON)
      .toBe(1);
    await page.getByRole('button', { name: /^Replace secret: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replace secret' }).click();
    await expect.poll(() => secretOf('/hook').inputValue(), SOON).not.toBe(first);
    await page.getByRole('button', { name: 'I have saved it' }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Webhook: sent').waitFor();
    await page.getByText('E-mail: sent').waitFor();
    expect(JSON.parse(endpoint.posted.at(-1)!.body.toString())).toMatchObject({
      kind: 'notification.test',
    });
    await page.getByRole('button', { name: /^Remove: / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await expect.poll(() => page.getByText(`${endpoint.origin}/hook`).count(), SOON).toBe(0);
    await page.getByRole('switch', { name: 'Tell me of alarms' }).uncheck();
    await page.getByRole('switch', { name: 'Send me a summary' }).uncheck();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No way to reach you is set up yet').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    // On a phone, the answer to a test is not below the bar.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Send a test' }).click();
    const [answer, bar] = [
      page.getByText('Nothing is set up yet'),
      page.getByRole('navigation').last(),
    ];
    await answer.waitFor();
    const edges = async () =>
      [await answer.boundingBox(), await bar.boundingBox()].map((box) => box!);
    await expect
      .poll(async () => edges().then(([text, nav]) => text!.y + text!.height <= nav!.y), SOON)
      .toBe(true);
    // With the first e-mails, the account got the language of the portal. Another is the account’s once somebody chooses it, and is left behind on no device.
    const language = async () =>
      (
        await database.db
          .selectFrom('account')
          .select('language')
          .where('id', '=', person.id)
          .executeTakeFirstOrThrow()
      ).language;
    expect(await language()).toBe('en');
    await page.getByLabel('Language of pages and messages').selectOption('Español');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Notificaciones' }).waitFor();
    expect(await language()).toBe('es');
    await page.getByLabel('Idioma de las páginas y los mensajes').selectOption('browser');
    await page.getByRole('button', { name: 'Guardar' }).click();
    await page.getByRole('heading', { name: 'Notifications' }).waitFor();
    expect(await language()).toBe(null);
    await page.getByLabel('Language of pages and messages').selectOption('Español');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: 'Notificaciones' }).waitFor();
    await page.getByRole('button', { name: 'Cuenta y ajustes' }).click();
    await page.getByRole('menuitem', { name: 'Cerrar sesión' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.evaluate(`localStorage.getItem('helioport-language')`)).toBe(null);
    // The address that is inside was answered with 400, which browsers note on the console.
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
  });

  test('shows push messages in a browser, each once', async () => {
    const { person } = await owner();
    const { page } = await open(person.id, '/alarms/settings', { serviceWorkers: 'allow' });
    await page.context().grantPermissions(['notifications']);
    await page.evaluate('navigator.serviceWorker.ready.then(() => 1)');
    const devTools = await page.context().newCDPSession(page);
    const registered = new Promise<string>((resolve) => {
      devTools.on(
        'ServiceWorker.workerRegistrationUpdated',
        ({ registrations }) => registrations[0] && resolve(registrations[0].registrationId),
      );
    });
    await devTools.send('ServiceWorker.enable');
    const data = JSON.stringify({
      title: 'Battery too hot at Meadow Lane: began',
      body: 'Device SN-1\nStop charging',
      url: '/alarms',
      id: '1',
    });
    const message = { origin: app.addresses['portal']!, registrationId: await registered, data };
    await devTools.send('ServiceWorker.deliverPushMessage', message);
    // The same message once more.
    await devTools.send('ServiceWorker.deliverPushMessage', message);
    const shown =
      'navigator.serviceWorker.ready.then((one) => one.getNotifications()).then((all) => all.map(({ title, body, data }) => [title, body, data]))';
    await expect
      .poll(() => page.evaluate(shown), SOON)
      .toEqual([
        ['Battery too hot at Meadow Lane: began', 'Device SN-1\nStop charging', '/alarms'],
      ]);
  });

  test.each([
    ['desktop', 1280, 'light', 'de-DE'],
    ['phone', 360, 'dark', 'en-GB'],
    ['small', 320, 'light', 'de-DE'],
  ] as const)(
    'can be read by everybody: %s, %i wide, %s, %s',
    async (size, width, colorScheme, locale) => {
      const { person } = await owner();
      const { page, complaints } = await open(person.id, '/alarms', {
        viewport: { width, height: 800 },
        colorScheme,
        locale,
      });
      for (const path of ['/alarms', '/alarms/settings', '/week']) {
        if (path !== '/alarms') await page.goto(new URL(path, page.url()).href);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page
          .locator(path === '/week' ? 'main section p' : 'main h2')
          .first()
          .waitFor();
        await page.waitForLoadState('networkidle');
        await picture(
          page,
          `${path.slice(1).replaceAll('/', '-')}-${size}-${colorScheme}-${locale}`,
        );
        expect([path, await seriousBarriers(page)]).toEqual([path, []]);
        expect(
          await page.evaluate('document.documentElement.scrollWidth - innerWidth'),
        ).toBeLessThanOrEqual(0);
        expect(complaints).toEqual([]);
      }
    },
  );
});
