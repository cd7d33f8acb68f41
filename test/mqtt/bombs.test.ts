import { afterAll, beforeAll, expect, test } from 'vitest';
import { createControlScene } from '../commands/scene.ts';
import { createSqliteDatabase, type TestDatabase } from '../support/engines.ts';
import { bombs } from './bombs.ts';
import { openBroker, type OpenBroker } from './broker-fixture.ts';
import { connectCollector } from './collector.ts';

let database: TestDatabase;
let broker: OpenBroker;
const scene = createControlScene(() => database);
beforeAll(async () => {
  database = await createSqliteDatabase();
  broker = await openBroker({ db: database.db, clock: scene.clock, wakeUps: database.wakeUps });
});
afterAll(async () => {
  await broker.close();
  await database.drop();
});

test('messages that cost more to read than to send are each answered, and others are served', async () => {
  const [home, other] = [await scene.home(), await scene.home()];
  const [hostile, honest] = [
    await connectCollector(broker.url, home),
    await connectCollector(broker.url, other),
  ];
  for (const [i, { name, message, payload, status }] of bombs(
    home.sn,
    scene.clock.now(),
  ).entries()) {
    const answered = hostile.say(message, payload);
    const reading = { sn: other.sn, at: scene.clock.now() - i * 1000, values: { acPowerW: i } };
    expect(await honest.say('report', { id: `honest ${i}`, readings: [reading] })).toMatchObject({
      status: 200,
      accepted: 1,
    });
    expect([name, (await answered).status]).toEqual([name, status]);
  }
  expect(hostile.client.connected).toBe(true);
  expect(broker.log).toEqual([]);
  for (const one of [hostile, honest]) await one.leave();
});
