import { readDestinationAddress } from '../address.ts';
import { sendInTime, SEND_MS } from '../send-in-time.ts';
import type { OpenSink, OutgoingEvent, Outcome, RocketMqDestination } from '../sink.ts';
import { startWorker, type RunningWorker } from './running-worker.ts';

const EVENTS_PER_SEND = 32;

/** Pauses before a client that failed is started again: doubled with each failure in a row. */
const PAUSE_MS = { first: 1_000, most: 60_000 };

/** Of three requests in a row the last must still fail within the time limit of an attempt: the client says why, the limit does not. */
const REQUESTS_PER_ATTEMPT = 5;

/** Sends events through the official client, in a thread of its own for each destination: whatever it throws ends that thread alone. */
export const openRocketMqSink: OpenSink<RocketMqDestination> = async (
  destination,
  { egress, clock, logger, limitMs = SEND_MS },
) => {
  const { topic, username, password, caCertificates } = destination;
  const { host, port, encrypted } = readDestinationAddress(destination.url);
  const settings = {
    endpoint: `${host}:${port}`,
    encrypted,
    topic,
    username,
    password,
    caCertificates,
    allowed: egress.allowed,
    requestMs: Math.max(1_000, Math.floor(limitMs / REQUESTS_PER_ATTEMPT)),
  };
  let running: RunningWorker | undefined;
  let failures = 0;
  let notBefore = 0;

  function start(): RunningWorker {
    const worker = startWorker(settings, egress);
    void worker.ended.then((reason) => {
      if (running !== worker) return;
      running = undefined;
      notBefore = clock.now() + Math.min(PAUSE_MS.most, PAUSE_MS.first * 2 ** failures++);
      logger.warn(
        { destination: destination.id, reason: reason.message },
        'a RocketMQ client ended',
      );
    });
    return worker;
  }

  /** Ends a client that cannot be made to stop, or never connected. */
  function end(worker: RunningWorker): void {
    if (running === worker) running = undefined;
    void worker.end();
  }

  async function sendAll(events: readonly OutgoingEvent[], signal: AbortSignal): Promise<Outcome> {
    if (!running) await egress.resolve(host, encrypted);
    signal.throwIfAborted();
    const pauseMs = notBefore - clock.now();
    if (!running && pauseMs > 0)
      return {
        kind: 'failed',
        reason: 'the RocketMQ client failed, and is started again after a pause',
        retryAfterMs: pauseMs,
      };
    const worker = (running ??= start());
    const onAbort = (): void => end(worker);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const { outcome, isStarted } = await worker.send(events);
      if (!isStarted) end(worker);
      if (outcome.kind === 'delivered') failures = 0;
      return outcome;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    atMost: EVENTS_PER_SEND,
    send: (events, stop) => sendInTime((signal) => sendAll(events, signal), stop, limitMs),
    async close() {
      const worker = running;
      running = undefined;
      await worker?.end();
    },
  };
};
