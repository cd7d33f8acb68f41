// Measurements on PostgreSQL compared with a Cassandra cluster: reports through the gateway, disk space of a sample, and how long reads take.
// HELIOPORT_BENCH_SECONDS is the time for each kind of report.
import process from 'node:process';
import { insertCollector } from '../packages/server/src/fleet/collectors/collectors.ts';
import { assignCollector } from '../packages/server/src/fleet/devices/devices.ts';
import { bindDevice } from '../packages/server/src/fleet/plants/bindings.ts';
import { findCassandra } from '../test/support/cassandra/jars.ts';
import { serve } from '../test/support/server-process.ts';
import { createWorld, settableClock } from '../test/support/world.ts';
import { createDesk } from './fleet/desk.ts';
import { readingText } from './ingest/fleet.ts';
import { cassandraEngine, postgresEngine, type SeriesEngine } from './series/engines.ts';
import { quantile } from './support/quantiles.ts';
import { writeResults } from './support/results.ts';

const SECONDS = Number(process.env['HELIOPORT_BENCH_SECONDS'] ?? 20);
const ROUNDS = 50;
const PLANTS = 10;
const DEVICES_A_PLANT = 100;
const ALONE = 16;
/** Two reports of a thousand devices are on their way at a time. */
const TOGETHER = 2;

interface Sender {
  readonly token: string;
  readonly sns: readonly string[];
  /** The interval that is reported next. */
  next: number;
}

const lines: string[] = [];
for (const open of await engines()) {
  const engine = await open();
  try {
    lines.push(await measure(engine));
    console.log(lines.at(-1));
  } finally {
    await engine.close();
  }
}
writeResults('Series engines', 'series', report());

async function engines(): Promise<(() => Promise<SeriesEngine>)[]> {
  const jars = await findCassandra();
  if (jars === undefined) throw new Error('Cassandra is not there');
  return [postgresEngine, () => cassandraEngine(jars, 1), () => cassandraEngine(jars, 3)];
}

async function measure(engine: SeriesEngine): Promise<string> {
  const { db } = engine.storage;
  const clock = settableClock('2026-12-31T00:00:00Z');
  const world = createWorld(() => ({ db }), clock);
  const owner = await world.person();
  const collectorIn = (plantId: string): Promise<{ id: string; token: string }> =>
    world.write(async (trx) => {
      const added = await insertCollector(trx, world.act(), { sn: world.uniqueSn('COL') });
      await bindDevice(trx, world.act(), added.id, plantId);
      return added;
    });
  const deviceOf = async (plantId: string, collectorId: string): Promise<string> => {
    const { id, sn } = await world.device(plantId, { ratedPowerW: 10_000 });
    await world.write((trx) => assignCollector(trx, id, collectorId));
    return sn;
  };
  const together: Sender[] = [];
  const plantIds: string[] = [];
  for (let i = 0; i < PLANTS; i++) plantIds.push(await world.plant(owner.id));
  for (let n = 0; n < TOGETHER; n++) {
    const collector = await collectorIn(plantIds[0]!);
    const sns: string[] = [];
    for (let i = 0; i < PLANTS * DEVICES_A_PLANT; i++)
      sns.push(await deviceOf(plantIds[i % PLANTS]!, collector.id));
    together.push({ token: collector.token, sns, next: 0 });
  }
  const alone: Sender[] = [];
  for (let n = 0; n < ALONE; n++) {
    const plantId = await world.plant((await world.person()).id);
    const collector = await collectorIn(plantId);
    alone.push({ token: collector.token, sns: [await deviceOf(plantId, collector.id)], next: 0 });
  }

  const server = serve(process.cwd(), {
    ...engine.environment,
    HELIOPORT_ROLES: 'gateway',
    HELIOPORT_COLLECTOR_RATE_LIMIT: 'off',
  });
  const { gateway } = await server.started;
  const rates = [await rate(gateway!, alone), await rate(gateway!, together)];
  server.kill('SIGTERM');
  await server.ended;

  const samples = [...alone, ...together].reduce(
    (sum, { sns, next }) => sum + sns.length * next,
    0,
  );
  const { samples: sampleBytes, rollups } = await engine.bytes();
  const copies = engine.name.includes('three') ? 3 : 1;
  const ask = createDesk(db, engine.series, clock);
  const questions = [
    ['inverterDetail', { sn: together[0]!.sns[0]! }],
    ['userStationList', {}],
    ['inverterDay', { sn: alone[0]!.sns[0]!, time: '2026-06-01' }],
  ] as const;
  const times: string[] = [];
  for (const [id, body] of questions) {
    const account = id === 'inverterDay' ? await ownerOf(alone[0]!.sns[0]!) : owner.id;
    const taken: number[] = [];
    for (let round = -10; round < ROUNDS; round++) {
      const since = performance.now();
      await ask(account, id, body);
      if (round >= 0) taken.push(performance.now() - since);
    }
    times.push(`${quantile(taken, 0.5).toFixed(1)} / ${quantile(taken, 0.99).toFixed(1)}`);
  }
  const perSample = (sampleBytes / copies / samples).toFixed(0);
  return `| ${engine.name} | ${rates.map((each) => each.toFixed(0)).join(' | ')} | ${perSample} | ${(rollups / copies / samples).toFixed(0)} | ${times.join(' | ')} |`;

  async function ownerOf(sn: string): Promise<string> {
    const query = db
      .selectFrom('device')
      .innerJoin('plant', 'plant.id', 'device.plantId')
      .select('plant.ownerId');
    return (await query.where('device.sn', '=', sn).executeTakeFirstOrThrow()).ownerId;
  }
}

/** Samples a second: each sender reports the next interval of all of its devices, one report after the other. */
async function rate(gateway: string, senders: readonly Sender[]): Promise<number> {
  const since = performance.now();
  let stored = 0;
  await Promise.all(
    senders.map(async (sender) => {
      while (performance.now() - since < SECONDS * 1000) {
        const answer = await fetch(`${gateway}/v1/readings`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${sender.token}`, 'Content-Type': 'application/json' },
          body: `{"readings":[${sender.sns.map((sn) => readingText(sn, sender.next)).join(',')}]}`,
        });
        const { accepted } = (await answer.json()) as { accepted: number };
        if (accepted !== sender.sns.length)
          throw new Error(`${answer.status}: ${accepted} accepted`);
        sender.next += 1;
        stored += accepted;
      }
    }),
  );
  return stored / ((performance.now() - since) / 1000);
}

function report(): string {
  return `Reports of one device each, from ${ALONE} collectors, and of ${PLANTS * DEVICES_A_PLANT} devices each, from ${TOGETHER}: one reading of twelve values for each device, through the
gateway of one server. PostgreSQL writes to disk before it acknowledges, nodes every second (\`commitlog_sync: periodic\`), which three copies make up for. Bytes are those of one copy, after compaction; all devices report the same values, which
compresses better than those of a fleet (31 bytes a sample, docs/series-engines.md). Reads are of operations without HTTP: a detail, a list of ${PLANTS} plants with
${TOGETHER * PLANTS * DEVICES_A_PLANT} devices, and a day's chart. All nodes, PostgreSQL and the server share the machine.

| engine | samples/s, 1 device a report | samples/s, 1,000 devices | bytes a sample | of roll-ups | inverterDetail, p50 / p99 ms | userStationList | inverterDay |
|---|---|---|---|---|---|---|---|
${lines.join('\n')}`;
}
