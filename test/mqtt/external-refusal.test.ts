import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { joinBroker, tryBroker } from '../../packages/server/src/interfaces/edges/mqtt/external.ts';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { mqttParts, NO_FILES } from './broker-fixture.ts';
import { standInBroker } from './stand-in-broker.ts';

let database: TestDatabase;
let server: Server;
let url: string;
/** Whether the broker refuses, as one does whose list of users is not there yet. */
let refuses = true;
let connects = 0;
const scene = createControlScene(() => database);

const serve = standInBroker(() => {
  connects += 1;
  return refuses;
});

beforeAll(async () => {
  database = await createSqliteDatabase();
  server = createServer(serve).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `mqtt://helioport:secret@127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await database.drop();
});

test('an external broker that refuses is tried again, and meanwhile reported', async () => {
  const parts = mqttParts({ db: database.db, clock: scene.clock, wakeUps: database.wakeUps });
  const broker = joinBroker({
    ...parts,
    db: database.db,
    clock: scene.clock,
    url,
    files: NO_FILES,
  });
  const connected = async (): Promise<string> =>
    /^helioport_mqtt_broker_connected (\d)$/m.exec(
      await parts.metrics.getSingleMetricAsString('helioport_mqtt_broker_connected'),
    )![1]!;
  await expect.poll(() => connects).toBeGreaterThan(1);
  expect(broker.ailment()).toMatch(/HELIOPORT_MQTT_URL is not connected: .*[Nn]ot authorized/);
  expect(await connected()).toBe('0');
  expect(await tryBroker(url, NO_FILES)).toEqual({
    fault: expect.stringMatching(/[Nn]ot authorized/),
  });
  // What is tried every second is not logged every second.
  expect(parts.log.length).toBe(1);
  refuses = false;
  await expect.poll(() => broker.ailment()).toBeUndefined();
  expect(await connected()).toBe('1');
  expect(await tryBroker(url, NO_FILES)).toEqual({});
  await broker.close();
});

test('one that does not listen is reported', async () => {
  expect(await tryBroker('mqtt://helioport:secret@127.0.0.1:1', NO_FILES)).toEqual({
    fault: expect.stringContaining('ECONNREFUSED'),
  });
});
