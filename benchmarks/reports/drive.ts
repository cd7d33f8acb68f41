import { Agent, request } from 'node:http';
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
  readonly client: Client;
}

/** `ready` writes requests that were made before; `http` is Node's own client, which makes each when it is due, as a program would. */
export type Client = 'ready' | 'http';

export interface Driven {
  readonly reports: number;
  readonly perSecond: number;
  /** From a report to its answer. */
  readonly milliseconds: number[];
}

/** How many reports each collector has ready, so that making their text is not measured. */
const READY_PER_SECOND = 250;

/** Each collector sends a report of one reading of each of its devices as soon as the one before it was answered. */
export async function driveReports({
  port,
  fleet,
  milliseconds,
  from,
  client,
}: Drive): Promise<Driven> {
  const times: number[] = [];
  const collectors = fleet.map((collector) =>
    openers[client](port, collector, from, (milliseconds * READY_PER_SECOND) / 1000),
  );
  const begunAt = performance.now();
  const until = begunAt + milliseconds;
  await Promise.all(
    collectors.map(async ({ send, close }) => {
      for (let sentAt = begunAt; sentAt < until; sentAt = performance.now()) {
        const answer = await send();
        if (answer === undefined) break;
        if (!answer.includes('"accepted":3')) throw new Error(`unexpected answer: ${answer}`);
        times.push(performance.now() - sentAt);
      }
      close();
    }),
  );
  return {
    reports: times.length,
    perSecond: (times.length * 1000) / (performance.now() - begunAt),
    milliseconds: times,
  };
}

interface Connection {
  /** Sends the next report and gives its answer; undefined when all have been sent. */
  send(): Promise<string | undefined>;
  close(): void;
}

type Opener = (port: number, collector: FleetCollector, from: number, most: number) => Connection;

const openers: Readonly<Record<Client, Opener>> = { ready: openReady, http: openHttp };

function openReady(
  port: number,
  collector: FleetCollector,
  from: number,
  most: number,
): Connection {
  const requests = Array.from({ length: most }, (_, i) => requestOf(collector, from + i));
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let answered = Promise.withResolvers<string>();
  socket
    .on('error', (error) => answered.reject(error))
    .on('data', (chunk) => answered.resolve(chunk.toString('latin1')));
  let sent = 0;
  return {
    async send() {
      if (sent === requests.length) return undefined;
      answered = Promise.withResolvers<string>();
      socket.write(requests[sent++]!);
      return answered.promise;
    },
    close: () => socket.end(),
  };
}

function openHttp(port: number, collector: FleetCollector, from: number): Connection {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  let n = from;
  return {
    send: () => {
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const body = bodyOf(collector, n++);
      const headers = {
        authorization: `Bearer ${collector.token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      const sending = request(
        { agent, port, host: '127.0.0.1', method: 'POST', path: '/v1/readings', headers },
        (response) => {
          let answer = '';
          response
            .setEncoding('utf8')
            .on('data', (part: string) => (answer += part))
            .on('end', () => resolve(answer))
            .on('error', reject);
        },
      );
      sending.on('error', reject).end(body);
      return promise;
    },
    close: () => agent.destroy(),
  };
}

function requestOf(collector: FleetCollector, n: number): Buffer {
  return Buffer.from(
    post(
      '/v1/readings',
      { Authorization: `Bearer ${collector.token}`, 'Content-Type': 'application/json' },
      bodyOf(collector, n),
    ),
  );
}

const bodyOf = ({ sns }: FleetCollector, n: number): string =>
  `{"readings":[${sns.map((sn) => readingText(sn, n)).join(',')}]}`;
