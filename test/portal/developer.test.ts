import { operations } from '@helioport/contract';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RouteHandler } from '../../packages/server/src/interfaces/edges/http/mount.ts';
import { listDestinations } from '../../packages/server/src/outbound/forwarding/destinations/reports.ts';
import { createRefusalCounts } from '../../packages/server/src/identity/oauth/refusal-counts.ts';
import {
  decideApplication,
  getApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { authenticateApplication } from '../../packages/server/src/identity/oauth/client-secrets.ts';
import { createForwardingScene } from '../forwarding/scene.ts';
import { startReceiver, type Receiver } from '../forwarding/receiver.ts';
import { addClient, addOwner, createRunning, PASSWORD } from '../oauth/fixture.ts';
import { startOauth, type TestOauth } from '../oauth/listener.ts';
import { languages, outputOf } from '../reference/programs.ts';
import {
  findChromium,
  fitsItsWidth,
  sharedChromium,
  picture,
  seriousBarriers,
  misplacedLabels,
} from '../support/browser.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { operationsOn } from '../support/operations.ts';
import { startPortal, visitAs, type TestPortal } from '../support/portal.ts';
import { visit } from './visit.ts';

const [, isWithoutCurl] = languages.find(([language]) => language === 'curl')!;
const HOSTILE = '<img src=x onerror=alert(1)> “Ünïcode” مرحبا';

describe.skipIf(!findChromium())('the developer’s pages', () => {
  let database: TestDatabase;
  const scene = createForwardingScene(() => database);
  const { clock } = scene;
  let portal: TestPortal;
  let browser: Browser;
  let receiver: Receiver;
  let oauth: TestOauth;
  beforeAll(async () => {
    [database, receiver] = await Promise.all([createSqliteDatabase(), startReceiver()]);
    const handlers = operationsOn(database.db, clock, scene.newId, {
      outbound: { egress: scene.egress, logger: scene.logger },
    });
    const offered = {
      handlers: handlers as unknown as Record<string, RouteHandler>,
      operations: Object.values(operations),
    };
    oauth = await startOauth(database, clock, offered);
    portal = await startPortal(database, clock, { ...offered, oauthUrl: oauth.url });
    browser = await sharedChromium();
  }, 120_000);
  afterAll(async () => {
    await portal.close();
    await oauth.close();
    await receiver.close();
    await database.drop();
  });

  const open = (accountId: string, path: string, options: BrowserContextOptions = {}) =>
    visit(browser, scene, portal.url, accountId, path, options);

  /** An approved application with a destination, of whose owner's plant a reading is sent, and which was refused something. */
  async function developed(name: string) {
    const developer = await addOwner(scene);
    const { application, clientId } = await addClient(scene, {
      name,
      purpose: HOSTILE,
      ownerId: developer.id,
    });
    const device = await scene.install();
    await scene.grant(application.id, await scene.ownerOf(device.plantId), [device.plantId]);
    const destinationId = await scene.destination(application, receiver.url);
    await createRefusalCounts({ db: database.db, clock }).count({
      applicationId: application.id,
      endpoint: 'api/access_data/stationDetail',
      reason: 'noPermission',
      requestId: 'a1b2c3-7',
    });
    return { developer, application, clientId, device, destinationId };
  }

  test('an application is applied for, rejected, amended, approved, and gets a secret that works', async () => {
    const developer = await addOwner(scene);
    const { page, complaints } = await open(developer.id, '/developer');
    await page.getByRole('button', { name: 'Apply for an application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(`Yield ${HOSTILE}`);
    await dialog.getByLabel('What it is for').fill(HOSTILE);
    await dialog.getByLabel('Callback address').fill('http://yield.example/callback');
    await picture(page, 'developer-apply-1280-light');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByText('Expected: https, or http on a loopback address').waitFor();
    await dialog.getByLabel('Callback address').fill('https://yield.example?x=1');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await dialog.getByText('Accepted, but often a source of trouble').waitFor();
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Close' }).last().click();

    await page.getByRole('link', { name: `Yield ${HOSTILE}` }).click();
    await page.getByText('Until then you can change it or withdraw it.').waitFor();
    const application = await getApplication(database.db, `Yield ${HOSTILE}`);
    expect(application).toMatchObject({
      status: 'submitted',
      scopes: 1,
      // The specification's clients know no PKCE.
      challengeRequired: 0,
      ownerId: developer.id,
    });
    expect(await page.getByRole('button', { name: 'Make a secret' }).count()).toBe(0);
    await scene.write((trx) =>
      decideApplication(trx, scene.act(), application.id, 'rejected', { reason: `Not ${HOSTILE}` }),
    );
    await page.reload();
    await page.getByText(`The operator says: Not ${HOSTILE}`).waitFor();
    await page.getByRole('button', { name: 'Change' }).click();
    await dialog.getByLabel('Home page').fill('https://yield.example');
    await dialog.getByRole('checkbox', { name: 'Change settings of devices' }).check();
    await dialog.getByLabel('Callback address').fill('https://yield.example/callback');
    await dialog.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Waits for the operator').first().waitFor();
    await scene.write((trx) =>
      decideApplication(trx, scene.act(), application.id, 'approved', { scopes: ['access_data'] }),
    );
    await page.reload();
    await page.getByText('It has no secret yet.').waitFor();

    await page.getByRole('button', { name: 'Make a secret' }).click();
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Make a secret' }).click();
    await dialog.getByText('The password is wrong.').waitFor();
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Make a secret' }).click();
    await dialog.getByText('The secret is shown only now').waitFor();
    const secret = await dialog.getByLabel('client_secret', { exact: true }).inputValue();
    expect(
      await authenticateApplication(database.db, clock.at, application.clientId, secret),
    ).toMatchObject({ id: application.id });
    await picture(page, 'developer-secret-1280-light');
    expect(await dialog.getByText('Earlier secrets end').count()).toBe(0);
    expect(await dialog.getByRole('heading', { name: 'Make a secret' }).count()).toBe(1);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByText('valid until it is replaced').waitFor();
    await page.getByText(`Secret …${secret.slice(-4)}`).waitFor();
    expect(await page.content()).not.toContain(secret);

    await page.getByRole('button', { name: 'Replace the secret' }).click();
    await dialog.getByLabel('The present secrets stay valid for').selectOption('7');
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Replace the secret' }).click();
    await dialog.getByText('Earlier secrets end').waitFor();
    expect(
      await authenticateApplication(database.db, clock.at, application.clientId, secret),
    ).toBeDefined();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('button', { name: `End now: Secret …${secret.slice(-4)}` }).click();
    await dialog.getByRole('button', { name: 'End now' }).click();
    await page.getByText(/· ended /).waitFor();
    expect(
      await authenticateApplication(database.db, clock.at, application.clientId, secret),
    ).toBeUndefined();
    await expect.poll(() => page.getByRole('button', { name: 'End now' }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('an application that was never approved is withdrawn', async () => {
    const developer = await addOwner(scene);
    const { visitor } = await visitAs(scene, portal.url, developer.id);
    const applied = {
      name: 'Given up',
      purpose: 'Nothing',
      redirectUri: 'https://yield.example/callback',
      scopes: 'access_data',
    };
    const { body } = await visitor.call('developer/apply', applied);
    const { page, complaints } = await open(developer.id, `/developer/${body.data.clientId}`);
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await page.getByText('You have no application yet').waitFor();
    expect(complaints).toEqual([]);
  });

  test('what goes wrong is seen: errors with request ids, consents in numbers, destinations that are tested, paused, replayed and watched', async () => {
    const { developer, clientId, device, destinationId } = await developed('Peak Partner');
    const { page, complaints } = await open(developer.id, `/developer/${clientId}`);
    await page.getByText('a1b2c3-7').waitFor();
    await page.getByText('api/access_data/stationDetail').waitFor();
    await page.getByRole('definition').filter({ hasText: /^1$/ }).first().waitFor();
    const card = page.getByRole('article').filter({ hasText: receiver.url });
    receiver.react = () => ({ status: 500, body: HOSTILE });
    await card.getByRole('button', { name: /^Send a test/ }).click();
    // It stays in sight.
    await card.getByRole('status').filter({ hasText: 'Not taken:' }).waitFor();
    await card.getByText('nothing waits').waitFor();
    await scene.report(device, [{ at: (clock.at += 1_000), values: { acPowerW: 1 } }]);
    await scene.deliver();
    await card.getByText('Failing', { exact: true }).waitFor();
    await card.getByText('Failing since').waitFor();
    await card.getByText('1 device waits').waitFor();
    expect(await listDestinations(database.db, clock.at, { id: destinationId })).toMatchObject([
      { behindSeconds: 0, waitingDevices: 1, oldestWaitingAt: clock.at },
    ]);
    expect(await card.getByText('nothing waits').count()).toBe(0);
    await card.getByText('Given up and waiting').click();
    await card.getByText(/next attempt/).waitFor();
    receiver.react = () => ({ status: 200 });
    await card.getByRole('button', { name: /^Pause/ }).click();
    await card.getByText('Paused', { exact: true }).waitFor();
    expect(await card.getByText(/next attempt/).count()).toBe(0);
    await card.getByRole('button', { name: /^Resume/ }).click();
    await card.getByText('Paused', { exact: true }).waitFor({ state: 'detached' });
    await scene.deliver();
    await card.getByText('Active', { exact: true }).waitFor();
    await card.getByText('nothing waits').waitFor();
    await expect.poll(() => card.getByText(/1 × the endpoint answered 500/).count()).toBe(0);

    await card.getByText('Live tail').click();
    await card.getByRole('button', { name: 'Watch' }).click();
    await card.getByText('Waiting for events').waitFor();
    await scene.report(device, [{ at: (clock.at += 1_000), values: { acPowerW: 1234 } }]);
    await card.getByRole('log').getByText('telemetry.sample', { exact: true }).click();
    await card.getByText('"kind": "telemetry.sample"').waitFor();
    await picture(page, 'developer-application-1280-light');
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await card.getByRole('button', { name: 'Stop' }).click();

    await scene.deliver();
    await card.getByRole('button', { name: /^Send again/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('There is nothing to send again.').waitFor();
    await card.getByRole('button', { name: /^Send again/ }).click();
    await dialog.getByLabel('Which').selectOption('hour');
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('The log of that time is gone through again').waitFor();
    expect(await database.db.selectFrom('replay').select('destinationId').execute()).toContainEqual(
      { destinationId },
    );
    await card.getByText('No event was given up.').waitFor();
    expect(complaints).toEqual([]);
  });

  test('an approved application leads to the consent page, to its tokens, to a destination, and to the guides', async () => {
    const developer = await addOwner(scene);
    const client = await addClient(scene, {
      name: 'Next',
      ownerId: developer.id,
      scopes: ['access_data'],
      challengeRequired: true,
    });
    const { page, complaints } = await open(developer.id, `/developer/${client.clientId}`);
    const address = await page
      .getByLabel('Address of the consent page', { exact: true })
      .innerText();
    expect(new URL(address).searchParams.get('scope')).toBe('access_data');
    expect(
      await page.getByRole('link', { name: 'Open the consent page' }).getAttribute('href'),
    ).toBe(address);
    const asked = await fetch(address, { redirect: 'manual' });
    expect([asked.status, await asked.text()]).toEqual([200, expect.stringContaining('Next')]);

    const running = createRunning({
      clock,
      world: scene,
      database: () => database,
      oauth: () => oauth,
    });
    const challenge = new URL(address).searchParams.get('code_challenge')!;
    const environment = {
      CLIENT_SECRET: client.clientSecret,
      CODE: await running.code(client, { scopes: ['access_data'], challenge }),
    };
    await page.getByText('Add it from your application instead').click();
    const [exchange, addition] = [
      await page.getByLabel('Then exchange the code for tokens', { exact: true }).innerText(),
      await page.getByLabel('Add it from your application instead', { exact: true }).innerText(),
    ];
    if (!isWithoutCurl) {
      expect(
        JSON.parse(await outputOf({ language: 'sh', text: exchange }, environment)),
      ).toMatchObject({ token_type: 'bearer', scope: 'access_data' });
      // The scene's network knows no such host: it is the service that says so.
      const added = JSON.parse(await outputOf({ language: 'sh', text: addition }, environment));
      expect(added).toMatchObject({ code: expect.any(String), data: expect.anything() });
    }
    for (const name of [
      'Acting for owners (OAuth)',
      'Signing a request',
      'Receiving events',
      'Reference of the OAuth interface',
    ]) {
      const target = await page.getByRole('link', { name, exact: true }).getAttribute('href');
      expect([target, (await fetch(target!)).status]).toEqual([
        expect.stringContaining(oauth.url),
        200,
      ]);
    }
    expect(await seriousBarriers(page)).toEqual([]);
    expect(await misplacedLabels(page)).toEqual([]);
    await picture(page, 'developer-next-1280-light');
    expect(complaints).toEqual([]);
  });

  test('a destination is added in a form, after the password, and gets a snapshot at once', async () => {
    const developer = await addOwner(scene);
    const client = await addClient(scene, {
      name: 'Form',
      ownerId: developer.id,
      scopes: ['access_data'],
    });
    const { page, complaints } = await open(developer.id, `/developer/${client.clientId}`);
    await page.getByRole('button', { name: 'Add a destination' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address', { exact: true }).fill('https://93.184.215.14/events');
    await dialog.getByLabel('Alarms').uncheck();
    await dialog.getByLabel('Your password', { exact: true }).fill('not the password');
    await dialog.getByRole('button', { name: 'Add a destination' }).click();
    await dialog.getByRole('alert').waitFor();
    const added = () =>
      database.db
        .selectFrom('destination')
        .selectAll()
        .where('url', '=', 'https://93.184.215.14/events')
        .execute();
    expect(await added()).toEqual([]);
    expect(await seriousBarriers(page)).toEqual([]);
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Add a destination' }).click();
    await dialog.getByText('its snapshot is on its way').waitFor();
    expect(await dialog.getByRole('textbox', { name: 'Signing secret' }).inputValue()).toMatch(
      /^whsec_/,
    );
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('heading', { name: 'https://93.184.215.14/events' }).waitFor();
    const [destination] = await added();
    expect(
      await database.db
        .selectFrom('snapshot')
        .selectAll()
        .where('destinationId', '=', destination!.id)
        .execute(),
    ).toHaveLength(1);
    const kinds = await page.getByText('telemetry.sample, ').innerText();
    expect(kinds).not.toContain('alarm.raised');
    expect(complaints.filter((text) => !text.includes('40'))).toEqual([]);
  });

  test('another developer’s application does not exist', async () => {
    const { clientId } = await developed('Somebody else’s');
    const stranger = await addOwner(scene);
    const { page } = await open(stranger.id, `/developer/${clientId}`);
    await page.getByText('This does not exist, or you have no access to it').waitFor();
    expect(await page.content()).not.toContain('Somebody else’s');
  });

  test.each([
    { path: '', width: 360, colorScheme: 'dark', locale: 'de', title: 'Applications' },
    { path: '', width: 1280, colorScheme: 'light', locale: 'es', title: 'Applications' },
    { path: '/client', width: 360, colorScheme: 'light', locale: 'de', title: /^Fleet/ },
    { path: '/client', width: 1280, colorScheme: 'dark', locale: 'zh', title: /^Fleet/ },
  ] as const)(
    '/developer$path fits $width px, $colorScheme, in $locale, and keeps nobody out',
    async ({ path, title, width, ...look }) => {
      const { developer, clientId } = await developed(
        `Fleet ${path}${look.locale} ${'long '.repeat(12)}end`,
      );
      const { page, complaints } = await open(developer.id, `/developer${path && `/${clientId}`}`, {
        ...look,
        viewport: { width, height: 800 },
      });
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await picture(
        page,
        `developer${path && '-application'}-${width}-${look.colorScheme}-${look.locale}`,
      );
      expect(await fitsItsWidth(page)).toBe(true);
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await misplacedLabels(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );
});
