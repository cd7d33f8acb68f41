import type { Clock } from '../platform/kernel/clock.ts';
import { lazily } from '../platform/kernel/lazily.ts';
import { createDatabaseClock } from '../platform/storage/database-clock.ts';
import type { LaneHandler } from '../platform/work/lane.ts';
import { createRunner, type Runner } from '../platform/work/runner.ts';
import { operationSourcesOf, type Base } from './base.ts';
import type { LaneDeps } from './lanes.ts';
import type { ServingBase } from './serve.ts';

/** Scheduled work, as opposed to requests, forwarding included. Every instance with the role `worker` does its share. */
export async function composeWorker(base: ServingBase): Promise<Runner> {
  const [
    { createLanes },
    { createDispatcher },
    { createForwardingWatch },
    { createUseCounts },
    { createNotificationLanes },
    { openSink },
    { tracedSink },
  ] = await Promise.all([
    import('./lanes.ts'),
    import('../outbound/forwarding/dispatcher/dispatcher.ts'),
    import('../outbound/forwarding/dispatcher/watch.ts'),
    import('../identity/oauth/uses/count-uses.ts'),
    import('../outbound/notifications/lanes.ts'),
    import('../outbound/sinks/open.ts'),
    import('../outbound/sinks/traced-sink.ts'),
  ]);
  const { db, logger } = base;
  const clock = createDatabaseClock(db, base.clock);
  const worked = { ...base, clock };
  const hooks = await registerMetrics(base, clock);
  const uses = createUseCounts(worked);
  const dispatcher = createDispatcher({
    ...worked,
    uses,
    openSink: async (destination) => {
      const sink = await openSink(destination, base);
      return base.traces ? tracedSink(sink, destination, base.traces, base.clock) : sink;
    },
  });
  const watch = createForwardingWatch(worked);
  const lanes = createLanes({
    ...worked,
    mail: await composeMail(base, clock),
    writeExports: composeExports(base, clock),
    notifications: createNotificationLanes(worked),
    forward: dispatcher,
  });
  const runner = createRunner({ db, clock, logger, wakeUps: base.wakeUps, ...hooks, lanes });
  return {
    runDue: runner.runDue,
    async start() {
      await runner.start();
      watch.start();
    },
    async stop() {
      dispatcher.close();
      await Promise.all([watch.stop(), runner.stop()]);
      await uses.close();
    },
  };
}

async function registerMetrics({ db, metrics }: ServingBase, clock: Clock) {
  const [
    { registerWorkMetrics },
    { countTasks },
    { registerForwardingMetrics },
    { registerFleetMetrics },
    { listDestinations },
    { findHeld },
    { countCollectors },
    { countFailing },
    { readRecalculation },
  ] = await Promise.all([
    import('../interfaces/edges/http/metrics/work-metrics.ts'),
    import('../platform/work/queue.ts'),
    import('../interfaces/edges/http/metrics/forwarding-metrics.ts'),
    import('../interfaces/edges/http/metrics/fleet-metrics.ts'),
    import('../outbound/forwarding/destinations/reports.ts'),
    import('../platform/events/held.ts'),
    import('../fleet/collectors/search.ts'),
    import('../outbound/notifications/webhooks-failing.ts'),
    import('../fleet/plants/tariffs/recalculation.ts'),
  ]);
  registerForwardingMetrics(metrics, {
    destinations: () => listDestinations(db, clock.now(), {}),
    heldSeconds: async () => {
      const held = await findHeld(db);
      return held ? Math.max(0, clock.now() - held.since) / 1000 : 0;
    },
  });
  registerFleetMetrics(metrics, {
    collectors: () => countCollectors(db, clock.now()),
    webhooksFailing: () => countFailing(db),
    recalculating: async () => (await readRecalculation(db)).waiting,
  });
  return registerWorkMetrics(metrics, () => countTasks(db, clock.now()));
}

/** E-mails and the links in them, if the operator has set an SMTP server. */
async function composeMail(base: ServingBase, clock: Clock): Promise<LaneDeps['mail']> {
  const { config, outbox, db, metrics } = base;
  const { smtpUrl: url, mailFrom: from } = config;
  if (url === null || from === null || !outbox) return undefined;
  const [
    { createMailDelivery },
    { createSmtp },
    { registerMailMetrics },
    { readOutbox },
    { createMailTokenAnswers },
  ] = await Promise.all([
    import('../outbound/notifications/outlets/mail.ts'),
    import('../identity/mail/smtp.ts'),
    import('../interfaces/edges/http/metrics/mail-metrics.ts'),
    import('../identity/mail/outbox.ts'),
    import('../identity/accounts/mail-tokens/answer.ts'),
  ]);
  const { onOutcome } = registerMailMetrics(metrics, () => readOutbox(db));
  const smtp = createSmtp({ url, from });
  return {
    send: createMailDelivery({ ...base, clock, smtp, onOutcome }),
    answerTokens: createMailTokenAnswers({ ...base, clock, outbox }),
  };
}

/** Writes exports. What it asks is imported with the first export. */
function composeExports(base: Base, clock: Clock): LaneHandler {
  const created = lazily(async () => {
    const [{ createExports }, { askAs }, { createOperations }] = await Promise.all([
      import('../data-rights/exports/job.ts'),
      import('../interfaces/operations/as-account.ts'),
      import('../interfaces/operations/index.ts'),
    ]);
    const handlers = createOperations(operationSourcesOf(base));
    return createExports({ ...base, clock, askAs: askAs(handlers) });
  });
  return { run: async (run) => (await created()).run(run) };
}
