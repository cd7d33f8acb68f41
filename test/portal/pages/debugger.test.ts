import { createHash, createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { broken, faults, fine, KEY_SECRET, NOW } from '../../sdk/diagnosis/broken-requests.ts';
import { findChromium, fitsItsWidth, picture, seriousBarriers } from '../../support/browser.ts';
import { effort } from '../../support/effort.ts';
import { settableClock } from '../../support/world.ts';
import { desk, openScene, phone, type PortalScene, type Visit } from './fixture.ts';

if (!findChromium()) console.log('skipped: browser tests (Chromium not installed)');

const COUNT = effort(12, 40);

type Broken = ReturnType<typeof broken>;

const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** A request as somebody pastes it. */
function curlOf({ request: { method, target, rawHeaders, body } }: Broken): string {
  const headers = Array.from(
    { length: rawHeaders.length / 2 },
    (_, i) => [rawHeaders[2 * i]!, rawHeaders[2 * i + 1]!] as const,
  )
    // What curl needs for an empty header.
    .map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  return `curl -X ${method} ${quoted(`https://solar.example${target}`)} ${headers.join(' ')} --data-binary ${quoted(new TextDecoder('utf-8', { ignoreBOM: true }).decode(body))}`;
}

/** What would give a secret away: itself and what can be made of it. */
const tracesOf = (secret: string): string[] => {
  const digests = ['md5', 'sha1', 'sha256'].flatMap((name) =>
    (['hex', 'base64', 'base64url'] as const).map((form) =>
      createHash(name).update(secret).digest(form),
    ),
  );
  return [
    secret,
    encodeURIComponent(secret),
    Buffer.from(secret).toString('base64').replaceAll('=', ''),
    Buffer.from(secret).toString('hex'),
    ...digests,
  ];
};

describe.skipIf(!findChromium())('the debugger of signatures in Chromium', () => {
  const clock = settableClock(new Date(NOW).toISOString());
  let scene: PortalScene;
  beforeAll(async () => {
    scene = await openScene(clock);
  });
  afterAll(() => scene?.close());

  const textBoxes = { paste: 'textarea', secret: 'input[type=password]' };

  async function check(page: Page, found: Broken): Promise<string[]> {
    await page.locator(textBoxes.paste).first().fill(curlOf(found));
    await page.locator(textBoxes.secret).fill(found.keySecret);
    await page.locator('button[type=submit]').click();
    const result = page.locator('section[tabindex]');
    await result.waitFor();
    return result
      .locator('[data-cause]')
      .evaluateAll((items) =>
        items.map((item) => (item as unknown as { dataset: { cause: string } }).dataset.cause),
      );
  }

  async function opened(): Promise<Visit> {
    const visit = await scene.visit(null, '/debugger', { ...desk, locale: 'en' });
    await visit.page.getByText('What else is known').click();
    await visit.page.getByLabel('When it arrived').fill(new Date(NOW).toISOString());
    await visit.page.getByLabel('KeyID of this KeySecret').fill(broken({}).keyId!);
    return visit;
  }

  test.each([
    [
      'phone, dark, German',
      { ...phone, locale: 'de', colorScheme: 'dark' },
      'Bewiesen: Das ergibt genau Ihre Signatur.',
    ],
    [
      'phone, light, Chinese',
      { ...phone, locale: 'zh-CN', colorScheme: 'light' },
      '已证明：这恰好得出您的签名。',
    ],
    [
      'desk, light, English',
      { ...desk, locale: 'en-GB', colorScheme: 'light' },
      'Proved: this gives exactly your signature.',
    ],
    [
      'desk, dark, Spanish',
      { ...desk, locale: 'es', colorScheme: 'dark' },
      'Probado: esto da exactamente su firma.',
    ],
  ] as const)(
    'can be read and used by somebody who is not signed in: %s',
    async (name, options, proof) => {
      const { page, complaints } = await scene.visit(null, '/debugger', options);
      await page.locator(textBoxes.paste).first().waitFor();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `debugger empty ${name}`);
      expect(await check(page, broken({ text: (lines) => lines.join('\r\n') }))).toEqual(['crlf']);
      await page.getByText(proof).waitFor();
      expect(await page.locator('mark').allTextContents()).toEqual(['CR', 'CR', 'CR', 'CR']);
      for (const summary of await page.locator('summary').all())
        if (
          await summary
            .locator('xpath=..')
            .evaluate((details) => !(details as unknown as { open: boolean }).open)
        )
          await summary.click();
      expect(await seriousBarriers(page)).toEqual([]);
      expect(await fitsItsWidth(page)).toBe(true);
      await picture(page, `debugger ${name}`);
      expect(complaints).toEqual([]);
    },
  );

  // The rest is in the table of the diagnosis itself, together with what else people may know.
  const plain = faults
    .filter(
      ([name, , slip]) =>
        slip.known === undefined && !/^(?:authorization|header|algorithm|method)/.test(name),
    )
    .slice(0, COUNT);
  const parts = Array.from(
    { length: 4 },
    (_, i) => [`${i + 1} of 4`, plain.filter((__, j) => j % 4 === i)] as const,
  );

  test.each(parts)('finds the faults of broken requests, part %s', async (_, part) => {
    expect(plain.length).toBe(COUNT);
    const { page, complaints } = await opened();
    for (const [name, cause, slip] of part)
      expect([name, (await check(page, broken(slip)))[0]]).toEqual([name, cause]);
    expect(complaints).toEqual([]);
  });

  test('finds nothing wrong with requests that are fine', async () => {
    const { page, complaints } = await opened();
    for (const [name, slip] of fine) {
      expect([name, await check(page, broken(slip))]).toEqual([name, []]);
      await page.getByText('The service accepts this signature.').waitFor();
    }
    expect(complaints).toEqual([]);
  });

  test('does not call a request fine whose signature it cannot check, and leads back to the other pages for developers', async () => {
    const owner = await scene.owner('developer@example.com');
    const { page, complaints } = await scene.visit(owner, '/debugger', { ...desk, locale: 'en' });
    await page.getByText('What else is known').click();
    await page.getByLabel('When it arrived').fill(new Date(NOW).toISOString());
    expect(await check(page, { ...broken({}), keySecret: '' })).toEqual([]);
    await page
      .getByRole('status')
      .getByText('The form of the request is right; nothing more can be said.')
      .waitFor();
    await picture(page, 'debugger open desk');
    expect(await seriousBarriers(page)).toEqual([]);
    await page
      .getByRole('navigation', { name: 'For developers' })
      .getByRole('link', { name: 'Applications' })
      .click();
    await page.getByRole('heading', { level: 1, name: 'Applications' }).waitFor();
    expect(complaints).toEqual([]);
  });

  test('says that one has signed out, and how to sign in', async () => {
    const owner = await scene.owner('leaver@example.com');
    const { page, complaints } = await scene.visit(owner, '/debugger', { ...desk, locale: 'en' });
    expect(await page.getByText('You are not signed in.').count()).toBe(0);
    await page.getByRole('button', { name: 'Account and settings' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByText('You are not signed in.').waitFor();
    await picture(page, 'debugger out');
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('E-mail').waitFor();
    expect(complaints).toEqual([]);
  });

  test('nothing of what is typed leaves the browser or stays in it', async () => {
    const { page } = await scene.visit(null, '/debugger', { ...desk, locale: 'en' });
    const sent: string[] = [];
    page
      .context()
      .on('request', (request) =>
        sent.push(
          `${request.method()} ${request.url()} ${JSON.stringify(request.headers())} ${request.postData() ?? ''}`,
        ),
      );
    page.on('websocket', (socket) => sent.push(`WEBSOCKET ${socket.url()}`));
    const facts = broken({ text: (lines) => lines.join('\r\n') });
    expect(await check(page, facts)).toEqual(['crlf']);
    await page.waitForLoadState('networkidle');

    const response = await page.request.get(`${scene.portal.url}/debugger`);
    expect(response.headers()['content-security-policy']).toMatch(
      /default-src 'none';.*connect-src 'self';.*form-action 'self'/,
    );
    const kept = await page.evaluate<string>(`(async () => {
      const caches_ = await Promise.all((await caches.keys()).map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
      const stores = (await indexedDB.databases?.()) ?? [];
      return JSON.stringify([location.href, history.state, history.length, { ...localStorage }, { ...sessionStorage }, document.cookie, document.title, caches_, stores, performance.getEntries().map(({ name }) => name)]);
    })()`);
    const { signedText, request } = facts;
    const sign = createHmac('sha1', KEY_SECRET).update(signedText).digest('base64');
    const traces = [
      ...tracesOf(KEY_SECRET),
      sign,
      encodeURIComponent(sign),
      request.rawHeaders.at(-1)!,
      facts.keyId!,
    ];
    for (const trace of traces)
      for (const text of [...sent, kept]) expect(text).not.toContain(trace);
    // All that is sent is what any page asks for, and none of it says anything.
    const usual =
      /^GET http:\/\/127\.0\.0\.1:\d+\/(?:|debugger|service-worker\.js|manifest\.webmanifest|portal\/session|icons\/[\w.-]+|assets\/[\w.-]+) \{.*\} $/;
    expect(sent.filter((line) => !usual.test(line))).toEqual([]);
    await page.reload();
    expect(await page.locator(textBoxes.secret).inputValue()).toBe('');
    expect(await page.locator(textBoxes.paste).first().inputValue()).toBe('');
  });

  test('an example shows what it does, and what cannot be read is said', async () => {
    const { page } = await scene.visit(null, '/debugger', { ...phone, locale: 'en' });
    await page.getByRole('button', { name: 'Try an example' }).click();
    await page.getByRole('button', { name: 'Find the mistake' }).click();
    await page.getByText('Join them with a single line feed (LF)').waitFor();
    await page
      .getByText('The first difference is at byte 5: the service has LF (0a), you have CR (0d).')
      .waitFor();
    await page.getByRole('button', { name: 'Clear everything' }).click();
    await page.locator('textarea').first().fill("curl 'https://solar.example");
    await page.getByText('A quotation mark of the command is not closed.').waitFor();
  });
});
