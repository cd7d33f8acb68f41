import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import {
  createMailDelivery,
  type MailOutcome,
} from '../../packages/server/src/outbound/notifications/outlets/mail.ts';
import type { Letter } from '../../packages/server/src/identity/mail/letter.ts';
import {
  createOutbox,
  readOutbox,
  SEND_MAIL,
  type NewMail,
} from '../../packages/server/src/identity/mail/outbox.ts';
import { connectionTo, createSmtp } from '../../packages/server/src/identity/mail/smtp.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { describeEngines } from '../support/engines.ts';
import { startSmtpServer, type SmtpServer } from './smtp-server.ts';
import { createWorld, settableClock } from '../support/world.ts';

const letter: Letter = {
  language: 'de',
  subject: 'Grüße vom Dach – 屋顶',
  paragraphs: ['<b>Wind & Sonne</b>', '.a line that begins with a dot\nand\r\n.\r\nanother'],
  rows: [['heute', '12,5 kWh']],
  link: { text: 'Öffnen', url: 'https://portal.example.org/reset?a=1&b="2"' },
  footer: 'Sie bekommen dies, weil …',
};
const DAY_MS = 86_400_000;

describeEngines('e-mails', (database) => {
  const clock = settableClock('2026-06-01T00:00:00Z');
  const world = createWorld(database, clock);
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const outbox = createOutbox({ ids: world.newId, secretBox });
  let server: SmtpServer;
  let outcomes: MailOutcome[] = [];

  beforeAll(async () => void (server = await startSmtpServer()));
  afterAll(() => server.close());
  beforeEach(() => {
    outcomes = [];
    server.mails.length = 0;
    server.behaviour = {};
  });

  const instance = (url = server.url, from = 'Helioport <sun@example.org>') => {
    const smtp = createSmtp({ url, from });
    const silent = { warn: () => {}, error: () => {} };
    const delivery = createMailDelivery({
      db: database().db,
      clock,
      secretBox,
      smtp,
      logger: silent,
      random: () => 0.5,
      onOutcome: (outcome) => outcomes.push(outcome),
    });
    return createRunner({
      db: database().db,
      clock,
      logger: silent,
      lanes: { [SEND_MAIL]: { runsAtOnce: 4, limitSeconds: 60, ...delivery } },
    });
  };
  const post = (change: Partial<NewMail> = {}) =>
    world.write((trx) =>
      outbox.post(trx, clock.at, {
        accountId: null,
        address: 'ada@example.org',
        letter,
        expiresAt: clock.at + DAY_MS,
        ...change,
      }),
    );

  test('arrive as they were written, as text and as HTML in which nothing is interpreted', async () => {
    await post();
    expect(await instance().runDue()).toBe(1);
    const [mail] = server.mails;
    expect(mail).toMatchObject({
      from: 'sun@example.org',
      to: ['ada@example.org'],
      subject: letter.subject,
    });
    expect(mail!.id).toMatch(/^<\d{19}@example\.org>$/);
    for (const text of [...letter.paragraphs, 'heute: 12,5 kWh', letter.link!.url, letter.footer])
      expect(mail!.text).toContain(text.replaceAll('\r', ''));
    expect(mail!.html).toContain('&lt;b&gt;Wind &amp; Sonne&lt;/b&gt;');
    expect(mail!.html).toContain('href="https://portal.example.org/reset?a=1&amp;b=&quot;2&quot;"');
    expect(mail!.html).not.toMatch(/<b>|<script|<img|src=/);
    expect(await readOutbox(database().db)).toEqual({ waiting: 0, oldestAt: null, fault: null });
    expect(outcomes).toEqual(['sent']);
  });

  test('that nobody needs can be stopped: by a link at their end, and by mail programs', async () => {
    const stop = { text: 'Beenden', url: 'https://portal.example.org/portal/stop?token=abc&x=<' };
    await post({ letter: { ...letter, stop } });
    await instance().runDue();
    await post();
    await instance().runDue();
    const [stoppable, other] = server.mails;
    expect(stoppable!.header('List-Unsubscribe')).toBe(`<${stop.url}>`);
    expect(stoppable!.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect(stoppable!.text).toContain(`Beenden: ${stop.url}`);
    expect(stoppable!.html).toContain(
      'href="https://portal.example.org/portal/stop?token=abc&amp;x=&lt;"',
    );
    expect([other!.header('List-Unsubscribe'), other!.header('List-Unsubscribe-Post')]).toEqual([
      '',
      '',
    ]);
  });

  test('are not in the outbox if the transaction that queued them failed', async () => {
    const failing = world.write(async (trx) => {
      await outbox.post(trx, clock.at, {
        accountId: null,
        address: 'ada@example.org',
        letter,
        expiresAt: clock.at + DAY_MS,
      });
      throw new Error('changed its mind');
    });
    await expect(failing).rejects.toThrow('changed its mind');
    expect(await instance().runDue()).toBe(0);
    expect(server.mails).toEqual([]);
  });

  test('are stored so that nobody can read them in the database', async () => {
    await post();
    const row = await database().db.selectFrom('mail').selectAll().executeTakeFirstOrThrow();
    expect(Buffer.from(row.letter).includes('portal.example.org')).toBe(false);
    await instance().runDue();
  });

  test('wait while the server is away or says "later", and are then sent once', async () => {
    await post();
    const away = instance('smtp://127.0.0.1:1');
    expect(await away.runDue()).toBe(1);
    expect(await readOutbox(database().db)).toMatchObject({
      waiting: 1,
      fault: expect.stringContaining('ECONNREFUSED'),
    });
    clock.at += 1_000;
    server.behaviour = { end: '451 greylisted, come back' };
    await instance().runDue();
    expect(await readOutbox(database().db)).toMatchObject({
      waiting: 1,
      fault: expect.stringContaining('greylisted'),
    });
    server.behaviour = {};
    // Not before its time, however often somebody looks.
    clock.at += 4_999;
    expect(await instance().runDue()).toBe(0);
    clock.at += 1;
    await instance().runDue();
    clock.at += DAY_MS / 2;
    await instance().runDue();
    expect(server.mails).toHaveLength(1);
    expect(outcomes).toEqual(['sent']);
  });

  test('are given up when the server refuses the recipient for good, but not when it refuses our log-in', async () => {
    server.behaviour = { recipient: '550 no such user' };
    await post();
    await instance().runDue();
    expect(outcomes).toEqual(['refused']);
    expect(await readOutbox(database().db)).toMatchObject({ waiting: 0 });
    server.behaviour = { logIn: '535 wrong password' };
    await post();
    await instance(server.url.replace('//', '//user:p%40ss@')).runDue();
    expect(server.logIns).toContain('user:p@ss');
    expect(await readOutbox(database().db)).toMatchObject({
      waiting: 1,
      fault: expect.stringContaining('535'),
    });
    server.behaviour = {};
    clock.at += 1_000;
    await instance().runDue();
    expect(outcomes).toEqual(['refused', 'sent']);
  });

  test('that may have arrived or not are sent again under the same id, so that the receiver can tell', async () => {
    server.behaviour = { end: 'hang up' };
    await post();
    await instance().runDue();
    server.behaviour = {};
    clock.at += 1_000;
    await instance().runDue();
    expect(server.mails.map(({ id }) => id)).toEqual([server.mails[0]!.id, server.mails[0]!.id]);
  });

  test('are sent once by two instances that look at the same time', async () => {
    for (let i = 0; i < 8; i++) await post({ address: `reader-${i}@example.org` });
    await Promise.all([instance().runDue(), instance().runDue()]);
    expect(server.mails.flatMap(({ to }) => to).toSorted()).toEqual(
      Array.from({ length: 8 }, (_, i) => `reader-${i}@example.org`),
    );
  });

  test('go to one recipient, whatever an address was stored as, and to nobody if it is not one mailbox', async () => {
    const odd = [
      'victim@v.example,1',
      'a,victim@v.example',
      '<victim@v.example>',
      'victim@v.example(c)',
      'victim@v.example other@v.example',
      'x:victim@v.example;',
      '"victim"@v.example',
      'victim\uff20v.example',
    ];
    for (const address of odd) await post({ address });
    await post({ address: 'ann.o+pv@exämple.de' });
    await instance().runDue();
    expect(server.mails.map(({ to }) => to)).toEqual([['ann.o+pv@xn--exmple-cua.de']]);
    expect(outcomes.toSorted()).toEqual([...odd.map(() => 'refused'), 'sent']);
    expect(await readOutbox(database().db)).toMatchObject({ waiting: 0 });
  });

  test('name their sender as it was set, though the name has the marks of a list', async () => {
    await post();
    await instance(server.url, 'Sun, Wind; Co: <sun@example.org>').runDue();
    const [mail] = server.mails;
    expect(mail).toMatchObject({ from: 'sun@example.org', to: ['ada@example.org'] });
    expect(mail!.header('From')).toMatch(/^"?Sun, Wind; Co:"? <sun@example\.org>$/);
    expect(mail!.header('To')).toBe('ada@example.org');
    expect(mail!.header('Reply-To')).toBe('');
  });

  test('hold no link, no header and no turned text that somebody else has put into a name', async () => {
    const name = 'Log in: https://evil.example/a?b=1 www.evil.example evil.example 12.5 kWh';
    const names = [`${name} ada@example.org`, '\u202eelgoog\u202c'];
    await post({
      letter: {
        ...letter,
        subject: `${name}\r\nBcc: other@example.org\u202e`,
        paragraphs: names,
        rows: [[names[0]!, names[0]!]],
        footer: names[0]!,
      },
    });
    await instance().runDue();
    const [mail] = server.mails;
    expect(mail!.to).toEqual(['ada@example.org']);
    expect(mail!.header('Bcc')).toBe('');
    expect(mail!.subject).toContain(' Bcc: other@example.org');
    for (const text of [mail!.subject, mail!.text, mail!.html]) {
      const without = text
        .replaceAll(/https:\/\/portal\.example\.org\S*/g, '')
        .replaceAll(/href="[^"]*"/g, '');
      expect(without).not.toMatch(/evil\.e|https?:\/\/|www\.e|\u202e/);
      expect(without).toContain('12.5 kWh');
      expect(text.replaceAll('\u200b', '')).toContain('https://evil.example/a?b=1');
    }
    expect(mail!.text).toContain('ada@example.org');
    expect(mail!.text).toContain(letter.link!.url);
  });

  test('of a disabled account, and those that came too late, are not sent', async () => {
    const account = await world.person();
    await post({ accountId: account.id });
    await database()
      .db.updateTable('account')
      .set({ disabledAt: clock.at })
      .where('id', '=', account.id)
      .execute();
    await instance().runDue();
    await post({ expiresAt: clock.at + 1_000 });
    clock.at += 1_000;
    await instance().runDue();
    expect(outcomes).toEqual(['withheld', 'expired']);
    expect(server.mails).toEqual([]);
    expect(await readOutbox(database().db)).toMatchObject({ waiting: 0 });
  });
});

test('a password is sent over TLS alone, unless the server is on this machine', () => {
  expect(connectionTo('smtp://user:secret@mail.example.org')).toMatchObject({
    port: 587,
    secure: false,
    requireTLS: true,
  });
  expect(connectionTo('smtps://user:secret@mail.example.org')).toMatchObject({
    port: 465,
    secure: true,
  });
  expect(connectionTo('smtp://mail.example.org:25')).toMatchObject({ port: 25, requireTLS: false });
  expect(connectionTo('smtp://user:secret@[::1]:2525')).toMatchObject({
    host: '::1',
    requireTLS: false,
  });
});
