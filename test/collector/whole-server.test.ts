import {
  createCollector,
  openLink,
  type Collector,
  type CollectorOptions,
  type LinkOptions,
  type Setback,
} from '@helioport/collector';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { addCollector } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { queueCommands } from '../../packages/server/src/control/commands/queue.ts';
import { assignCollector } from '../../packages/server/src/fleet/devices/devices.ts';
import { systemClock } from '../../packages/server/src/platform/kernel/clock.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { freePort } from '../support/free-port.ts';
import { startApp, type RunningApp } from '../support/running-app.ts';
import { createWorld, userCaller } from '../support/world.ts';

let database: TestDatabase;
let app: RunningApp;
let ports: Record<string, string>;
const made: Collector[] = [];
const world = createWorld(() => database, { at: systemClock.now(), now: () => systemClock.now() });

beforeAll(async () => {
  database = await createSqliteDatabase();
  ports = {
    HELIOPORT_GATEWAY_PORT: String(await freePort()),
    HELIOPORT_MQTT_PORT: String(await freePort()),
  };
  app = await startApp(database, ports);
});
afterEach(async () => {
  await Promise.all(made.splice(0).map((one) => one.close()));
});
afterAll(async () => {
  await app.stop();
  await database.drop();
});

/** An inverter in a plant, and what its collector needs to report for it. */
async function home() {
  const { id: ownerId } = await world.person();
  const plantId = await world.plant(ownerId);
  const { id: deviceId, sn } = await world.device(plantId, { model: 'SIM-8K-ES' });
  const collector = await world.write((trx) =>
    addCollector(trx, world.act(), { sn: world.uniqueSn('COL'), plantId }),
  );
  await world.write((trx) => assignCollector(trx, deviceId, collector.id));
  const queue = async (value: string): Promise<string> => {
    const wanted = {
      deviceId,
      plantId,
      parameter: '157',
      value,
      expiresAt: systemClock.now() + 60_000,
    };
    return (
      await world.write((trx) => queueCommands(trx, world.act(), userCaller(ownerId), [wanted]))
    )[0]!;
  };
  return {
    sn,
    deviceId,
    queue,
    credentials: { collectorId: collector.id, tokenId: collector.tokenId, token: collector.token },
  };
}

function start(link: LinkOptions, options: Partial<CollectorOptions> = {}): Collector {
  const pause = (_: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => setTimeout(resolve, signal?.aborted ? 0 : 20));
  const one = createCollector({ link: openLink(link), pause, ...options });
  made.push(one);
  return one;
}

const stateOf = async (id: string): Promise<string> =>
  (
    await database.db
      .selectFrom('command')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
  ).state;

const countSamples = async (sn: string): Promise<number> => {
  const { amount } = await database.db
    .selectFrom('sample')
    .innerJoin('device', 'device.series', 'sample.series')
    .select((eb) => eb.fn.countAll<number>().as('amount'))
    .where('device.sn', '=', sn)
    .executeTakeFirstOrThrow();
  return amount;
};

/** How many times a histogram of the server has counted. */
async function countedBy(name: string, labels = ''): Promise<number> {
  const text = await (await fetch(`${app.addresses.ops}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`${name}_count${labels}`));
  return Number(line?.split(' ')[1] ?? 0);
}

describe.each(['gateway', 'mqtt'] as const)('a collector at the %s of a whole server', (part) => {
  const address = (): string => app.addresses[part]!;

  test('reports, and does its commands', async () => {
    const { sn, credentials, queue } = await home();
    const values = new Map([['157', '30']]);
    const devices = {
      read: ({ parameter }: { parameter: string }) => ({ value: values.get(parameter)! }),
      write: ({ parameter, value }: { parameter: string; value?: string }) =>
        void values.set(parameter, value!),
    };
    const one = start({ url: address(), ...credentials }, { devices });
    const [reports, writes] = [
      'helioport_report_readable_seconds',
      'helioport_command_verified_seconds',
    ] as const;
    const before = [await countedBy(reports), await countedBy(writes, '{action="write"}')];
    one.report({ readings: [{ sn, at: systemClock.now(), values: { acPowerW: 1234 } }] });
    await one.whenDelivered();
    expect(await countSamples(sn)).toBe(1);
    const id = await queue('20');
    await expect.poll(() => stateOf(id), { timeout: 60_000 }).toBe('verified');
    expect(values.get('157')).toBe('20');
    expect([await countedBy(reports), await countedBy(writes, '{action="write"}')]).toEqual(
      before.map((count) => count + 1),
    );
    await one.deliver(
      { readings: [{ sn, at: systemClock.now(), values: { acPowerW: 1 } }] },
      { urgency: 'backlog' },
    );
    expect(await countedBy(reports)).toBe(before[0]! + 1);
  });

  test('learns when its token is worth nothing', async () => {
    const { sn, credentials } = await home();
    const setbacks: Setback[] = [];
    const one = start(
      { url: address(), ...credentials, token: 'x'.repeat(40) },
      { onSetback: (setback) => setbacks.push(setback) },
    );
    one.report({ readings: [{ sn, at: systemClock.now(), values: { acPowerW: 1 } }] });
    await expect.poll(() => setbacks[0]).toMatchObject({ cause: 'barred' });
    expect(await countSamples(sn)).toBe(0);
  });

  test('keeps what it reports while the server is away', async () => {
    const { sn, credentials } = await home();
    const setbacks: Setback[] = [];
    const one = start(
      { url: address(), ...credentials },
      { onSetback: (setback) => setbacks.push(setback) },
    );
    await app.stop();
    const now = systemClock.now();
    for (let i = 0; i < 20; i++)
      one.report({ readings: [{ sn, at: now - i * 1000, values: { acPowerW: i } }] });
    await expect.poll(() => setbacks[0]).toMatchObject({ cause: 'away' });
    app = await startApp(database, ports);
    await one.whenDelivered();
    expect(await countSamples(sn)).toBe(20);
  });
});
