import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openBus } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock as siteClock, timerPause } from '../../packages/collector/src/clock.ts';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { findLink } from '../../packages/server/src/fleet/devices/description.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import {
  createOperatorDoor,
  type OperatorDoor,
} from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { operationSources } from '../support/operations.ts';
import { createWorld, userCaller } from '../support/world.ts';
import { modbusPython, startModbusServer } from '../bus/modbus-server.ts';
import { createPlace } from './collecting.ts';
import { solisImage } from './solis-image.ts';

const python = await modbusPython();
let database: TestDatabase;
let app: RunningApp;
let operator: OperatorDoor;
const world = createWorld(() => database, { at: systemClock.now(), now: () => systemClock.now() });
const ended: (() => unknown)[] = [];

beforeAll(async () => {
  database = await createSqliteDatabase();
  app = await startApp(database, { HELIOPORT_ROLES: 'user-api,oauth,portal,gateway,worker' });
  operator = createOperatorDoor(
    operationSources(database.db, systemClock, createIdSource(systemClock), {
      credentials: {
        secretBox: async () => app.secretBox,
        legacyLogin: false,
        defaultTimeZone: 'UTC',
      },
    }),
  );
});
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

/** Whether the usual port may be opened here, on an address of loopback of its own. */
async function hasUsualPort(host: string): Promise<boolean> {
  const server = createServer().listen(502, host);
  const isOpen = await Promise.race([
    once(server, 'listening').then(() => true),
    once(server, 'error').then(() => false),
  ]).catch(() => false);
  server.close();
  return isOpen;
}

const HOST = '127.0.0.77';

test.runIf(python && (await hasUsualPort(HOST)))(
  'a newcomer finds the inverter, runs the collector, binds what waits and has its first value within two minutes',
  async () => {
    const startedAt = systemClock.now();
    const sn = '1031051234567890';
    const server = await startModbusServer(
      python!,
      'tcp',
      { 1: solisImage(sn) },
      { host: HOST, port: 502 },
    );
    ended.push(() => server.stop());
    const place = createPlace();
    ended.push(() => place.remove());
    const { id: ownerId } = await world.person();
    const plantId = await world.plant(ownerId);
    const { token } = await operator.call('collector/add', { sn: world.uniqueSn('COL'), plantId });

    const found = await place.collect(
      'discover',
      '127.0.0.76/30',
      '--write',
      '--gateway',
      app.addresses.gateway!,
    );
    expect(found.code, found.notes).toBe(0);
    writeFileSync(join(place.folder, 'token'), `${token}\n`);
    const file = join(place.folder, 'collect.yaml');
    expect(readFileSync(file, 'utf8')).toContain(`address: tcp://${HOST}:502`);
    // Not to keep the test waiting for a minute.
    writeFileSync(file, `report-every: 5s\n${readFileSync(file, 'utf8')}`);
    ended.push(place.start('run'));

    await expect
      .poll(() => operator.call('discovery/list', { limit: 10 }), { timeout: 60_000 })
      .toContainEqual(
        expect.objectContaining({ sn, kind: 'inverter', model: 'Solis storage inverter' }),
      );
    await operator.call('discovery/bind', { sn });
    await expect.poll(() => samplesOf(sn), { timeout: 60_000 }).toBeGreaterThan(0);
    expect(systemClock.now() - startedAt).toBeLessThan(120_000);
    const status = await place.collect('status', '--json');
    expect(status.code, status.notes).toBe(0);

    const { id } = await database.db
      .selectFrom('device')
      .select('id')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    const way = { via: 'tcp', address: `${HOST}:502`, unit: 1, readOnly: true };
    await server.stop();
    // It is reported at once, and not only with the next description after an hour.
    await expect
      .poll(() => findLink(database.db, id), { timeout: 60_000 })
      .toMatchObject({ ...way, state: 'silent' });
  },
);

const samplesOf = async (sn: string): Promise<number> => {
  const { amount } = await database.db
    .selectFrom('sample')
    .innerJoin('device', 'device.series', 'sample.series')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('device.sn', '=', sn)
    .executeTakeFirstOrThrow();
  return amount;
};

test.runIf(python).each(['tcp', 'rtu'] as const)(
  'commands reach the registers over %s and end verified; a device that is not to be controlled is not written to',
  async (kind) => {
    const sn = kind === 'tcp' ? '1031051234567001' : '1031051234567002';
    const server = await startModbusServer(python!, kind, { 1: solisImage(sn) });
    ended.push(() => server.stop());
    const place = createPlace();
    ended.push(() => place.remove());
    const { id: ownerId } = await world.person();
    const plantId = await world.plant(ownerId);
    const { token } = await world.write((trx) =>
      addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
    );
    writeFileSync(join(place.folder, 'token'), token);
    const run = async (control: boolean): Promise<() => Promise<number>> => {
      writeFileSync(
        join(place.folder, 'collect.yaml'),
        [
          `gateway: ${app.addresses.gateway}`,
          'report-every: 5s',
          'devices:',
          `  - address: ${kind}://127.0.0.1:${server.place}`,
          '    unit: 1',
          `    control: ${control}`,
        ].join('\n'),
      );
      return place.start('run');
    };
    let stop = await run(true);
    await expect
      .poll(() => operator.call('discovery/list', { limit: 100 }), { timeout: 30_000 })
      .toContainEqual(expect.objectContaining({ sn }));
    await operator.call('discovery/bind', { sn });
    const { id: deviceId } = await database.db
      .selectFrom('device')
      .select('id')
      .where('sn', '=', sn)
      .executeTakeFirstOrThrow();
    const command = async (parameter: string, value: string): Promise<string> => {
      const wanted = { deviceId, plantId, parameter, value, expiresAt: systemClock.now() + 60_000 };
      const [id] = await world.write((trx) =>
        queueCommands(trx, world.act(), userCaller(ownerId), [wanted]),
      );
      return id!;
    };
    const outcome = async (id: string): Promise<string> => {
      const find = () =>
        database.db
          .selectFrom('command')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
      await expect
        .poll(async () => (await find()).state, { timeout: 40_000 })
        .toMatch(/verified|failed|expired|refused/);
      const { state } = await find();
      return `${state} ${JSON.stringify(await find())}`;
    };
    expect(await outcome(await command('157', '25'))).toMatch(/^verified/);
    expect(await outcome(await command('158', '15'))).toMatch(/^verified/);
    const bus = openBus(
      { kind, host: '127.0.0.1', port: Number(server.place) },
      { clock: siteClock, pause: timerPause, random: Math.random },
    );
    ended.push(() => bus.close());
    const word = async (address: number): Promise<number> =>
      (await bus.hold((line) => line.request({ unit: 1, fn: 3, address, count: 1 }), 'poll'))[0]!;
    expect([await word(43_024), await word(43_011)]).toEqual([25, 15]);
    expect(await stop()).toBe(0);

    stop = await run(false);
    ended.push(() => stop());
    const refused = await outcome(await command('157', '30'));
    expect(refused).toMatch(/^failed/);
    expect(refused).toContain('only reads');
    expect(await word(43_024)).toBe(25);
  },
);
