import type { OutgoingEvent } from '../../packages/server/src/outbound/sinks/sink.ts';
import type { BenchEngine } from '../ingest/engines.ts';
import { createBarePublisher } from './bare-publisher.ts';
import { startBroker } from './broker.ts';
import { timesUnderLoad } from './load.ts';
import { shown, startReceiver } from './receiver.ts';
import { createScene } from './scene.ts';

/** 100 reports a second. */
const LOAD = { devices: 10, everyMs: 10, seconds: 15 };
const DEVICES = 1000;

/** From a report to the receiver at 1,000 events a second; beside it, what it takes to store the report and publish the same messages. */
export async function measureReportToReceiver(engine: BenchEngine): Promise<string[]> {
  const broker = await startBroker();
  const receiver = await startReceiver(broker.url);
  const storage = await engine.open();
  const scene = await createScene(storage, DEVICES);
  await scene.connect([broker.url]);
  await engine.analyze(storage);
  let example: OutgoingEvent | undefined;
  const delivery = await scene.deliver(([first]) => (example ??= first));
  const ours = await timesUnderLoad(scene, receiver, LOAD);
  await delivery.stop();
  const bare = await createBarePublisher(broker.url);
  const message = JSON.parse(example!.body) as object;
  const publish = (key: string): void => {
    const [deviceSn, occurredAt] = key.split(' ') as [string, string];
    const body = JSON.stringify({ ...message, deviceSn, occurredAt: Number(occurredAt) });
    void bare.publish({ ...example!, deviceSn, body });
  };
  const reference = await timesUnderLoad(scene, receiver, {
    ...LOAD,
    onStored: (keys) => keys.forEach(publish),
  });
  await bare.close();
  receiver.stop();
  await broker.close();
  await storage.close();
  const line = (way: string, times: typeof ours): string =>
    `| ${engine.name} | ${way} | ${shown(times)} | ${(times.p99 / times.p50).toFixed(1)} |`;
  return [line('forwarded', ours), line('stored and published', reference)];
}
