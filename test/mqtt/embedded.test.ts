import { collectorTopic } from '@helioport/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { revokeTokens, rotateToken } from '../../packages/server/src/fleet/collectors/tokens.ts';
import { unbindDevice } from '../../packages/server/src/fleet/plants/bindings.ts';
import { disableOwner } from '../../packages/server/src/fleet/plants/owners.ts';
import { presence } from '../../packages/server/src/fleet/plants/presence.ts';
import { createControlScene } from '../commands/scene.ts';
import { describeEngines } from '../support/engines.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector, protocols, REFUSED } from './collector.ts';
import { publishPacket } from './packets.ts';
import { describeCollectors } from './suite.ts';

describeEngines('collectors at the embedded broker', (database) => {
  const scene = createControlScene(database);
  const { clock } = scene;
  let broker: OpenBroker;
  beforeAll(async () => {
    broker = await openBroker(
      { db: database().db, clock, wakeUps: database().wakeUps },
      { limits: { sweepMs: 50 } },
    );
  });
  afterAll(() => broker.close());

  describeCollectors({ scene, database, url: () => broker.url, admit: async () => {} });

  test('learn why they are refused', async () => {
    const home = await scene.home();
    const refusals = async (more = {}): Promise<unknown[]> => {
      const codes: unknown[] = [];
      for (const [, protocol] of protocols)
        codes.push(
          await connectCollector(broker.url, home, protocol, more).then(
            () => 0,
            ({ code }: { code: unknown }) => code,
          ),
        );
      return codes;
    };
    expect(await refusals({ password: 'wrong' })).toEqual([4, 0x86]);
    await scene.write((trx) => unbindDevice(trx, scene.act(), home.collectorId, home.plantId));
    expect(await refusals()).toEqual([5, 0x87]);
    await scene.write((trx) =>
      revokeTokens(trx, scene.act(), { id: home.collectorId, sn: home.collectorSn }),
    );
    expect(await refusals()).toEqual([4, 0x86]);
  });

  describe.each(protocols)('over %s', (_, protocol) => {
    test('lose their connection when their token, their plant or their owner’s account ends', async () => {
      for (const end of ['token', 'rotation', 'place', 'owner'] as const) {
        const home = await scene.home();
        const collector = await connectCollector(broker.url, home, protocol);
        const named = { id: home.collectorId, sn: home.collectorSn };
        await scene.write(async (trx) => {
          if (end === 'token') await revokeTokens(trx, scene.act(), named);
          else if (end === 'rotation') await rotateToken(trx, scene.act(), named, 0);
          else if (end === 'place')
            await unbindDevice(trx, scene.act(), home.collectorId, home.plantId);
          else await disableOwner(trx, scene.act(), home.ownerId);
        });
        await collector.ended;
        await expect(connectCollector(broker.url, home, protocol), end).rejects.toThrow(REFUSED);
      }
    });

    test('go on with the old token while a rotated one overlaps, and take over with the new one', async () => {
      const home = await scene.home();
      const before = await connectCollector(broker.url, home, protocol);
      const { token, tokenId } = await scene.write((trx) =>
        rotateToken(trx, scene.act(), { id: home.collectorId, sn: home.collectorSn }, 60_000),
      );
      expect(await before.say('report', { id: 'old', readings: [] })).toMatchObject({
        status: 200,
      });
      const after = await connectCollector(broker.url, { ...home, token, tokenId }, protocol, {
        clientId: 'another client',
      });
      await before.ended;
      expect(await after.say('report', { id: 'new', readings: [] })).toMatchObject({ status: 200 });
      await after.leave();
    });

    test('lose their connection when their rotated token expires', async () => {
      const home = await scene.home();
      await scene.write((trx) =>
        rotateToken(trx, scene.act(), { id: home.collectorId, sn: home.collectorSn }, 60_000),
      );
      const collector = await connectCollector(broker.url, home, protocol);
      clock.at += 60_000;
      await collector.ended;
      await expect(connectCollector(broker.url, home, protocol)).rejects.toThrow(REFUSED);
    });

    test('may subscribe to nothing but their own acknowledgements and commands', async () => {
      const home = await scene.home();
      const other = await scene.home();
      const collector = await connectCollector(broker.url, home, protocol);
      for (const filter of [
        '#',
        '+',
        `helioport/v1/${home.collectorId}/#`,
        `helioport/v1/${home.collectorId}/+`,
        `helioport/v1/+/command`,
        collectorTopic(other.collectorId, 'ack'),
        collectorTopic(home.collectorId, 'report'),
        `/${collectorTopic(home.collectorId, 'ack')}`,
        // With MQTT 5, CONNACK says that there are none, and asking for one ends the connection.
        ...(protocol === 4 ? [`$share/x/${collectorTopic(home.collectorId, 'command')}`] : []),
        '$SYS/#',
      ]) {
        const granted = await collector.client.subscribeAsync(filter, { qos: 1 }).then(
          (subscriptions) => subscriptions.map(({ qos }) => qos as number),
          ({ packet }: { packet: { granted: number[] } }) => packet.granted,
        );
        expect([filter, granted]).toEqual([filter, [protocol === 5 ? 0x87 : 0x80]]);
      }
      await collector.leave();
    });

    test('that publish where they may not are refused, and their retained messages not kept', async () => {
      const home = await scene.home();
      const other = await scene.home();
      const own = (message: 'report' | 'ack'): string => collectorTopic(home.collectorId, message);
      const foreign = [
        collectorTopic(other.collectorId, 'report'),
        own('ack'),
        `${own('report')}/`,
        `${own('report')}s`,
        'x',
        '$SYS/x',
        '$helioport/lost',
      ];
      for (const topic of foreign) {
        const collector = await connectCollector(broker.url, home, protocol);
        const published = collector.client.publishAsync(topic, '{}', { qos: 1 });
        if (protocol === 5) await expect(published, topic).rejects.toMatchObject({ code: 0x87 });
        else await collector.ended;
        published.catch(() => {});
        await collector.leave();
      }
      const collector = await connectCollector(broker.url, home, protocol);
      const published = collector.client.publishAsync(
        own('report'),
        '{"id":"kept","readings":[]}',
        { qos: 1, retain: true },
      );
      published.catch(() => {});
      // With MQTT 5, CONNACK says that none is retained, and asking for it ends the connection.
      if (protocol === 5) await collector.ended;
      else await published;
      await collector.leave();
      const again = await connectCollector(broker.url, home, protocol);
      expect(await again.say('report', { id: 'next', readings: [] })).toMatchObject({
        status: 200,
      });
      expect(again.acks.map(({ id }) => id)).toEqual(['next']);
      await again.leave();
    });

    test('that publish with QoS 2 are disconnected', async () => {
      const home = await scene.home();
      const collector = await connectCollector(broker.url, home, protocol);
      collector.client.stream.write(
        publishPacket(
          protocol,
          collectorTopic(home.collectorId, 'report'),
          '{"id":"twice","readings":[]}',
          { qos: 2 },
        ),
      );
      await collector.ended;
      expect(collector.acks).toEqual([]);
    });
  });

  test('are shown in the metrics while they are connected', async () => {
    const gauge = (): Promise<string> =>
      broker.metrics.getSingleMetricAsString('helioport_mqtt_connections');
    const collector = await connectCollector(broker.url, await scene.home());
    await expect.poll(gauge).toContain('connections 1');
    await collector.leave();
    await expect.poll(gauge).toContain('connections 0');
  });

  test('are not offline because the server stops, and find what they sent unacknowledged', async () => {
    const home = await scene.home();
    const stopping = await openBroker({ db: database().db, clock, wakeUps: database().wakeUps });
    const collector = await connectCollector(stopping.url, home);
    await stopping.close();
    await collector.ended;
    const { state } = await database()
      .db.selectFrom('device')
      .select('state')
      .where('id', '=', home.collectorId)
      .executeTakeFirstOrThrow();
    expect(state).toBe(presence.online);
  });

  test('leave no token in the log', () => {
    expect(broker.log.join('')).not.toMatch(/[A-Za-z0-9]{43}/);
  });
});
