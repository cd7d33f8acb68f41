import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Account } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { turnOnline } from '../../../packages/server/src/fleet/devices/states.ts';
import { sharePlant } from '../../../packages/server/src/fleet/plants/shares.ts';
import { findCollectorOfToken } from '../../../packages/server/src/fleet/collectors/authenticate.ts';
import { storeInventory } from '../../../packages/server/src/fleet/collectors/inventory.ts';
import { readConfig } from '../../../packages/collector/src/site/config/read-config.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock, userCaller } from '../../support/world.ts';
import { desk, openScene, phone, SOON, type PortalScene } from '../pages/fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const LINK = {
  via: 'v5',
  address: '192.168.1.41:8899',
  unit: 1,
  stick: '2700000001',
  readOnly: true,
  state: 'silent',
  timeouts: 1234,
  strays: 2,
  reconnects: 17,
  droppedValues: 5,
};

describe.skipIf(!findChromium())('connecting devices in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let owner: Account;
  let plantId: string;

  beforeAll(async () => {
    scene = await openScene(clock);
    owner = await scene.owner('maria@example.com');
    plantId = await scene.fleet.plant(owner.id, { name: 'Roof', timeZone: 'Europe/Berlin' });
  });
  afterAll(() => scene?.close());

  const LOOKS = [
    ['phone, light, German', { ...phone, locale: 'de' }],
    ['phone, dark, Chinese', { ...phone, locale: 'zh', colorScheme: 'dark' }],
    ['desk, light, English', { ...desk, locale: 'en' }],
    ['desk, dark, Spanish', { ...desk, locale: 'es', colorScheme: 'dark' }],
  ] as const;
  const isFine = async (page: Page, name: string): Promise<void> => {
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await fitsItsWidth(page)).toBe(true);
    await picture(page, name);
  };

  test.each(LOOKS)('the file and the token can be read and taken: %s', async (name, options) => {
    const { page, complaints } = await scene.visit(
      owner,
      `/plants/${plantId}/connect?have=solis`,
      options,
    );
    await page.getByRole('radio').nth(0).waitFor();
    await isFine(page, `connect, ${name}`);
    await page.locator('main button').last().click();
    await page.locator('textarea').waitFor();
    await isFine(page, `connect created, ${name}`);
    expect(complaints).toEqual([]);
  });

  test('every file is one that the on-site collector takes, with the address of this service', async () => {
    const { page, complaints } = await scene.visit(owner, `/plants/${plantId}/connect`, {
      locale: 'en',
    });
    const files: Record<string, string> = {};
    for (const [i, label] of [/Solis/, /Deye/, /Sofar/, /SunSpec/, /A meter/].entries()) {
      await page.getByRole('radio', { name: label }).check();
      if (i === 0)
        await page.getByRole('button', { name: 'Create the file and the token' }).click();
      files[String(label)] = await page.getByLabel('collect.yaml', { exact: true }).inputValue();
    }
    for (const text of Object.values(files)) {
      expect(readConfig(text, '/site/collect.yaml')).toMatchObject({
        gateway: 'https://gateway.example.org',
      });
      expect(parse(text)).toMatchObject({ devices: [{ address: expect.any(String) }] });
      // Nothing is written to a device unless somebody takes the sign before the line away.
      expect(text).not.toMatch(/^\s*control:/m);
    }
    const token = await page.getByLabel('Token', { exact: true }).inputValue();
    expect(token.length).toBeGreaterThan(30);
    await page.getByRole('radio', { name: 'A program that reports by itself' }).check();
    expect(await page.getByLabel('Address for reports', { exact: true }).inputValue()).toBe(
      'https://gateway.example.org',
    );
    expect(await page.getByLabel('Token', { exact: true }).inputValue()).toBe(token);
    expect(complaints).toEqual([]);
  });

  test('a button copies the file as it is', async () => {
    const { page } = await scene.visit(owner, `/plants/${plantId}/connect?have=deye`, {
      locale: 'en',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.getByRole('button', { name: 'Create the file and the token' }).click();
    await page.getByRole('button', { name: 'Copy: collect.yaml' }).click();
    await page.getByRole('button', { name: 'Copied: collect.yaml' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      'gateway: https://gateway.example.org\ntoken-file: token\ndevices:\n',
    );
  });

  test('a new plant begins with what somebody has, and leads on to its file', async () => {
    const { page, complaints } = await scene.visit(owner, '/plants/new', { locale: 'en' });
    await page.getByRole('radio', { name: /SunSpec/ }).check();
    await isFine(page, 'new plant with a choice');
    await page.getByLabel('Name').fill('Barn');
    await page.getByLabel('Address').fill('Hill 1');
    await page.getByLabel('Rated power of the modules (kWp)').fill('9.6');
    await page.getByLabel('Latitude, north is positive').fill('52.5');
    await page.getByLabel('Longitude, east is positive').fill('13.4');
    await expect
      .poll(() => page.getByRole('combobox', { name: 'Time zone' }).inputValue(), SOON)
      .toContain('Berlin');
    await page.getByRole('button', { name: 'Create the plant' }).click();
    await page.waitForURL(/\/connect\?have=sunspec$/);
    await page.getByText('Switch on Modbus TCP').waitFor();
    expect(complaints).toEqual([]);
  });

  test.each(LOOKS)(
    'a silent device says how it is reached, and what to do: %s',
    async (name, options) => {
      const { fleet } = scene;
      const made = await fleet.ask('collector/create', userCaller(owner.id), { plantId });
      const sender = { collectorId: made.id };
      const sn = fleet.uniqueSn('INV');
      const tell = () =>
        storeInventory(
          scene.database().db,
          sender,
          [{ sn, kind: 'inverter', model: 'S6-8K', link: LINK }],
          clock.at,
        );
      await tell();
      const settings = await scene.visit(owner, `/plants/${plantId}/settings`, options);
      await settings.page.getByText('192.168.1.41:8899').first().waitFor();
      await isFine(settings.page, `waiting, ${name}`);
      expect(settings.complaints).toEqual([]);
      await fleet.ask('discovery/bind', userCaller(owner.id), { sn });
      await tell();
      const { id } = (await scene
        .database()
        .db.selectFrom('device')
        .select('id')
        .where('sn', '=', sn)
        .executeTakeFirst())!;
      const path = `/plants/${plantId}/devices/${id}`;
      // Of a collector that is away, nothing is known but what it said last.
      const away = await scene.visit(owner, path, options);
      await away.page.getByText('helioport-collect').waitFor();
      await isFine(away.page, `device of a collector that is away, ${name}`);
      await fleet.write((trx) => turnOnline(trx, [made.id], clock.at));
      const { page, complaints } = await scene.visit(owner, path, options);
      await page.getByText('2700000001').waitFor();
      await page.getByText(/1.?234/).waitFor();
      expect(await page.locator('main li').count()).toBe(5);
      await isFine(page, `device with link, ${name}`);
      expect(complaints).toEqual([]);
    },
  );

  test.each(LOOKS)(
    'the token of a collector is replaced, shown once, and the former one ends: %s',
    async (name, options) => {
      const { fleet } = scene;
      const made = await fleet.ask('collector/create', userCaller(owner.id), { plantId });
      const { db } = scene.database();
      const knows = (token: string) => findCollectorOfToken(db, token, clock.at);
      expect(await knows(made.token)).toBe(made.id);
      const path = `/plants/${plantId}/devices/${made.id}`;
      const { page, complaints } = await scene.visit(owner, path, options);
      const card = page.locator('details[data-part=token]');
      await card.locator('summary').click();
      await isFine(page, `token, ${name}`);
      await card.getByRole('button').click();
      await page.getByRole('dialog').waitFor();
      await isFine(page, `token asked, ${name}`);
      await page.getByRole('dialog').getByRole('button').last().click();
      await card.locator('input').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'hidden' });
      const token = await card.locator('input').inputValue();
      await isFine(page, `token replaced, ${name}`);
      expect(await knows(token)).toBe(made.id);
      expect(await knows(made.token)).toBeUndefined();
      await page.reload();
      await card.locator('summary').click();
      expect(await page.content()).not.toContain(token);
      expect(complaints).toEqual([]);
    },
  );

  test('a collector of somebody else has no token to replace', async () => {
    const { fleet } = scene;
    const guest = await scene.owner('guest@example.com');
    const made = await fleet.ask('collector/create', userCaller(owner.id), { plantId });
    await fleet.write((trx) => sharePlant(trx, fleet.act(), plantId, guest.email, 'control'));
    const path = `/plants/${plantId}/devices/${made.id}`;
    const { page } = await scene.visit(guest, path, { locale: 'en' });
    await page.getByRole('tablist').waitFor();
    expect(await page.getByText('Token', { exact: true }).count()).toBe(0);
  });
});
