// What forwarding costs and how fast it is, in some eight minutes: what recording events costs ingest, events per second to a broker, the time
// from a report to the receiver, what dead destinations cost living ones, and what a replay costs live events. With names of parts, as in
// `node benchmarks/forwarding.ts mqtt`, only these are measured, and nothing is written. Needs Mosquitto.
import process from 'node:process';
import { measureDeadDestinations } from './forwarding/dead-destinations.ts';
import { measureIngestCost } from './forwarding/ingest-cost.ts';
import { measureMqttRate } from './forwarding/mqtt-rate.ts';
import { EVENTS, measureReplayBeside } from './forwarding/replay-beside.ts';
import { measureReportToReceiver } from './forwarding/report-to-receiver.ts';
import { postgresEngine, sqliteEngine, type BenchEngine } from './ingest/engines.ts';
import { writeResults } from './support/results.ts';

interface Part {
  readonly title: string;
  readonly explanation: string;
  readonly columns: readonly string[];
  /** What limits it. */
  readonly limits?: string;
  measure(engine: BenchEngine): Promise<string | readonly string[]>;
}

const parts: Readonly<Record<string, Part>> = {
  ingest: {
    title: 'What events cost ingest',
    explanation:
      'The same batches of 500 samples with a destination that takes all of them, and without any, in turns. Target: at least 0.85.',
    columns: ['engine', 'batch', 'samples/s without', 'with events, as a share'],
    limits:
      'What is left is writing: on PostgreSQL, the write-ahead log of a batch grows from 149 to 182 kB with 10 devices, and from 253 to 367 kB with 500 ' +
      '(50 plants, each with an entry), and two statements are added. On SQLite, of the 0.4 ms of CPU time that a batch of 10 devices takes longer, packing the samples is less than 0.1 ms.',
    measure: measureIngestCost,
  },
  mqtt: {
    title: 'Events per second to MQTT',
    explanation:
      '60,000 events of 1,000 devices from the log to Mosquitto with QoS 1, connecting included, and bare publishes of the same messages with the same library, ' +
      'connected before. Target: at least 0.7.',
    columns: ['engine', 'forwarded', 'bare publishes', 'ratio'],
    limits:
      'What is left is making the events, judging access, and waiting for the acknowledgements of the last events of each page.',
    measure: measureMqttRate,
  },
  latency: {
    title: 'From a report to the receiver',
    explanation:
      '1,000 events a second, in reports of ten readings, to a subscriber of Mosquitto. Target: p99 at most twice the p50.',
    columns: ['engine', 'way', 'p50 ms', 'p99 ms', 'p99 / p50'],
    limits:
      'Storing has long times of its own, which both ways show: its p99 is several times its p50. Reading the end of the log every 25 ms adds from 0 to 25 ms to each event.',
    measure: measureReportToReceiver,
  },
  dead: {
    title: 'Dead destinations beside living ones',
    explanation:
      '1,000 HTTP destinations get an event every two seconds. Times of those 900 that stay alive. Target: the p99 unchanged within 20 %.',
    columns: ['engine', 'destinations', 'p50 ms', 'p99 ms', 'events measured'],
    measure: measureDeadDestinations,
  },
  replay: {
    title: 'Live events beside a replay',
    explanation: `A destination on MQTT gets 200 live events a second, alone and while the ${EVENTS.toLocaleString('en')} events of the log are replayed to it. A replay is read in small steps, so that its length does not matter. Target: at most twice.`,
    columns: ['engine', 'live events', 'p50 ms', 'p99 ms', 'replayed per second'],
    measure: measureReplayBeside,
  },
};

const asked = process.argv.slice(2);
const sections: string[] = [];
for (const [name, { title, explanation, columns, limits, measure }] of Object.entries(parts)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const lines: string[] = [];
  for (const open of [sqliteEngine, postgresEngine]) {
    const engine = await open();
    try {
      lines.push(...[await measure(engine)].flat());
    } finally {
      await engine.close();
    }
  }
  sections.push(
    `### ${title}\n\n${explanation}\n\n| ${columns.join(' | ')} |\n|${'---|'.repeat(columns.length)}\n${lines.join('\n')}${limits === undefined ? '' : `\n\n${limits}`}`,
  );
  console.log(sections.at(-1));
}
if (asked.length === 0) writeResults('Forwarding', 'forwarding', sections.join('\n\n'));
