// From an alarm that a collector reports to a browser, to a destination and to the outbox of e-mails, through a server process of the checkout in which this file
// lies. Writes the times as JSON.
import { get, createServer, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { insertAccount } from '../../packages/server/src/identity/accounts/accounts.ts';
import { insertSession } from '../../packages/server/src/identity/accounts/sessions.ts';
import {
  decideApplication,
  insertApplication,
} from '../../packages/server/src/identity/oauth/applications.ts';
import { issueCode } from '../../packages/server/src/identity/oauth/families.ts';
import { recordConsent } from '../../packages/server/src/identity/oauth/grants.ts';
import { insertDestination } from '../../packages/server/src/outbound/forwarding/destinations/destinations.ts';
import { settingPartsOf } from '../../packages/server/src/outbound/forwarding/destinations/settings.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { migrate } from '../../packages/server/src/platform/storage/migrate.ts';
import { openStorage } from '../../packages/server/src/platform/storage/open.ts';
import { startPostgres } from '../../test/support/postgres.ts';
import { serve } from '../../test/support/server-process.ts';
import { addFleet } from '../collectors/fleet.ts';

const [engine, count, paceMs] = [process.argv[2], Number(process.argv[3]), Number(process.argv[4])];
const MASTER_KEY = Buffer.alloc(32, 7);
const YEAR_MS = 365 * 86_400_000;
/** An alarm is held for two minutes before an e-mail is written. */
const MAIL_LIMIT_MS = 180_000;
const LOOK_MS = 20;

const folder = mkdtempSync(join(tmpdir(), 'helioport-bench-'));
const cluster = engine === 'postgres' ? await startPostgres({ durable: true }) : undefined;
const file = join(folder, 'data', 'helioport.db');
const [sentAt, browser, destination, outbox] = Array.from(
  { length: 4 },
  () => new Map<string, number>(),
) as [Map<string, number>, Map<string, number>, Map<string, number>, Map<string, number>];

const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request.setEncoding('utf8')) body += chunk as string;
  for (const [, plantId] of body.matchAll(/"plantId":"(\d+)"/g))
    if (!destination.has(plantId!)) destination.set(plantId!, performance.now());
  response.writeHead(200).end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');

const storage = openStorage(cluster?.url ?? file);
const { db } = storage;
await migrate(db, storage.engine, 0);
const { collectors, session } = await install();
const server = serve(folder, {
  HELIOPORT_ROLES: 'gateway,worker,portal',
  HELIOPORT_RATE_LIMIT: 'off',
  HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  HELIOPORT_MASTER_KEY: MASTER_KEY.toString('base64'),
  HELIOPORT_EGRESS_ALLOW: '127.0.0.0/8',
  // Nobody listens there: e-mails stay in the outbox.
  HELIOPORT_SMTP_URL: 'smtp://127.0.0.1:9',
  HELIOPORT_MAIL_FROM: 'bench@example.com',
  ...(cluster && { HELIOPORT_DATABASE_URL: cluster.url }),
});
try {
  const addresses = await server.started;
  const stream = await listen(addresses['portal']!);
  await pause(5_000);
  for (const [i, { plantId, token, sn }] of collectors.entries()) {
    sentAt.set(plantId, performance.now());
    const alarm = { sn, code: 'BENCH', at: Date.now(), level: 2, message: `alarm ${i}` };
    const answer = await fetch(`${addresses['gateway']}/v1/readings`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ readings: [], alarms: [alarm] }),
    });
    if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
    await outboxUntil(performance.now() + paceMs);
  }
  await outboxUntil(performance.now() + MAIL_LIMIT_MS);
  stream.destroy();
} finally {
  server.kill('SIGTERM');
  await server.ended;
  receiver.close();
  receiver.closeAllConnections();
  await storage.close();
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
}
const since = (at: Map<string, number>): number[] =>
  Array.from(at, ([plantId, ms]) => ms - (sentAt.get(plantId) ?? Number.NaN));
