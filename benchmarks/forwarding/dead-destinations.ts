import type { BenchEngine } from '../ingest/engines.ts';
import { timesUnderLoad } from './load.ts';
import { shown, startReceiver } from './receiver.ts';
import { createScene } from './scene.ts';

const APPLICATIONS = 50;
const DESTINATIONS_EACH = 20;
const DESTINATIONS = APPLICATIONS * DESTINATIONS_EACH;
const DEAD = 100;
/** 1,000 requests every two seconds. */
const LOAD = { devices: 1, everyMs: 2_000, seconds: 20 };

/** 1,000 destinations over HTTP; then a hundred of them die: half hang, half close the connection. The times are of the other 900. */
export async function measureDeadDestinations(engine: BenchEngine): Promise<string[]> {
  const receiver = await startReceiver();
  const storage = await engine.open();
  const scene = await createScene(storage, 10);
  for (let n = 0; n < APPLICATIONS; n++)
    await scene.connect(
      Array.from(
        { length: DESTINATIONS_EACH },
        (_, i) => `${receiver.url}/${n * DESTINATIONS_EACH + i}`,
      ),
    );
  await engine.analyze(storage);
  const delivery = await scene.deliver();
  const living = DESTINATIONS - DEAD;
  const before = await timesUnderLoad(scene, receiver, LOAD, living);
  receiver.die(living);
  const after = await timesUnderLoad(scene, receiver, LOAD, living);
  await delivery.stop();
  receiver.stop();
  await storage.close();
  return [
    `| ${engine.name} | all live | ${shown(before)} | ${before.count} |`,
    `| ${engine.name} | ${DEAD} are dead | ${shown(after)} | ${after.count} |`,
  ];
}
