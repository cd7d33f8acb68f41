import { Counter, Gauge, type Registry } from 'prom-client';
import { mailOutcomes, type MailOutcome } from '../../../../outbound/notifications/outlets/mail.ts';
import type { OutboxState } from '../../../../identity/mail/outbox.ts';

/** Metrics of e-mails: what waits, on all instances, and what this instance has done. */
export function registerMailMetrics(
  registry: Registry,
  readState: () => Promise<OutboxState>,
): { onOutcome(outcome: MailOutcome): void } {
  const registers = [registry];
  const waiting: Gauge = new Gauge({
    name: 'helioport_mails_waiting',
    help: 'E-mails that were not sent yet, on all instances',
    registers,
    // Every process reads the same.
    aggregator: 'max',
    async collect() {
      // While the database is unavailable, the other metrics are needed most, so this one must not fail.
      const state = await readState().catch(() => undefined);
      if (state) waiting.set(state.waiting);
      else waiting.reset();
    },
  });
  const outcomes = new Counter({
    name: 'helioport_mails_total',
    help: 'E-mails that this instance has dealt with, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of mailOutcomes) outcomes.labels(outcome).inc(0);
  return { onOutcome: (outcome) => outcomes.labels(outcome).inc() };
}
