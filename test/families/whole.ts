import { createClient, type Client } from '@helioport/sdk';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { createOperatorDoor } from '../../packages/server/src/interfaces/operations/operator-door.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createIdSource } from '../../packages/server/src/platform/kernel/ids.ts';
import { startModbusServer, type Registers } from '../bus/modbus-server.ts';
import { createPlace, type Place } from '../site/collecting.ts';
import { createSqliteDatabase } from '../support/engines.ts';
import { operationSources } from '../support/operations.ts';
import { startApp } from '../support/running-app.ts';
import { createWorld, userCaller } from '../support/world.ts';
import { addKey } from '../user-api/fixture.ts';
import { startStickBridge, STICK } from './stick-bridge.ts';

/** How devices are reached; `other`: Modbus TCP of a second public server, which has one unit. */
export type Way = 'tcp' | 'rtu' | 'serial' | 'v5' | 'other';
export const WAYS: readonly Way[] = ['tcp', 'rtu', 'serial', 'v5', 'other'];

export interface SimulatedDevice {
  readonly sn: string;
  readonly unit: number;
  readonly registers: Registers[number];
  readonly confirmed: readonly string[];
  readonly isNameless?: boolean;
  /** An inverter if absent. */
  readonly kind?: 'epm';
}

/** The address of each device at servers that others wrote. */
async function serve(
  python: string,
  way: Way,
  devices: readonly SimulatedDevice[],
  mirrors: readonly (readonly [number, number])[],
  ends: (() => unknown)[],
): Promise<string[]> {
  if (way === 'other') {
    const servers = await Promise.all(
      devices.map(({ registers }) => startModbusServer(python, 'pymodbustcp', { 1: registers })),
    );
    ends.push(() => Promise.all(servers.map((server) => server.stop())));
    return servers.map(({ place }) => `tcp://127.0.0.1:${place}`);
  }
  const units = Object.fromEntries(devices.map(({ unit, registers }) => [unit, registers]));
  const server = await startModbusServer(python, way === 'v5' ? 'rtu' : way, units, { mirrors });
  ends.push(() => server.stop());
  if (way === 'serial') return devices.map(() => `serial:${server.place}?baud=9600`);
  if (way !== 'v5') return devices.map(() => `${way}://127.0.0.1:${server.place}`);
  const bridge = await startStickBridge(Number(server.place));
  ends.push(() => bridge.stop());
  return devices.map(() => `v5://127.0.0.1:${bridge.port}?serial=${STICK}`);
}

export interface WholeSite {
  readonly client: Client;
  readonly place: Place;
  /** The state that a command ends in, and why. */
  command(sn: string, parameter: string, value: string, oldValue?: string): Promise<string>;
  /** Addresses of the devices, in their order. */
  readonly addresses: readonly string[];
  /** Stops the collector, so that the bus is free. */
  stopCollecting(): Promise<void>;
}

/** The whole product with one collector, whose devices are bound to one plant. */
export async function startWholeSite(
  python: string,
  way: Way,
  devices: readonly SimulatedDevice[],
  ends: (() => unknown)[],
  mirrors: readonly (readonly [holding: number, input: number])[] = [],
): Promise<WholeSite> {
  const database = await createSqliteDatabase();
  ends.push(() => database.drop());
  const now = (): number => systemClock.now();
  const world = createWorld(() => database, { at: now(), now });
  const app = await startApp(database, { HELIOPORT_ROLES: 'user-api,oauth,portal,gateway,worker' });
  ends.push(() => app.stop());
  const operator = createOperatorDoor(
    operationSources(database.db, systemClock, createIdSource(systemClock)),
  );
  const addresses = await serve(python, way, devices, mirrors, ends);
  const place = createPlace();
  ends.push(() => place.remove());
  const owner = await world.person();
  const plantId = await world.plant(owner.id);
  const { token } = await world.write((trx) =>
    addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
  );
  // They are bound before they report: what is read once a minute need not be waited for.
  const described = await fetch(`${app.addresses.gateway}/v1/readings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ devices: devices.map(({ sn, kind = 'inverter' }) => ({ sn, kind })) }),
  });
  expect(described.status).toBe(200);
  for (const { sn } of devices) await operator.call('discovery/bind', { sn });
  writeFileSync(join(place.folder, 'token'), token);
  writeFileSync(
    join(place.folder, 'collect.yaml'),
    [
      `gateway: ${app.addresses.gateway}`,
      'report-every: 5s',
      'devices:',
      ...devices.map(({ unit, sn, isNameless, confirmed }, i) =>
        [
          `  - address: ${addresses[i]}`,
          `    unit: ${way === 'other' ? 1 : unit}`,
          '    control: true',
          '    poll-every: 2s',
          `    confirmed: ${JSON.stringify(confirmed)}`,
          ...(isNameless ? [`    sn: ${sn}`] : []),
        ].join('\n'),
      ),
    ].join('\n'),
  );
  const stop = place.start('run');
  ends.push(stop);
  const { keyId, keySecret } = await addKey(world, { accountId: owner.id });
  const client = createClient({ baseUrl: app.addresses['user-api']!, keyId, keySecret });

  async function command(
    sn: string,
    parameter: string,
    value: string,
    oldValue?: string,
  ): Promise<string> {
    const device = () =>
      database.db
        .selectFrom('device')
        .select(['id', 'facts'])
        .where('sn', '=', sn)
        .executeTakeFirstOrThrow();
    // Before it has described itself, nobody knows which parameters it has.
    await expect
      .poll(async () => (await device()).facts, { timeout: 240_000 })
      .toContain('profile');
    const { id: deviceId } = await device();
    const expiresAt = now() + 600_000;
    const wanted = { deviceId, plantId, parameter, value, oldValue, expiresAt };
    const [id] = await world.write((trx) =>
      queueCommands(trx, world.act(), userCaller(owner.id), [wanted]),
    );
    const find = () =>
      database.db.selectFrom('command').selectAll().where('id', '=', id!).executeTakeFirstOrThrow();
    await expect
      .poll(async () => (await find()).state, { timeout: 240_000 })
      .toMatch(/verified|failed|expired|refused/);
    const { state, ...rest } = await find();
    return state === 'verified' ? state : `${state} ${JSON.stringify(rest)}`;
  }
  return { client, place, command, addresses, stopCollecting: async () => void (await stop()) };
}
