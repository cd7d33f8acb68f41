import {
  createDecipheriv,
  createECDH,
  createHmac,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations, type OperationId } from '@helioport/contract';
import { pino } from 'pino';
import { changeAlarms } from '../../packages/server/src/outbound/alarms/alarm-rows.ts';
import type { RuleLevel } from '../../packages/server/src/outbound/alarms/rule.ts';
import { createFigureCaches } from '../../packages/server/src/measurements/figures/sources.ts';
import { createEgress, type Egress } from '../../packages/server/src/platform/egress/egress.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import type { Letter } from '../../packages/server/src/identity/mail/letter.ts';
import { createOutbox } from '../../packages/server/src/identity/mail/outbox.ts';
import { createNotificationLanes } from '../../packages/server/src/outbound/notifications/lanes.ts';
import { inputOf } from '../../packages/server/src/interfaces/operations/input.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import { createRunner } from '../../packages/server/src/platform/work/runner.ts';
import { operationsOn } from '../support/operations.ts';
import { settableClock, userCaller } from '../support/world.ts';
import { createReportingWorld } from '../telemetry/installation.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** People with plants that want to be notified of them, and the work that does it, by a clock that stands until it is set. */
export function createNotificationScene(database: () => { db: Db }, at = '2026-06-16T10:00:00Z') {
  const clock = settableClock(at);
  const world = createReportingWorld(database, clock);
  const db = (): Db => database().db;
  const secretBox = createSecretBox(Buffer.alloc(32, 7));
  const outbox = createOutbox({ ids: world.newId, secretBox });
  const egress = createEgress({ allow: ['127.0.0.0/8'] });
  /** What was logged of what could not be done. */
  const logged: unknown[] = [];
  const logger = Object.assign(pino({ level: 'silent' }), {
    error: (about: unknown) => void logged.push(about),
    warn: (about: unknown) => void logged.push(about),
  });
  const portalUrl = 'https://portal.example.org';
  const faults: unknown[] = [];
  const noting = {
    error: (fault: unknown) => void faults.push(fault),
    warn: (fault: unknown) => void faults.push(fault),
  };

  const lanes = (from = db()) =>
    createNotificationLanes({
      db: from,
      clock,
      ids: world.newId,
      secretBox,
      egress,
      logger,
      outbox,
      portalUrl,
      random: () => 0.5,
      caches: createFigureCaches(),
      telemetry: world.parts().telemetry,
    });
  const runner = (from = db()) =>
    createRunner({ db: from, clock, logger: noting, lanes: lanes(from) });

  /** Does what is due now. */
  const work = async (): Promise<void> => {
    for (const key of ['alarms', 'weeks', 'changes']) await arm(key);
    const one = runner();
    while ((await one.runDue()) > 0);
    if (faults.length > 0) throw faults[0];
  };
  /** Has a round made now. */
  const arm = (key: string) =>
    db()
      .insertInto('task')
      .values({ kind: 'newsRound', key, dueAt: clock.at, setAt: clock.at })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'key']).doUpdateSet({ dueAt: clock.at, setAt: clock.at }),
      )
      .execute();

  /** Lets time pass in steps of a minute, with the work done at each. */
  const pass = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute++) {
      clock.at += MINUTE;
      await work();
    }
  };

  /** The letters that were handed to the outbox since the last call, oldest first. */
  const letters = async (): Promise<(Letter & { address: string })[]> => {
    const rows = await db().deleteFrom('mail').returningAll().execute();
    return rows
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ id, letter, address }) => ({
        ...(JSON.parse(secretBox.open(letter, id)) as Letter),
        address,
      }));
  };

  /** Forgets what people of other tests wait for. */
  const clear = async (): Promise<void> => {
    for (const table of ['newsItem', 'newsMessage', 'newsSetting', 'mail', 'task'] as const)
      await db().deleteFrom(table).execute();
    faults.length = 0;
  };

  /** A worker that is killed after some statements; resolves to whether it was. What it held is free again after a while. */
  const dies = async (statements: number): Promise<boolean> => {
    const died = await runner(dyingAfter(db(), statements))
      .runDue()
      .then(
        () => faults.length > 0,
        () => true,
      );
    faults.length = 0;
    return died;
  };

  const raise = (deviceId: string, code = 'H101', level: RuleLevel = 2, beginAt = clock.at) =>
    world.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, deviceId, [
        { raise: { code, level, message: `message of ${code}`, beginAt } },
      ]),
    );
  const end = (deviceId: string, code = 'H101') =>
    world.write((trx) =>
      changeAlarms(trx, { now: clock.at, newId: world.newId }, deviceId, [
        { clear: { code, endAt: clock.at } },
      ]),
    );

  /** Asks as somebody who is signed in, as the wire asks. */
  const askWith =
    (way: Egress) =>
    async (
      accountId: string,
      id: OperationId,
      request: Record<string, unknown> = {},
    ): Promise<any> => {
      const handlers = operationsOn(db(), clock, world.newId, {
        outbound: { egress: way, logger },
        notifications: { outbox, portalUrl },
      });
      return handlers[id](userCaller(accountId), inputOf(operations[id], request) as never);
    };
  const ask = askWith(egress);

  /** Somebody with a plant and an inverter, who wants news by e-mail. */
  const reader = async (
    settings: Record<string, unknown> = {},
    { timeZone = 'UTC', name = undefined as string | undefined } = {},
  ) => {
    const person = await world.person({ timeZone });
    const plantId = await world.plant(person.id, { timeZone, ...(name !== undefined && { name }) });
    const device = await world.device(plantId);
    await ask(person.id, 'notifications/set', { alarmsByMail: 1, ...settings });
    return { person, plantId, device };
  };

  return {
    ...world,
    db,
    clock,
    secretBox,
    outbox,
    egress,
    portalUrl,
    lanes,
    runner,
    work,
    pass,
    letters,
    raise,
    end,
    ask,
    askWith,
    reader,
    arm,
    clear,
    dies,
    faults,
    logged,
  };
}

