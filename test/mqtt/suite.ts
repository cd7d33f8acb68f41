import { collectorTopic } from '@helioport/contract';
import { beforeAll, describe, expect, test } from 'vitest';
import { lastReportOf } from '../../packages/server/src/fleet/collectors/collectors.ts';
import { revokeTokens } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { inTransaction } from '../../packages/server/src/platform/storage/transactions/transaction.ts';
import { endBinding } from '../../packages/server/src/fleet/plants/bindings.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import type { createControlScene, Home } from '../commands/scene.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';
import type { TestDatabase } from '../support/engines.ts';
import {
  connectCollector,
  protocols,
  REFUSED,
  type MqttCollector,
  type Protocol,
} from './collector.ts';
import { publishPacket } from './packets.ts';

type Scene = ReturnType<typeof createControlScene>;

/** Collectors at a broker, embedded or not. */
export interface Stage {
  readonly scene: Scene;
  readonly database: () => TestDatabase;
  readonly url: () => string;
  /** Lets the broker know of new tokens. */
  readonly admit: () => Promise<void>;
}

/** So many that some are under way whenever something is withdrawn. */
const REPORTS_UNDER_WAY = 30;

/** As many as the tests below take. */
const HOMES = 43;

/** What holds whichever broker collectors connect to. */
export function describeCollectors({ scene, database, url, admit }: Stage): void {
  const { clock, send, show } = scene;

  const homes: Home[] = [];
  // All at once, because an external broker takes its time to learn of new tokens.
  beforeAll(async () => {
    for (let i = 0; i < HOMES; i++) homes.push(await scene.home());
    await admit();
  });
  /** A home of the test's own. */
  const install = (): Home => homes.pop()!;
  const connect = (
    home: Home,
    protocol?: Protocol,
    more?: Parameters<typeof connectCollector>[3],
  ): Promise<MqttCollector> => connectCollector(url(), home, protocol, more);
  const reading = (sn: string, at = clock.now(), acPowerW = 1000) => ({
    sn,
    at,
    values: { acPowerW },
  });
  const stateOf = async (id: string): Promise<number> =>
    (
      await database()
        .db.selectFrom('device')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).state;
  const samplesOf = async (deviceId: string): Promise<number> => {
    const { db } = database();
    const rows = await db
      .selectFrom('sample')
      .innerJoin('device', 'device.series', 'sample.series')
      .select('sample.at')
      .where('device.id', '=', deviceId)
      .execute();
    return rows.length;
  };

  describe.each(protocols)('over %s', (_, protocol) => {
    test('report, and learn by its id what became of each report', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      const report = {
        id: 'r-1',
        readings: [reading(home.sn), reading('FOREIGN/+#')],
        devices: [{ sn: home.sn, model: 'SIM-8K-ES' }],
      };
      const ack = await collector.say('report', report);
      expect(ack).toEqual({
        id: 'r-1',
        status: 200,
        receivedAt: clock.now(),
        accepted: 1,
        duplicate: 0,
        refused: [
          { index: 1, reason: 'no device with this serial number is bound to this collector' },
        ],
        devices: { accepted: 1, duplicate: 0, refused: [] },
      });
      expect(await samplesOf(home.deviceId)).toBe(1);
      expect(await collector.say('report', { ...report, id: 'r-2' })).toMatchObject({
        id: 'r-2',
        status: 200,
        accepted: 0,
        duplicate: 1,
      });
      await collector.leave();
    });

    test('learn which values were dropped, of a report and of a backlog', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      const { at, sn } = reading(home.sn);
      const values = '{"acPowerW":1,"batterySocPercent":6553.5,"temperatureC":NaN}';
      for (const [message, more] of [
        ['report', 0],
        ['backlog', 60_000],
      ] as const)
        expect(
          await collector.say(
            message,
            `{"id":"${message}","readings":[{"sn":"${sn}","at":${at + more},"values":${values}}]}`,
          ),
        ).toMatchObject({
          id: message,
          status: 200,
          accepted: 1,
          refused: [],
          dropped: [
            { index: 0, quantity: 'temperatureC', reason: 'not a finite number' },
            { index: 0, quantity: 'batterySocPercent', reason: 'not within 0 to 100 %' },
          ],
        });
      await collector.leave();
    });

    test('say when they send a report, and their owner sees how far their clock is off', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      expect(
        await collector.say('report', { id: 'late', sentAt: clock.now() - 120_000, readings: [] }),
      ).toMatchObject({ id: 'late', status: 200 });
      const { clockOffset } = await scene.wire('collectorDetail', home.owner, {
        sn: home.collectorSn,
      });
      expect(clockOffset).toBe(-120);
      await collector.leave();
    });

    test('obey: what is asked of a device reaches its collector at once, and its result is taken', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      collector.obey();
      await collector.say('report', { id: 'here', readings: [] });
      const { id } = await send(home, '157', '20');
      await expect.poll(async () => (await show(home, id)).state).toBe('verified');
      expect(
        collector.received.map(({ action, parameter, value }) => [action, parameter, value]),
      ).toEqual([
        ['read', '157', undefined],
        ['write', '157', '20'],
        ['read', '157', undefined],
      ]);
      expect(home.box.writes).toEqual([['157', '20']]);
      await expect
        .poll(() => collector.acks.filter(({ accepted }) => accepted === 1).length)
        .toBe(3);
      await collector.leave();
    });

    test('that send what cannot be read learn why, by the id if there is one, and go on', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      for (const [message, content, id, msg] of [
        ['report', 'no JSON', null, 'the body is not readable JSON'],
        ['report', '{"id":"half","readings":[{"sn":"x"', 'half', 'the body is not readable JSON'],
        ['report', '', null, 'the body is not readable JSON'],
        ['report', '\u0000\u0001', null, 'the body is not readable JSON'],
        ['report', '[]', null, expect.stringContaining('the body must be')],
        ['report', '{"id":17,"readings":[]}', null, expect.stringContaining('id must be')],
        [
          'report',
          `{"id":"${'x'.repeat(65)}","readings":[]}`,
          null,
          expect.stringContaining('id must be'),
        ],
        ['backlog', '{"id":"b","readings":{}}', 'b', 'readings must be a list'],
        [
          'backlog',
          `${' '.repeat(16 * 1024)}{"id":"b","readings":{}}`,
          null,
          'readings must be a list',
        ],
        ['result', '{"id":"r","results":{}}', 'r', 'the body must be {"results": [...]}'],
        ['result', '[1]', null, 'the body must be a JSON object'],
      ] as const) {
        expect([content, await collector.say(message, content)]).toEqual([
          content,
          { id, status: 400, receivedAt: clock.now(), msg },
        ]);
      }
      const many = { id: 'many', results: Array.from({ length: 1_001 }, () => ({})) };
      expect(await collector.say('result', many)).toMatchObject({ id: 'many', status: 413 });
      const unknown = { id: 'never', results: [{ id: '1793963100000000001.2', ok: true }] };
      expect(await collector.say('result', unknown)).toMatchObject({
        id: 'never',
        status: 200,
        accepted: 0,
        refused: [{ index: 0 }],
      });
      expect(
        await collector.say('report', { id: 'on', readings: [reading(home.sn)] }),
      ).toMatchObject({ id: 'on', status: 200, accepted: 1 });
      await collector.leave();
    });

    test('send what they kept during an outage as a backlog, which turns no device online', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      await database()
        .db.updateTable('device')
        .set({ state: presence.offline })
        .where('id', '=', home.deviceId)
        .execute();
      const backlog = {
        id: 'b-1',
        readings: [1, 2, 3].map((minutes) => reading(home.sn, clock.now() - minutes * 60_000)),
      };
      expect(await collector.say('backlog', backlog)).toMatchObject({
        id: 'b-1',
        status: 200,
        accepted: 3,
      });
      expect(await stateOf(home.deviceId)).toBe(presence.offline);
      expect(
        await collector.say('report', { id: 'r', readings: [reading(home.sn)] }),
      ).toMatchObject({ status: 200, accepted: 1 });
      expect(await stateOf(home.deviceId)).toBe(presence.online);
      await collector.leave();
    });

    test('whose connection breaks are offline at once, their devices are not, and the next connection brings them back', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      await collector.say('report', { id: 'here', readings: [reading(home.sn)] });
      expect([await stateOf(home.collectorId), await stateOf(home.deviceId)]).toEqual([
        presence.online,
        presence.online,
      ]);
      await collector.vanish();
      await expect.poll(() => stateOf(home.collectorId)).toBe(presence.offline);
      expect(await stateOf(home.deviceId)).toBe(presence.online);
      await scene.watch();
      expect(await stateOf(home.collectorId)).toBe(presence.offline);
      const again = await connect(home, protocol);
      await again.say('report', { id: 'again', readings: [] });
      expect(await stateOf(home.collectorId)).toBe(presence.online);
      await again.leave();
    });

    test('that say goodbye stay online for as long as their pace allows', async () => {
      const home = install();
      const collector = await connect(home, protocol);
      await collector.say('report', { id: 'here', readings: [] });
      await collector.leave();
      await scene.watch();
      expect(await stateOf(home.collectorId)).toBe(presence.online);
    });

    test('that connect a second time take over: the first connection ends, and nobody is offline', async () => {
      const home = install();
      const first = await connect(home, protocol);
      await first.say('report', { id: 'first', readings: [] });
      const second = await connect(home, protocol);
      await first.ended;
      await second.say('report', { id: 'second', readings: [] });
      second.obey();
      const { id } = await send(home, '157', '20');
      await expect.poll(async () => (await show(home, id)).state).toBe('verified');
      expect(first.received).toEqual([]);
      expect(await stateOf(home.collectorId)).toBe(presence.online);
      await second.leave();
    });

    test('reach nothing of one another: no topic, by no wildcard', async () => {
      const [home, other] = [install(), install()];
      const [collector, victim] = [await connect(home, protocol), await connect(other, protocol)];
      const overheard: string[] = [];
      collector.client.on('message', (topic) => overheard.push(topic));
      for (const filter of [
        '#',
        '+/+/+/+',
        'helioport/v1/+/ack',
        `helioport/v1/${other.collectorId}/#`,
        collectorTopic(other.collectorId, 'command'),
        '$SYS/#',
      ]) {
        await collector.client.subscribeAsync(filter, { qos: 1 }).catch(() => {});
      }
      await victim.say('report', { id: 'secret', readings: [reading(other.sn)] });
      await send(other, '157', '20');
      await expect.poll(() => victim.received.length).toBe(1);
      const intruder = await connect(home, protocol);
      for (const message of ['report', 'backlog', 'result', 'ack', 'command'] as const) {
        const forged = JSON.stringify({
          id: 'forged',
          offline: true,
          readings: [reading(other.sn, clock.now() - 1)],
          commands: [{}],
        });
        intruder.client.publish(collectorTopic(other.collectorId, message), forged, { qos: 0 });
      }
      await victim.say('report', { id: 'later', readings: [reading(other.sn)] });
      expect(overheard).toEqual([]);
      expect(await samplesOf(other.deviceId)).toBe(1);
      expect(victim.acks.map(({ id }) => id)).toEqual(['secret', 'later']);
      expect(victim.received).toHaveLength(1);
      expect(await stateOf(other.collectorId)).toBe(presence.online);
      for (const one of [collector, victim, intruder]) await one.leave();
    });

    test('that send too large a packet are disconnected, and others served', async () => {
      const [home, other] = [install(), install()];
      const [collector, bystander] = [
        await connect(home, protocol),
        await connect(other, protocol),
      ];
      const at = await lastReportOf(database().db, home.collectorId);
      // Past the client, which heeds the limit that a broker announces with MQTT 5.
      const large = JSON.stringify({ id: 'large', readings: [], padding: 'x'.repeat(1024 * 1024) });
      collector.client.stream.write(
        publishPacket(protocol, collectorTopic(home.collectorId, 'report'), large),
      );
      await collector.ended;
      expect(
        await bystander.say('report', { id: 'small', readings: [reading(other.sn)] }),
      ).toMatchObject({ status: 200, accepted: 1 });
      expect(collector.acks).toEqual([]);
      expect(await lastReportOf(database().db, home.collectorId)).toBe(at);
      for (const one of [collector, bystander]) await one.leave();
    });
  });

  const { act } = scene;
  test.each([
    [
      'its token’s revocation',
      (trx, { collectorId: id, collectorSn: sn }) => revokeTokens(trx, act(), { id, sn }),
    ],
    [
      'its unbinding',
      (trx, { collectorId, plantId }) => endBinding(trx, act(), collectorId, plantId),
    ],
    ['the disabling of its owner', (trx, { ownerId }) => disableOwner(trx, act(), ownerId)],
  ] satisfies [string, (trx: Db, home: Home) => Promise<unknown>][])(
    'store nothing after %s has returned, not even what was under way',
    async (_, withdraw) => {
      for (let round = 0; round < 5; round++) {
        const home = install();
        const collector = await connect(home, round % 2 === 0 ? 4 : 5);
        for (let i = 0; i < REPORTS_UNDER_WAY; i++) {
          const report = { id: `r-${i}`, readings: [reading(home.sn, clock.now() - 1000 * i)] };
          collector.client.publish(
            collectorTopic(home.collectorId, 'report'),
            JSON.stringify(report),
            { qos: 1 },
            () => {},
          );
        }
        await expect
          .poll(() => collector.acks.length, { interval: 1 })
          .toBeGreaterThanOrEqual(round);
        await inTransaction(database().db, async (trx) => void (await withdraw(trx, home)));
        const stored = await samplesOf(home.deviceId);
        // An external broker delivers them all, the embedded one ends the connection.
        await expect
          .poll(() => collector.acks.length === REPORTS_UNDER_WAY || !collector.client.connected, {
            timeout: 60_000,
            interval: 5,
          })
          .toBe(true);
        expect(collector.acks.filter(({ status }) => ![200, 401, 403].includes(status))).toEqual(
          [],
        );
        expect(await samplesOf(home.deviceId)).toBe(stored);
        await collector.leave();
      }
    },
  );

  test('without a valid token are refused', async () => {
    const [home, other] = [install(), install()];
    for (const wrong of [
      { password: 'wrong' },
      { password: other.token },
      { username: other.tokenId },
      { username: home.collectorId },
      { username: '', password: '' },
    ]) {
      for (const [name, protocol] of protocols)
        await expect(
          connect(home, protocol, wrong),
          `${name} ${JSON.stringify(wrong)}`,
        ).rejects.toThrow(REFUSED);
    }
  });
}
