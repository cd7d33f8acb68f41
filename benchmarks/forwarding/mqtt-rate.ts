import type { OutgoingEvent } from '../../packages/server/src/outbound/sinks/sink.ts';
import type { BenchEngine } from '../ingest/engines.ts';
import { median, quantile } from '../support/quantiles.ts';
import { createBarePublisher } from './bare-publisher.ts';
import { startBroker } from './broker.ts';
import { createScene } from './scene.ts';

const DEVICES = 1000;
const EACH = 60;
const PAIRS = 4;

/** Events per second from the log to a broker, beside bare publishes of the same messages. */
export async function measureMqttRate(engine: BenchEngine): Promise<string> {
  const broker = await startBroker();
  const storage = await engine.open();
  const scene = await createScene(storage, DEVICES);
  await scene.connect([broker.url]);
  const bare = await createBarePublisher(broker.url);
  const pairs: { ours: number; bare: number }[] = [];
  for (let pair = -1; pair < PAIRS; pair++) {
    for (let n = 0; n < EACH; n++) await scene.report(scene.sns);
    const events: OutgoingEvent[] = [];
    const all = Promise.withResolvers<void>();
    const begun = performance.now();
    const delivery = await scene.deliver((sent) => {
      events.push(...sent);
      if (events.length >= DEVICES * EACH) all.resolve();
    });
    await all.promise;
    const ours = (events.length * 1000) / (performance.now() - begun);
    await delivery.stop();
    const bareBegun = performance.now();
    await bare.publishAll(events);
    const reference = (events.length * 1000) / (performance.now() - bareBegun);
    if (pair >= 0) pairs.push({ ours, bare: reference });
  }
  await bare.close();
  await broker.close();
  await storage.close();
  const ratios = pairs.map((pair) => pair.ours / pair.bare);
  const [ours, reference] = (['ours', 'bare'] as const).map((way) =>
    Math.round(median(pairs.map((pair) => pair[way]))),
  );
  const spread = `${quantile(ratios, 0.1).toFixed(2)} to ${quantile(ratios, 0.9).toFixed(2)}`;
  return `| ${engine.name} | ${ours} | ${reference} | **${median(ratios).toFixed(2)}** (${spread}) |`;
}
