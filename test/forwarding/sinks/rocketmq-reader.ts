import { parentPort, workerData } from 'node:worker_threads';
import { SimpleConsumer } from 'rocketmq-client-nodejs';

export interface ReaderSettings {
  readonly port: number;
  readonly topic: string;
  readonly group: string;
  readonly username: string;
  readonly password: string;
}

/** A message as the official consumer sees it. */
export interface ReadMessage {
  readonly id: string;
  readonly body: string;
  readonly tag: string | undefined;
  readonly group: string | undefined;
  readonly keys: readonly string[];
  readonly properties: Record<string, string>;
}

const { port, topic, group, username, password } = workerData as ReaderSettings;
const quiet = { info() {}, warn() {}, error() {} };

const consumer = new SimpleConsumer({
  endpoints: `127.0.0.1:${port}`,
  namespace: '',
  consumerGroup: group,
  subscriptions: new Map([[topic, '*']]),
  sessionCredentials: { accessKey: username, accessSecret: password },
  awaitDuration: 1_000,
  logger: quiet,
});
await consumer.startup();
parentPort!.on('message', () => process.exit());
for (;;) {
  for (const message of await consumer.receive(32, 15_000).catch(() => [])) {
    await consumer.ack(message);
    const read: ReadMessage = {
      id: message.keys[0]!,
      body: message.body.toString('utf8'),
      tag: message.tag,
      group: message.messageGroup,
      keys: message.keys,
      properties: Object.fromEntries(message.properties),
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
    parentPort!.postMessage(read);
  }
}
