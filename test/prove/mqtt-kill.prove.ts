import { collectorTopic } from '@helioport/contract';
import { connectAsync, type MqttClient } from 'mqtt';
import { expect, test } from 'vitest';
import { effort } from '../support/effort.ts';
import { describeEngines, settingsOf } from '../support/engines.ts';
import { killMidway } from '../support/machine/kill-midway.ts';
import { serve } from '../support/server-process.ts';
import { createReportingWorld, type Installation } from '../telemetry/installation.ts';

const KILLS = effort(2, 50);
const DEVICES = 4;
/** How many reports of each device a server acknowledges before it is killed. */
const REPORTS = 2;
/** Reports of a device on their way at a time. */
const IN_FLIGHT = 5;
const MINUTE = 60_000;
const FIRST_AT = Date.parse('2025-03-29T00:00:00Z');

interface Reading {
  readonly at: number;
  readonly values: Record<string, number>;
}

/** The n-th report of a device: its readings in no order, over the change of clocks in spring. */
const reportOf = (n: number): Reading[] =>
  Array.from({ length: 12 }, (_, i) => {
    const minute = n * 12 + ((i * 5) % 12);
    return {
      at: FIRST_AT + minute * MINUTE,
      values: { acPowerW: (minute % 997) * 3.5, energyTotalKwh: 100 + minute / 8 },
    };
  });

/** A collector that numbers its reports, and sends again what nobody has acknowledged. */
interface Publishing {
  readonly device: Installation;
  next: number;
  readonly unsent: Set<number>;
  readonly acknowledged: Set<number>;
}

describeEngines('kill -9 in the middle of reports over MQTT', (database) => {
  const world = createReportingWorld(database);

  test(`loses no report that was acknowledged by PUBACK or ack, stores none twice, and leaves roll-ups as a recalculation makes them, ${KILLS} times`, async () => {
    const collectors: Publishing[] = [];
    for (let i = 0; i < DEVICES; i++)
      collectors.push({
        device: await world.install({ timeZone: 'Europe/Berlin' }),
        next: 0,
        unsent: new Set(),
        acknowledged: new Set(),
      });
    for (let kill = 0; kill < KILLS; kill++) {
      const server = serve(process.cwd(), {
        ...settingsOf(database()),
        HELIOPORT_ROLES: 'gateway',
        HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
      });
      const { mqtt: url } = await server.started;
      const stopKilling = killMidway(
        () => server.kill('SIGKILL'),
        () => collectors.every(({ acknowledged }) => acknowledged.size >= (kill + 1) * REPORTS),
      );
      await Promise.all(collectors.map((one, i) => publish(url!, one, i % 2 === 0 ? 4 : 5)));
      stopKilling();
      expect((await server.ended).signal).toBe('SIGKILL');
      for (const one of collectors) await check(one);
    }
    for (const { acknowledged } of collectors)
      expect(acknowledged.size).toBeGreaterThanOrEqual(KILLS * REPORTS);
  });

  /** Publishes one report after the other until the connection ends. */
  async function publish(url: string, one: Publishing, protocolVersion: 4 | 5): Promise<void> {
    const { device, unsent, acknowledged } = one;
    const { collectorId, tokenId, token, sn } = device;
    const client = await connected(url, {
      protocolVersion,
      clientId: collectorId,
      username: tokenId,
      password: token,
    });
    if (!client) return;
    const taken = (n: number): void => {
      acknowledged.add(n);
      unsent.delete(n);
    };
    client.on('message', (_, payload) => {
      const { id, status, refused } = JSON.parse(payload.toString()) as {
        id: string;
        status: number;
        refused?: unknown[];
      };
      // With the database busy, the server may ask for patience.
      if (status >= 500) return;
      expect([id, status, refused]).toEqual([id, 200, []]);
      taken(Number(id));
    });
    const ended = new Promise<void>((resolve) => client.once('close', () => resolve()));
    const again = [...unsent];
    const sendAll = async (): Promise<void> => {
      while (client.connected) {
        const n = again.shift() ?? one.next++;
        unsent.add(n);
        const readings = reportOf(n).map((reading) => ({ sn, ...reading }));
        const published = client
          .publishAsync(
            collectorTopic(collectorId, 'report'),
            JSON.stringify({ id: String(n), readings }),
            { qos: 1 },
          )
          .then(() => taken(n));
        published.catch(() => {});
        await Promise.race([published.catch(() => {}), ended]);
      }
    };
    await client.subscribeAsync(collectorTopic(collectorId, 'ack')).catch(() => {});
    await Promise.all(Array.from({ length: IN_FLIGHT }, sendAll));
    client.end(true);
  }

  async function check({ device, next, acknowledged }: Publishing): Promise<void> {
    const { db } = database();
    const readings = await world
      .parts()
      .telemetry.readingsBetween(db, device.series, 0, Number.MAX_SAFE_INTEGER);
    const stored = new Map(
      readings.map(({ at, values }) => [at, values as Record<string, number>]),
    );
    expect(stored.size).toBe(readings.length);
    let expected = 0;
    for (let n = 0; n < next; n++) {
      const report = reportOf(n);
      const there = report.filter(({ at }) => stored.has(at));
      // As a whole or not at all, and always if it was acknowledged.
      expect([0, report.length]).toContain(there.length);
      if (acknowledged.has(n)) expect([n, there.length]).toEqual([n, report.length]);
      for (const { at, values } of there) expect(stored.get(at)).toEqual(values);
      expected += there.length;
    }
    expect(readings.length).toBe(expected);
    expect(await world.rollups(device.binding)).toEqual(await world.recalculated(device.binding));
  }
});

/** A client that does not connect again by itself; undefined if the server was killed before. */
const connected = (url: string, options: object): Promise<MqttClient | undefined> =>
  connectAsync(url, { ...options, reconnectPeriod: 0, connectTimeout: 5_000 }, false).then(
    (client) => client.on('error', () => {}),
    () => undefined,
  );
