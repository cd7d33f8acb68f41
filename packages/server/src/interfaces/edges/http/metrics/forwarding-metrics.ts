import type { Counter, Gauge, Registry } from 'prom-client';
import { declareCounter, declareGauge } from './declared.ts';
import { sharedReading } from './shared-reading.ts';

/** How far a destination is, by its id. */
export interface DestinationFigures {
  readonly id: string;
  readonly delivered: number;
  readonly failures: number;
  readonly behindSeconds: number;
  readonly waitingDevices: number;
  readonly deadLetters: number;
}

interface ForwardingFigures {
  destinations(): Promise<readonly DestinationFigures[]>;
  /** For how long an open transaction has held events back. */
  heldSeconds(): Promise<number>;
}

/** Metrics of the destinations of events, read when scraped. All instances tell the same. */
export function registerForwardingMetrics(
  registry: Registry,
  { destinations, heldSeconds }: ForwardingFigures,
): void {
  // While the database is unavailable, the other metrics are needed most, so these must not fail.
  const figures = sharedReading(() => destinations().catch(() => []));
  const each = async (
    made: Gauge | Counter,
    read: (figure: DestinationFigures) => number,
  ): Promise<void> => {
    const all = await figures();
    made.reset();
    for (const figure of all) made.labels(figure.id).inc(read(figure));
  };
  declareGauge(registry, 'helioport_forwarding_held_seconds', async (made) =>
    made.set(await heldSeconds().catch(() => 0)),
  );
  declareCounter(registry, 'helioport_forwarding_delivered_total', (made) =>
    each(made, ({ delivered }) => delivered),
  );
  declareCounter(registry, 'helioport_forwarding_failures_total', (made) =>
    each(made, ({ failures }) => failures),
  );
  declareGauge(registry, 'helioport_forwarding_behind_seconds', (made) =>
    each(made, ({ behindSeconds }) => behindSeconds),
  );
  declareGauge(registry, 'helioport_forwarding_waiting_devices', (made) =>
    each(made, ({ waitingDevices }) => waitingDevices),
  );
  declareGauge(registry, 'helioport_forwarding_dead_letters', (made) =>
    each(made, ({ deadLetters }) => deadLetters),
  );
}
