import process from 'node:process';
import { headPosition } from '../../packages/server/src/platform/events/position.ts';
import { beginReplays } from '../../packages/server/src/outbound/forwarding/destinations/replays.ts';
import type { BenchEngine } from '../ingest/engines.ts';
import { startBroker } from './broker.ts';
import { timesUnderLoad } from './load.ts';
import { shown, startReceiver } from './receiver.ts';
import { createScene } from './scene.ts';

const DEVICES = 500;
/** More than are replayed while the live ones are measured; HELIOPORT_BENCH_EVENTS sets another number. */
export const EVENTS = Number(process.env['HELIOPORT_BENCH_EVENTS'] ?? 1_000_000);
const EACH = Math.ceil(EVENTS / DEVICES / 4) * 4;
const LOAD = { devices: 10, everyMs: 50, seconds: 15 };

/** Live events of a destination, 200 a second, alone and beside a replay of what the log has. */
export async function measureReplayBeside(engine: BenchEngine): Promise<string[]> {
  const broker = await startBroker();
  const receiver = await startReceiver(broker.url);
  const storage = await engine.open();
  const { db } = storage;
  const scene = await createScene(storage, DEVICES);
  const [id] = await scene.connect([broker.url]);
  for (let n = 0; n < EACH; n += 4) await scene.report(scene.sns, 4);
  // As if it had been delivered.
  await db
    .updateTable('destinationProgress')
    .set(await headPosition(db))
    .execute();
  await engine.analyze(storage);
  const delivery = await scene.deliver();
  const alone = await timesUnderLoad(scene, receiver, LOAD);
  await db
    .transaction()
    .execute((trx) =>
      beginReplays(trx, { ...scene.act, at: scene.clock.now() }, id!, { from: scene.act.at }),
    );
  const begun = performance.now();
  const beside = await timesUnderLoad(scene, receiver, LOAD);
  const seconds = (performance.now() - begun) / 1000;
  await delivery.stop();
  const { delivered, state } = await db
    .selectFrom('replay')
    .select(['delivered', 'state'])
    .executeTakeFirstOrThrow();
  receiver.stop();
  await broker.close();
  await storage.close();
  return [
    `| ${engine.name} | alone | ${shown(alone)} | |`,
    `| ${engine.name} | beside a replay | ${shown(beside)} | ${Math.round(delivered / seconds)} (${state === 'done' ? 'it ended before' : 'it went on'}) |`,
  ];
}
