import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { hasDoor, operations, type ExplorerOperation } from '@helioport/contract';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addOwner } from '../oauth/fixture.ts';
import {
  findChromium,
  fitsItsWidth,
  sharedChromium,
  picture,
  seriousBarriers,
} from '../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { startPortal, type TestPortal } from '../support/portal.ts';
import { createWorld } from '../support/world.ts';
import { addKey, startUserApi, type TestUserApi } from '../user-api/fixture.ts';
import { visit } from './visit.ts';

const HOSTILE = `<img src=x onerror=alert(1)> O'Neil $(id) "مرحبا"`;

const bash = promisify(execFile);

describe.skipIf(!findChromium())('the explorer', () => {
  // Signed requests have the time of the shell that sends them.
  const clock = { at: Date.now(), now: () => Date.now() };
  let database: TestDatabase;
  const world = createWorld(() => database, clock);
  let userApi: TestUserApi;
  let portal: TestPortal;
  let browser: Browser;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    const served = {
      operations: Object.values(operations) as never,
      handlers: operationsOn(database.db, clock, world.newId) as never,
    };
    userApi = await startUserApi(database, clock, served);
    portal = await startPortal(database, clock, {
      ...served,
      userApiUrl: `http://127.0.0.1:${userApi.port}`,
    });
    browser = await sharedChromium();
  }, 120_000);
  afterAll(async () => {
    await Promise.all([portal.close(), userApi.close()]);
    await database.drop();
  });

  const open = (accountId: string, path: string, options: BrowserContextOptions = {}) =>
    visit(browser, world, portal.url, accountId, path, options);
  const household = async () => {
    const owner = await addOwner(world);
    return { owner, plantId: await world.plant(owner.id, { name: HOSTILE }) };
  };

  test('is shown every operation of signed requests that the portal has, with the form of its request', async () => {
    const answer = (await (await fetch(`${portal.url}/portal/operations`)).json()) as {
      data: ExplorerOperation[];
    };
    const both = Object.values(operations).filter(
      ({ doors }) => hasDoor({ doors }, 'signed') && hasDoor({ doors }, 'portal'),
    );
    expect(answer.data.map(({ id }) => id)).toEqual(both.map(({ id }) => id));
    expect(answer.data.find(({ id }) => id === 'archiveStation')).toMatchObject({
      path: '/v1/api/archiveStation',
      write: true,
      familyTitle: 'Plant management',
      request: { properties: { id: { type: 'string' } }, required: ['id'] },
    });
  });

  test('reads as oneself, offers one’s own plants, and shows refusals as they are', async () => {
    const { owner, plantId } = await household();
    const { plantId: foreign } = await household();
    const { page, complaints } = await open(owner.id, '/developer/explorer');
    await page.getByLabel('Operation').selectOption('stationDetail');
    await expect.poll(() => page.locator(`datalist option[value="${plantId}"]`).count()).toBe(1);
    expect(await page.locator(`datalist option[value="${foreign}"]`).count()).toBe(0);
    await page.getByLabel('id', { exact: true }).fill(plantId);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(`"stationName": ${JSON.stringify(HOSTILE)}`).waitFor();
    await picture(page, 'explorer-1280-light');
    expect(await seriousBarriers(page)).toEqual([]);
    // Its descriptions show code as code.
    expect(await page.getByRole('main').innerText()).not.toContain('`');
    expect(await page.getByRole('link', { name: 'Your key pairs' }).getAttribute('href')).toBe(
      '/keys',
    );
    await page.getByLabel('id', { exact: true }).fill('');
    await page.getByRole('button', { name: 'Send' }).click();
    await page
      .getByRole('status')
      .getByText(/^a required parameter is missing: one of id, /)
      .waitFor();
    await page.getByLabel('id', { exact: true }).fill(foreign);
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('status').getByText('R0000').waitFor();
    expect(complaints).toEqual([]);
  });

  test('finds operations by their name and by what they do', async () => {
    const { owner } = await household();
    const { page, complaints } = await open(owner.id, '/developer/explorer');
    const [search, choice] = [
      page.getByLabel('Find by name or purpose'),
      page.getByLabel('Operation'),
    ];
    await search.fill('ARCHIVE plant');
    await expect.poll(() => choice.inputValue()).toBe('archiveStation');
    expect(await choice.locator('option').allInnerTexts()).not.toContain('inverterList');
    await search.fill('no such thing');
    await page.getByText('Nothing fits.').waitFor();
    expect(await choice.inputValue()).toBe('archiveStation');
    await search.fill('');
    await expect.poll(() => choice.locator('option').allInnerTexts()).toContain('inverterList');
    expect(complaints).toEqual([]);
  });

  test('shows the signed request that does the same: it runs in a shell, and signs the text that is shown', async () => {
    const { owner, plantId } = await household();
    const { keyId, keySecret } = await addKey(world, { accountId: owner.id });
    const { page } = await open(owner.id, '/developer/explorer?operation=stationUpdate');
    for (const [field, value] of Object.entries({
      id: plantId,
      stationName: HOSTILE,
      capacity: '7',
      price: '0.3',
      addr: HOSTILE,
    }))
      await page.getByLabel(`${field} (required)`).fill(value);
    const script = (await page.getByLabel('Commands').textContent())!;
    expect(script).toContain("KEY_SECRET='KEY_SECRET'");
    const { stdout } = await bash('bash', [
      '-c',
      script.replace("'KEY_ID'", `'${keyId}'`).replace("'KEY_SECRET'", `'${keySecret}'`),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });
    expect(
      await database.db
        .selectFrom('plant')
        .select(['name', 'capacityKwp'])
        .where('id', '=', plantId)
        .executeTakeFirst(),
    ).toEqual({
      name: HOSTILE,
      capacityKwp: 7,
    });
    const body = JSON.stringify({
      id: plantId,
      stationName: HOSTILE,
      capacity: 7,
      addr: HOSTILE,
      price: 0.3,
    });
    const [method, digest, type, date, path, ...more] = (await page
      .getByLabel('String to sign')
      .textContent())!
      .trim()
      .split('\n');
    expect([method, type, path, more]).toEqual([
      'POST',
      'application/json;charset=UTF-8',
      '/v1/api/stationUpdate',
      [],
    ]);
    const sent = /^BODY=(.*)$/m
      .exec(script)![1]!
      .replaceAll(String.raw`'\''`, "'")
      .slice(1, -1);
    expect(JSON.parse(sent)).toEqual(JSON.parse(body));
    expect(digest).toBe(createHash('md5').update(sent).digest('base64'));
    expect(date).toMatch(/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/);
  });

  test('warns before anything is changed', async () => {
    const { owner, plantId } = await household();
    const { page, complaints } = await open(
      owner.id,
      '/developer/explorer?operation=archiveStation',
    );
    const isArchived = async () =>
      (
        await database.db
          .selectFrom('plant')
          .select('archivedAt')
          .where('id', '=', plantId)
          .executeTakeFirstOrThrow()
      ).archivedAt !== null;
    await page.getByText('Changes something').waitFor();
    await page.getByLabel('id (required)').fill(plantId);
    await page.getByRole('button', { name: 'Send' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(plantId).waitFor();
    await picture(page, 'explorer-warning-1280-light');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await isArchived()).toBe(false);
    await page.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('button', { name: 'Carry it out' }).click();
    await page.getByText('"success": true').waitFor();
    expect(await isArchived()).toBe(true);
    expect(complaints).toEqual([]);
  });

  test('takes what nobody means: the server says what is wrong, and an address that makes no sense is the first operation', async () => {
    const { owner } = await household();
    const { page, complaints } = await open(owner.id, '/developer/explorer?operation=%3Cscript%3E');
    await page.getByLabel('Operation').waitFor();
    expect(await page.getByLabel('Operation').inputValue()).toBe('userStationList');
    await page.getByLabel('pageSize').fill('many');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('"field": "pageSize"').waitFor();
    await page.getByLabel('Operation').selectOption('strategy/setLimits');
    await page.getByLabel('quietHours').fill('[not JSON');
    await page.getByLabel('plantId (required)').fill('1');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Carry it out' }).click();
    await page.getByText('"field": "quietHours"').waitFor();
    expect(complaints).toEqual([]);
  });

  test.each([
    { width: 360, colorScheme: 'dark', locale: 'de', title: 'Explorer' },
    { width: 1280, colorScheme: 'light', locale: 'es', title: 'Explorer' },
  ] as const)(
    'fits $width px, $colorScheme, in $locale, and keeps nobody out',
    async ({ title, width, ...look }) => {
      const { owner } = await household();
      const { page, complaints } = await open(owner.id, '/developer/explorer?operation=alarmList', {
        ...look,
        viewport: { width, height: 800 },
      });
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.locator('form input').first().waitFor();
      await picture(page, `explorer-${width}-${look.colorScheme}-${look.locale}`);
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