/** A database whose connection is lost after some statements, and with it everything that is under way. */
function dyingAfter(db: Db, statements: number): Db {
  let left = statements;
  return db.withPlugin({
    transformQuery: ({ node }) => {
      if (--left < 0) throw new Error('killed');
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}

/** A request that an endpoint got. */
export interface Posted {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Somebody else's endpoint: keeps what is posted to it. */
export async function startEndpoint() {
  const posted: Posted[] = [];
  const state = { status: 201, posted };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    posted.push({ headers: request.headers, body: Buffer.concat(chunks) });
    response.writeHead(state.status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

/** A browser's side of a subscription. */
export function createBrowser() {
  const keys = createECDH('prime256v1');
  const publicKey = keys.generateKeys();
  const auth = randomBytes(16);
  return {
    keys,
    publicKey,
    auth,
    p256dh: publicKey.toString('base64url'),
    authText: auth.toString('base64url'),
  };
}

/** Decrypts a message as a browser does: aes128gcm (RFC 8188) with the keys of RFC 8291 3.4, written from these alone. */
export function decryptPush(
  { keys, publicKey, auth }: { keys: ECDH; publicKey: Buffer; auth: Buffer },
  body: Buffer,
): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const sender = body.subarray(21, 21 + keyLength);
  const record = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32));
  const extracted = createHmac('sha256', salt).update(secret).digest();
  const expand = (label: string, length: number): Buffer =>
    createHmac('sha256', extracted)
      .update(`Content-Encoding: ${label}\0`)
      .update(Buffer.of(1))
      .digest()
      .subarray(0, length);
  const cipher = createDecipheriv(
    'aes-128-gcm',
    expand('aes128gcm', 16),
    expand('nonce', 12),
  ).setAuthTag(record.subarray(-16));
  const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()]);
  // The last record ends with 2 and padding of zeros. RFC 8188 2
  return plain.subarray(0, plain.lastIndexOf(2)).toString('utf8');
}

/** The claims of a VAPID token, if its signature is that of the key. RFC 8292 */
export function readVapid(authorization: string, pushKey: string): Record<string, unknown> {
  const [, token = '', key = ''] = /^vapid t=([^,]+), k=(.+)$/.exec(authorization) ?? [];
  if (key !== pushKey) throw new Error('signed with another key');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  if (
    !verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key: publicKey, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
  )
    throw new Error('the signature is wrong');
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Record<string, unknown>;
}
