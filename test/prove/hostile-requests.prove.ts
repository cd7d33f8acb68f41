import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { insertKeyPair } from '../../packages/server/src/identity/accounts/key-pairs.ts';
import { insertCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import { bindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { describeEngines, type TestDatabase } from '../support/engines.ts';
import { effort } from '../support/effort.ts';
import { serve } from '../support/server-process.ts';
import { createWorld } from '../support/world.ts';
import { createChance } from './hostile/chance.ts';
import { createConversation, type Answered } from './hostile/conversation.ts';
import { report, type Reporter } from './hostile/report.ts';
import { signedRequest, type SigningKeys } from './hostile/signed.ts';

const REQUESTS = Number(process.env['HELIOPORT_PROVE_REQUESTS'] ?? effort(3000, 100_000));
const SEED = Number(process.env['HELIOPORT_PROVE_SEED'] ?? Date.now() % 1_000_000);
/** Where a tenth is enough for caches and pools to fill, so that memory can be judged. */
const isLong = REQUESTS >= 100_000;
const CONVERSATIONS = 12;
/** Memory that has not fallen for so long is taken for all that is held. */
const REST_SECONDS = 30;
const masterKey = Buffer.alloc(32, 7);

describeEngines(`${REQUESTS} hostile requests (seed ${SEED})`, (database) => {
  test('at the signed interface and the gateway meet no fault of ours, and leave memory as it was', async () => {
    const scene = await makeScene(database());
    const folder = mkdtempSync(join(tmpdir(), 'helioport-hostile-'));
    const server = serve(folder, {
      [database().engine === 'sqlite' ? 'HELIOPORT_DATA_DIR' : 'HELIOPORT_DATABASE_URL']:
        addressFor(database()),
      HELIOPORT_MASTER_KEY: masterKey.toString('base64'),
      HELIOPORT_ROLES: 'user-api,gateway',
      HELIOPORT_RATE_LIMIT: '1000000/s',
      HELIOPORT_AUTH_FAILURE_LIMIT: '1000000/min',
      // Reached now and then, by twelve at once.
      HELIOPORT_COLLECTOR_RATE_LIMIT: '1000/s',
    });
    try {
      const addresses = await server.started;
      const [userApi, gateway] = [portOf(addresses['user-api']!), portOf(addresses['gateway']!)];
      const memory = async (): Promise<number> =>
        Number(
          /^process_resident_memory_bytes (\d+)/m.exec(
            await (await fetch(`${addresses['ops']}/metrics`)).text(),
          )![1],
        );

      const statuses = new Map<number, number>();
      const faults: string[] = [];
      let sent = 0;
      const take = (kind: string, wire: Buffer, answers: readonly Answered[]): void => {
        for (const { status, body } of answers) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          if (status >= 500 || !isEnvelope(kind, status, body))
            faults.push(
              `${kind} ${status} ${body}\n  to ${JSON.stringify(wire.toString('latin1').slice(0, 2000))}`,
            );
        }
      };
      const converse = async (number: number, until: number): Promise<void> => {
        const chance = createChance(SEED * 1000 + number);
        const [toUserApi, toGateway] = [createConversation(userApi), createConversation(gateway)];
        while (sent < until && faults.length === 0) {
          sent += 1;
          const kind = chance.oneIn(3) ? 'report' : 'signed';
          const wire =
            kind === 'signed'
              ? signedRequest(chance, scene, Date.now())
              : report(chance, scene, Date.now());
          take(kind, wire.bytes, await (kind === 'signed' ? toUserApi : toGateway).say(wire));
        }
        toUserApi.end();
        toGateway.end();
      };
      const converseUntil = (until: number): Promise<unknown> =>
        Promise.all(Array.from({ length: CONVERSATIONS }, (_, i) => converse(until + i, until)));
      await converseUntil(REQUESTS / 10);
      const afterTenth = await atRest(memory);
      await converseUntil(REQUESTS);

      if (faults.length > 0)
        faults.push(
          ...server
            .output()
            .split('\n')
            .filter((line) => line.includes('"request failed"'))
            .slice(0, 3),
        );
      expect(faults).toEqual([]);
      expect((await fetch(`${addresses['user-api']}/readyz`)).status).toBe(200);
      expect((await fetch(`${addresses['gateway']}/readyz`)).status).toBe(200);
      // The generator reaches every kind of answer.
      expect([...statuses.keys()]).toEqual(
        expect.arrayContaining([200, 400, 401, 403, 404, 405, 415]),
      );
      const end = await atRest(memory);
      console.log(
        `${database().engine}: ${JSON.stringify(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)))}, RSS ${mib(afterTenth)} MiB after a tenth, ${mib(end)} MiB at the end`,
      );
      if (isLong) expect(end).toBeLessThanOrEqual(1.2 * afterTenth);
    } finally {
      server.kill('SIGTERM');
      expect((await server.ended).code).toBe(0);
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

// Under load a heap holds what has not been collected yet; at rest the engine collects it after some seconds.
async function atRest(memory: () => Promise<number>): Promise<number> {
  let lowest = await memory();
  if (!isLong) return lowest;
  for (let unchanged = 0; unchanged < REST_SECONDS; unchanged++) {
    await setTimeout(1000);
    const now = await memory();
    if (now < lowest * 0.99) [lowest, unchanged] = [now, 0];
  }
  return lowest;
}

const mib = (bytes: number): number => Math.round(bytes / 2 ** 20);
const portOf = (address: string): number => Number(new URL(address).port);

/** The data folder of an embedded database, the address of the other kind. */
const addressFor = ({ engine, address }: TestDatabase): string =>
  engine === 'sqlite' ? join(address, '..') : address;

/** Every answer with a body is the envelope, but for the gateway's own and the texts of health. */
function isEnvelope(kind: string, status: number, body: string): boolean {
  if (body === '' || /^(ok|ready)\n$/.test(body)) return true;
  try {
    const { success, code, msg, data, accepted } = JSON.parse(body) as Record<string, unknown>;
    if (kind === 'report' && status === 200 && typeof accepted === 'number') return true;
    return (
      typeof success === 'boolean' &&
      typeof code === 'string' &&
      typeof msg === 'string' &&
      data !== undefined
    );
  } catch {
    return false;
  }
}

/** Two owners with plants, inverters and keys, and collectors that report for them. */
async function makeScene({ db }: TestDatabase): Promise<SigningKeys & Reporter> {
  const world = createWorld(() => ({ db }), { at: Date.now(), now: () => Date.now() });
  const box = createSecretBox(masterKey);
  const scene = {
    keys: [] as { keyId: string; keySecret: string }[],
    names: [] as string[],
    tokens: [] as string[],
    serials: ['unbound', ''],
  };
  for (let i = 0; i < 2; i++) {
    const { id: accountId } = await world.person();
    scene.keys.push(
      await world.write((trx) =>
        insertKeyPair(trx, world.act(), box, accountId, {
          label: '',
          canControl: true,
          plantIds: null,
          cidrs: null,
          expiresAt: null,
        }),
      ),
    );
    for (const timeZone of ['Europe/Berlin', 'America/Denver', 'Australia/Lord_Howe']) {
      const plantId = await world.plant(accountId, { timeZone });
      const collector = await world.write(async (trx) => {
        const made = await insertCollector(trx, world.act(), { sn: world.uniqueSn('COL') });
        await bindDevice(trx, world.act(), made.id, plantId);
        return made;
      });
      const { id, sn } = await world.device(plantId);
      await world.write((trx) => assignCollector(trx, id, collector.id));
      scene.names.push(plantId, id, sn);
      scene.tokens.push(collector.token);
      scene.serials.push(sn);
    }
  }
  return scene;
}
