import type { Registry } from 'prom-client';
import type { SearchedCollectorState } from '../../../../fleet/collectors/search.ts';
import { declareGauge, declareKnownGauge } from './declared.ts';

interface FleetFigures {
  /** How many collectors are in each state. */
  collectors(): Promise<Readonly<Record<SearchedCollectorState, number>>>;
  /** How many webhooks fail. */
  webhooksFailing(): Promise<number>;
  /** How many devices’ energies are being recalculated. */
  recalculating(): Promise<number>;
}

/** Metrics of the fleet and of what it tells people, read when scraped. All instances tell the same. */
export function registerFleetMetrics(
  registry: Registry,
  { collectors, webhooksFailing, recalculating }: FleetFigures,
): void {
  // While the database is unavailable, the other metrics are needed most, so these must not fail.
  declareGauge(registry, 'helioport_collectors', async (made) => {
    const count = await collectors().catch(() => undefined);
    made.reset();
    if (!count) return;
    for (const state of ['waiting', 'reporting', 'silent'] as const)
      made.set({ state }, count[state]);
  });
  declareKnownGauge(registry, 'helioport_webhooks_failing', webhooksFailing);
  declareKnownGauge(registry, 'helioport_recalculating_devices', recalculating);
}