const times = { browser: since(browser), destination: since(destination), outbox: since(outbox) };
for (const [name, list] of Object.entries(times))
  if (list.length !== count) throw new Error(`${name}: ${list.length} of ${count}`);
console.log(JSON.stringify(times));

/** Plants of one owner, each shared with a reader of its own who wants e-mails; a browser of the owner; and an application that forwards alarms. */
async function install() {
  const fleet = await addFleet(db, count);
  const act = {
    at: systemClock.now(),
    actor: 'operator' as const,
    address: null,
    newId: createIdSource(systemClock),
  };
  const devices = await db.selectFrom('device').select(['sn', 'plantId']).execute();
  const plantOf = new Map(devices.map(({ sn, plantId }) => [sn, plantId!]));
  const owner = await db.selectFrom('account').select('id').executeTakeFirstOrThrow();
  return db.transaction().execute(async (trx) => {
    const its = fleet.map(({ token, sns }) => ({
      token,
      sn: sns[0]!,
      plantId: plantOf.get(sns[0]!)!,
    }));
    for (const { plantId } of its) {
      const person = await insertAccount(trx, act, {
        email: `${plantId}@example.com`,
        role: 'owner',
        timeZone: 'UTC',
        passwordHash: '',
        legacyHash: null,
      });
      await trx
        .insertInto('plantAccess')
        .values({ accountId: person.id, plantId, level: 'read', createdAt: act.at })
        .execute();
      await trx
        .insertInto('newsSetting')
        .values({
          accountId: person.id,
          alarmsByMail: 1,
          weeklyByMail: 0,
          minLevel: 1,
          urgentPasses: 0,
          webhooksQuiet: 0,
        } as never)
        .execute();
    }
    const { application } = await insertApplication(trx, act, {
      redirectUri: 'https://bench.example/callback',
      scopes: ['access_data'],
      name: 'Bench',
    });
    await decideApplication(trx, act, application.id, 'approved');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    await insertDestination(trx, act, createSecretBox(MASTER_KEY), application, {
      ...settingPartsOf({ url }),
      url,
      kinds: ['alarm.raised'],
    });
    const consent = { accountId: owner.id, applicationId: application.id };
    const asked = { ...consent, asked: 1, approved: 1, plantIds: null };
    const grantId = await recordConsent(trx, act, asked);
    const code = { grantId, scopes: 1, redirectUri: '', challenge: '' };
    await issueCode(trx, act.at, { codeMs: YEAR_MS }, { ...consent, ...code });
    const made = await insertSession(trx, act, {
      accountId: owner.id,
      entrance: 'portal',
      freshFor: null,
      userAgent: null,
    });
    return { collectors: its, session: made };
  });
}

async function listen(portalUrl: string): Promise<IncomingMessage> {
  const sent = get(`${portalUrl}/portal/live`, {
    headers: { Cookie: `helioport_portal_session=${session}` },
  });
  const [stream] = (await once(sent, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`/portal/live: ${stream.statusCode}`);
  stream.on('error', () => {});
  return stream.setEncoding('utf8').on('data', (chunk: string) => {
    for (const [, plantId, changed] of chunk.matchAll(/"plantId":"(\d+)","changed":\[([^\]]*)/g))
      if (changed!.includes('alarms') && !browser.has(plantId!))
        browser.set(plantId!, performance.now());
  });
}

/** Looks at the outbox until a time, or until everything has arrived. */
async function outboxUntil(endsAt: number): Promise<void> {
  while (performance.now() < endsAt && outbox.size < count) {
    const mails = await db.selectFrom('mail').select('address').execute();
    for (const { address } of mails) {
      const [plantId] = address.split('@');
      if (!outbox.has(plantId!)) outbox.set(plantId!, performance.now());
    }
    await pause(LOOK_MS);
  }
}
