import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findAccountByEmail } from '../../../packages/server/src/identity/accounts/accounts.ts';
import { createMailScene } from '../../accounts/mail-tokens/fixture.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, type PortalScene } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

describe.skipIf(!findChromium())('signing up in Chromium', () => {
  const clock = settableClock('2026-11-06T11:05:00Z');
  let scene: PortalScene;
  let mail: ReturnType<typeof createMailScene>;
  beforeAll(async () => {
    scene = await openScene(clock, { smtpUrl: 'smtp://127.0.0.1', signUp: true });
    mail = createMailScene(scene.database, scene.fleet);
  });
  afterAll(() => scene?.close());

  test.each([
    [
      'phone, dark, German',
      { ...phone, locale: 'de', timezoneId: 'Europe/Vienna', colorScheme: 'dark' },
      'Noch kein Konto? Registrieren',
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en-GB', timezoneId: 'Europe/London', colorScheme: 'light' },
      'No account yet? Sign up',
    ],
  ] as const)(
    'leads from the sign-in page by the link of an e-mail to one’s plants: %s',
    async (name, options, link) => {
      const email = `ada-${options.locale}@example.com`;
      const { page, complaints } = await scene.visit(null, '/', options);
      const looks = async (what: string): Promise<void> => {
        expect(await seriousBarriers(page)).toEqual([]);
        expect(await fitsItsWidth(page)).toBe(true);
        await picture(page, `sign-up ${what} ${name}`);
      };
      await page.getByRole('link', { name: link }).click();
      await page.locator('input[type=email]').fill(email);
      await looks('ask');
      await page.locator('button[type=submit]').click();
      await page.getByRole('status').getByText(email).waitFor();
      await mail.work();
      const [letter] = await mail.letters();
      const { hash } = new URL(letter!.link!.url);
      await page.goto(`${scene.portal.url}/sign-up${hash}`);
      await page.reload();
      await page.locator('input[autocomplete=name]').fill('<i>Ada</i>');
      await page.locator('input[type=password]').fill('password12');
      await page.locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
      await looks('account');
      await page.locator('input[type=password]').fill('meadow lane in june');
      await page.locator('button[type=submit]').click();
      await page.waitForURL(`${scene.portal.url}/`);
      const language = options.locale.slice(0, 2);
      expect(await findAccountByEmail(scene.database().db, email)).toMatchObject({
        name: '<i>Ada</i>',
        timeZone: options.timezoneId,
        language,
      });
      expect(complaints).toEqual([]);
    },
  );
});
