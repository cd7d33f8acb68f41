import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMailScene } from '../../accounts/mail-tokens/fixture.ts';
import { addApp, STEP_MS } from '../../accounts/factors/fixture.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, type PortalScene } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

describe.skipIf(!findChromium())('a forgotten password in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let mail: ReturnType<typeof createMailScene>;
  beforeAll(async () => {
    scene = await openScene(clock, { smtpUrl: 'smtp://127.0.0.1' });
    mail = createMailScene(scene.database, scene.fleet);
  });
  afterAll(() => scene?.close());

  test.each([
    [
      'phone, dark, German',
      { ...phone, locale: 'de', colorScheme: 'dark' },
      { forgotten: 'Passwort vergessen?', send: 'Link senden', sent: 'E-Mail unterwegs' },
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en-GB', colorScheme: 'light' },
      { forgotten: 'Forgotten your password?', send: 'Send link', sent: 'on its way' },
    ],
  ] as const)(
    'is replaced from the sign-in page by the link of an e-mail: %s',
    async (name, options, t) => {
      clock.at += 10 * STEP_MS;
      const owner = await scene.owner(`ada-${options.locale}@example.com`);
      const { app } = await addApp(scene.fleet, scene.database().db, owner.id);
      clock.at += STEP_MS;
      const { page, complaints } = await scene.visit(null, '/', options);
      await page.getByRole('link', { name: t.forgotten }).click();
      await page.getByRole('heading', { name: t.forgotten }).waitFor();
      const looks = async (what: string): Promise<void> => {
        expect(await seriousBarriers(page)).toEqual([]);
        expect(await fitsItsWidth(page)).toBe(true);
        await picture(page, `reset ${what} ${name}`);
      };
      await looks('ask');
      await page.locator('input[type=email]').fill(owner.email);
      await page.getByRole('button', { name: t.send }).click();
      await page.getByText(t.sent).waitFor();
      await looks('sent');
      await mail.work();
      const [letter] = await mail.letters();
      const { hash } = new URL(letter!.link!.url);
      await page.goto(`${scene.portal.url}/reset${hash}`);
      await page.reload();
      const field = page.locator('input[type=password]');
      await field.fill('password12');
      await looks('choose');
      await page.locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
      await field.fill('meadow lane in july');
      await page.locator('button[type=submit]').click();
      await page.locator('input[autocomplete=one-time-code]').fill(app.at(clock.at));
      await looks('second step');
      await page.locator('button[type=submit]').click();
      await page.locator('input[autocomplete=current-password]').waitFor();
      // The link is worth nothing any more, and the page says so.
      await page.goto(`${scene.portal.url}/reset${hash}`);
      await page.reload();
      await field.fill('meadow lane in august');
      await page.locator('button[type=submit]').click();
      await page.getByRole('button', { name: t.send }).waitFor();
      await looks('useless');
      expect(complaints).toEqual([]);
    },
  );

  test('is a matter of the operator where no e-mails are sent: there is no link, and the page says so', async () => {
    const silent = await openScene(clock);
    try {
      const { page, complaints } = await silent.visit(null, '/', { ...desk, locale: 'en' });
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'Forgotten your password?' }).count()).toBe(0);
      await page
        .getByText('No account yet, or forgotten your password? Ask the operator of this service.')
        .waitFor();
      await picture(page, 'sign-in without e-mails');
      await page.goto(`${silent.portal.url}/reset`);
      await page.getByText('ask its operator').waitFor();
      expect(complaints).toEqual([]);
    } finally {
      await silent.close();
    }
  });
});
