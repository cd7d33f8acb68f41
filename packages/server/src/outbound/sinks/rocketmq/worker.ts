import os from 'node:os';
import { setDefaultCACertificates } from 'node:tls';
import { parentPort, workerData } from 'node:worker_threads';
import { withPackage } from '../../../platform/kernel/surroundings/optional-package.ts';
import { randomHex } from '../../../platform/kernel/secrets.ts';
import { mayReach } from '../../../platform/egress/addresses.ts';
import type { SinkOrder, Word, WorkerSettings } from './messages.ts';
import { restrictConnections } from './restrict.ts';

const settings = workerData as WorkerSettings;
const { allowed, encrypted, caCertificates } = settings;

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- that is for windows; a thread's port has no origin
const say = (word: Word): void => parentPort!.postMessage(word);

const asked = new Map<number, PromiseWithResolvers<readonly string[]>>();
let questions = 0;

restrictConnections({
  mayConnect: (address) => mayReach(address, allowed, encrypted),
  resolve(host) {
    const question = Promise.withResolvers<readonly string[]>();
    asked.set(++questions, question);
    say({ kind: 'resolve', number: questions, host });
    return question.promise;
  },
});
// The client has no setting for it. It holds for this thread alone.
if (caCertificates !== null) setDefaultCACertificates([caCertificates]);

// The client tells every broker the name of the machine; it also keeps clients apart by it.
os.hostname = () => `helioport-${randomHex(6)}`;

// Loaded after the restriction, so that nothing can have kept what it replaces.
const { createEventProducer } = await withPackage(
  'rocketmq-client-nodejs@1',
  () => import('./producer.ts'),
);
const producer = createEventProducer(settings);

parentPort!.on('message', async (order: SinkOrder) => {
  const { number } = order;
  if (order.kind === 'send')
    return say({ kind: 'sent', number, ...(await producer.send(order.events)) });
  const question = asked.get(number);
  asked.delete(number);
  if (order.addresses) question?.resolve(order.addresses);
  else question?.reject(new Error('the host may not be reached'));
});
