import type { Registry } from 'prom-client';
import { mailOutcomes, type MailOutcome } from '../../../../outbound/notifications/outlets/mail.ts';
import { declareCounter, declareGauge } from './declared.ts';
import type { OutboxState } from '../../../../identity/mail/outbox.ts';

/** Metrics of e-mails: what waits, on all instances, and what this instance has done. */
export function registerMailMetrics(
  registry: Registry,
  readState: () => Promise<OutboxState>,
): { onOutcome(outcome: MailOutcome): void } {
  declareGauge(registry, 'helioport_mails_waiting', async (made) => {
    // While the database is unavailable, the other metrics are needed most, so this one must not fail.
    const state = await readState().catch(() => undefined);
    if (state) made.set(state.waiting);
    else made.reset();
  });
  const outcomes = declareCounter(registry, 'helioport_mails_total');
  for (const outcome of mailOutcomes) outcomes.labels(outcome).inc(0);
  return { onOutcome: (outcome) => outcomes.labels(outcome).inc() };
}
