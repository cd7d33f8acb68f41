import { Agent, request } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

/** A request as it goes over the wire. */
export interface FloodRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What `flood` is given. */
export interface Flood {
  /** Sent in turn. */
  readonly requests: readonly FloodRequest[];
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Requests at a steady pace, whether or not they are answered, in a thread of their own, so that who measures is not kept from it. They come
 * from all over a network such as one site has. Posts `begun`, and in the end how often each status was the answer.
 */
const { requests, perSecond, seconds } = workerData as Flood;
const EVERY_MS = 25;
/** More do not wait for an answer at once: what one machine has sockets for. */
const OPEN_AT_MOST = 500;

const agent = new Agent({ keepAlive: true, maxSockets: OPEN_AT_MOST });
const statuses: Record<string, number> = {};
const count = (status: number | string): void =>
  void (statuses[status] = (statuses[status] ?? 0) + 1);
let [sent, open] = [0, 0];

function send({ url, method, headers, body }: FloodRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const address = `2001:db8:7:${(sent++ % 65_536).toString(16)}::1`;
  const outgoing = request(
    url,
    {
      method,
      agent,
      headers: {
        ...headers,
        'X-Forwarded-For': address,
        'Content-Length': Buffer.byteLength(body),
      },
    },
    (answer) => {
      answer.resume();
      answer.on('close', () => {
        count(answer.statusCode!);
        resolve();
      });
    },
  );
  outgoing.on('error', () => {
    count('unanswered');
    resolve();
  });
  outgoing.end(body);
  return promise;
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, not of a window
parentPort!.postMessage('begun');
const began = Date.now();
const answers: Promise<void>[] = [];
while (Date.now() < began + seconds * 1000) {
  const due = Math.floor(((Date.now() - began) * perSecond) / 1000);
  for (; sent < due && open < OPEN_AT_MOST; open++) {
    answers.push(
      send(requests[sent % requests.length]!).finally(() => {
        open -= 1;
      }),
    );
  }
  await new Promise((done) => {
    setTimeout(done, EVERY_MS);
  });
}
await Promise.all(answers);
agent.destroy();
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- of a thread, not of a window
parentPort!.postMessage(statuses);
