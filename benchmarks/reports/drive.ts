import { connect } from 'node:net';
import type { FleetCollector } from '../collectors/fleet.ts';
import { readingText } from '../ingest/fleet.ts';
import { post } from '../support/post.ts';

export interface Drive {
  readonly port: number;
  readonly fleet: readonly FleetCollector[];
  readonly milliseconds: number;
  /** Number of the first reading of each device; each run needs readings that nobody has reported. */
  readonly from: number;
}

export interface Driven {
  readonly reports: number;
  readonly perSecond: number;
  /** From a report to its answer. */
  readonly milliseconds: number[];
}

/** How many reports each collector has ready, so that making their text is not measured. */
const READY_PER_SECOND = 250;

/** Each collector sends a report of one reading of each of its devices as soon as the one before it was answered. */
export async function driveReports({ port, fleet, milliseconds, from }: Drive): Promise<Driven> {
  const times: number[] = [];
  const ready = fleet.map((collector) => Array.from({ length: (milliseconds * READY_PER_SECOND) / 1000 }, (_, i) => requestOf(collector, from + i)));
  const begunAt = performance.now();
  await Promise.all(
    ready.map((requests) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      let sent = 0;
      let sentAt = 0;
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      const send = (): void => {
        if (sent === requests.length || performance.now() >= begunAt + milliseconds) return void socket.end();
        sentAt = performance.now();
        socket.write(requests[sent++]!);
      };
      socket
        .on('connect', send)
        .on('error', reject)
        .on('close', () => resolve());
      socket.on('data', (chunk) => {
        const answer = chunk.toString('latin1');
        if (!answer.startsWith('HTTP/1.1 200') || !answer.includes('"accepted":3')) return reject(new Error(`unexpected answer: ${answer}`));
        times.push(performance.now() - sentAt);
        send();
      });
      return promise;
    }),
  );
  return { reports: times.length, perSecond: (times.length * 1000) / (performance.now() - begunAt), milliseconds: times };
}

function requestOf({ token, sns }: FleetCollector, n: number): Buffer {
  const body = `{"readings":[${sns.map((sn) => readingText(sn, n)).join(',')}]}`;
  return Buffer.from(post('/v1/readings', { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }, body));
}
