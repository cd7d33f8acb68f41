import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExternalBroker } from '../../packages/server/src/interfaces/edges/mqtt/external.ts';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { pythonWith } from '../support/python.ts';
import { joinExternal, openBroker, type OpenBroker } from './broker-fixture.ts';
import { hasMosquitto, startMosquitto, type Mosquitto } from './mosquitto.ts';

const python = await pythonWith('mqtt', ['paho-mqtt==2.2.0'], 'the collector in Python');
const SCRIPT = fileURLToPath(new URL('./collector.py', import.meta.url));

describe.skipIf(!python)('a collector in Python, with paho-mqtt', () => {
  let database: TestDatabase;
  let embedded: OpenBroker;
  let mosquitto: Mosquitto | undefined;
  let server: ExternalBroker | undefined;
  const scene = createControlScene(() => database);
  const { clock } = scene;
  beforeAll(async () => {
    database = await createSqliteDatabase();
    const over = { db: database.db, clock, wakeUps: database.wakeUps };
    embedded = await openBroker(over);
    if (!hasMosquitto) return;
    mosquitto = await startMosquitto(over);
    server = await joinExternal(over, mosquitto.url);
  });
  afterAll(async () => {
    await server?.close();
    await mosquitto?.close();
    await embedded.close();
    await database.drop();
  });

  /** Runs the collector; yields what it says. */
  async function* collect(
    port: number,
    version: string,
    home: Awaited<ReturnType<typeof scene.home>>,
  ): AsyncGenerator<any> {
    const args = [
      SCRIPT,
      '127.0.0.1',
      String(port),
      version,
      home.collectorId,
      home.tokenId,
      home.token,
      home.sn,
      String(clock.now()),
      '3',
    ];
    const child = spawn(python!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line);
  }

  describe.each([
    ['the embedded broker', () => embedded.port, false],
    ['Mosquitto', () => mosquitto!.port, true],
  ] as const)('at %s', (_, portOf, isExternal) => {
    test.skipIf(isExternal && !hasMosquitto).each(['3.1.1', '5'])(
      'reports and obeys over MQTT %s',
      async (version) => {
        const home = await scene.home();
        if (isExternal) await mosquitto!.refresh();
        const said: any[] = [];
        let sent: { id: string } | undefined;
        for await (const word of collect(portOf(), version, home)) {
          said.push(word);
          if (word.reported) sent = await scene.send(home, '157', '20');
        }
        expect(said[0]).toEqual({ connected: 'Success' });
        const acks = said.flatMap(({ ack }) => (ack ? [ack] : []));
        expect(acks.slice(0, 3)).toEqual([
          {
            id: 'live',
            status: 200,
            receivedAt: clock.now(),
            accepted: 1,
            duplicate: 0,
            refused: [],
          },
          {
            id: 'kept',
            status: 200,
            receivedAt: clock.now(),
            accepted: 2,
            duplicate: 0,
            refused: [],
          },
          {
            id: 'again',
            status: 200,
            receivedAt: clock.now(),
            accepted: 0,
            duplicate: 1,
            refused: [],
          },
        ]);
        expect(acks.slice(3).map(({ status, accepted }) => [status, accepted])).toEqual([
          [200, 1],
          [200, 1],
          [200, 1],
        ]);
        expect(
          said.flatMap(({ instruction }) =>
            instruction ? [[instruction.action, instruction.value]] : [],
          ),
        ).toEqual([
          ['read', undefined],
          ['write', '20'],
          ['read', undefined],
        ]);
        expect(await scene.show(home, sent!.id)).toMatchObject({
          state: 'verified',
          oldValue: '30',
        });
      },
    );
  });
});
