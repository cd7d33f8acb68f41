import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createOutbox } from '../../packages/server/src/identity/mail/outbox.ts';
import { createInstallation } from '../support/command.ts';
import { createSqliteDatabase } from '../support/engines.ts';
import { startApp } from '../support/running-app.ts';
import { startSmtpServer, type SmtpServer } from './smtp-server.ts';

let server: SmtpServer;
beforeAll(async () => void (server = await startSmtpServer()));
afterAll(() => server.close());

const HELIOPORT_MAIL_FROM = 'Helioport <sun@example.org>';

test('a running worker sends what was queued, and the metrics say so', async () => {
  const database = await createSqliteDatabase();
  const app = await startApp(database, {
    HELIOPORT_ROLES: 'worker',
    HELIOPORT_SMTP_URL: server.url,
    HELIOPORT_MAIL_FROM,
  });
  try {
    const outbox = createOutbox({ ids: createIdSource(systemClock), secretBox: app.secretBox });
    const letter = { language: 'en', subject: 'Hello', paragraphs: ['Hello.'], footer: 'Bye.' };
    await database.db.transaction().execute((trx) =>
      outbox.post(trx, Date.now(), {
        accountId: null,
        address: 'ada@example.org',
        letter,
        expiresAt: Date.now() + 60_000,
      }),
    );
    expect(await server.mailTo('ada@example.org')).toMatchObject({ subject: 'Hello' });
    const metrics = async () => (await fetch(`${app.addresses.ops}/metrics`)).text();
    await expect.poll(metrics).toContain('helioport_mails_total{outcome="sent"} 1');
    expect(await metrics()).toContain('helioport_mails_waiting 0');
  } finally {
    await app.stop();
    await database.drop();
  }
});

test('doctor says whether the SMTP server can be used', async () => {
  const home = createInstallation();
  const doctor = async (environment: Record<string, string>) => {
    Object.assign(home.environment, environment);
    return (await home.helioport('doctor', '--json'))
      .json()
      .find(({ check }: { check: string }) => check === 'e-mail');
  };
  try {
    expect(await doctor({})).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('no e-mails are sent'),
    });
    await home.ok('user', 'add', '--email', 'ada@example.org');
    expect(await doctor({ HELIOPORT_SMTP_URL: server.url, HELIOPORT_MAIL_FROM })).toMatchObject({
      state: 'ok',
      text: expect.stringContaining('sun@example.org'),
    });
    server.behaviour = { logIn: '535 wrong password' };
    const withPassword = await doctor({
      HELIOPORT_SMTP_URL: server.url.replace('//', '//user:hunter2@'),
    });
    expect(withPassword).toMatchObject({ state: 'fault', text: expect.stringContaining('535') });
    expect(JSON.stringify(withPassword)).not.toContain('hunter2');
    expect(await doctor({ HELIOPORT_SMTP_URL: 'smtp://127.0.0.1:1' })).toMatchObject({
      state: 'fault',
      text: expect.stringContaining('ECONNREFUSED'),
    });
  } finally {
    home.remove();
  }
});
