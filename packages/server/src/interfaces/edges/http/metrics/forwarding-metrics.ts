import { Gauge, type Registry } from 'prom-client';

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
  // One query for all, however many metrics are read from it.
  let reading: Promise<readonly DestinationFigures[]> | undefined;
  const figures = (): Promise<readonly DestinationFigures[]> =>
    (reading ??= destinations()
      // While the database is unavailable, the other metrics are needed most, so this one must not fail.
      .catch(() => [])
      .finally(() => {
        reading = undefined;
      }));
  const gauge = (
    name: string,
    help: string,
    read: (figure: DestinationFigures) => number,
  ): void => {
    const made: Gauge<'destination'> = new Gauge({
      name,
      help,
      labelNames: ['destination'],
      registers: [registry],
      aggregator: 'max',
      async collect() {
        const all = await figures();
        made.reset();
        for (const figure of all) made.labels(figure.id).set(read(figure));
      },
    });
  };
  const held: Gauge = new Gauge({
    name: 'helioport_forwarding_held_seconds',
    help: 'Age of the oldest event that an open transaction of the database holds back; 0 if there is none',
    registers: [registry],
    aggregator: 'max',
    async collect() {
      held.set(await heldSeconds().catch(() => 0));
    },
  });
  gauge(
    'helioport_forwarding_delivered',
    'Events delivered so far, by destination',
    ({ delivered }) => delivered,
  );
  gauge(
    'helioport_forwarding_failures',
    'Attempts that failed so far, by destination',
    ({ failures }) => failures,
  );
  gauge(
    'helioport_forwarding_behind_seconds',
    'Age of the oldest event that was not dealt with, by destination',
    ({ behindSeconds }) => behindSeconds,
  );
  gauge(
    'helioport_forwarding_waiting_devices',
    'Devices whose events wait for another attempt, by destination',
    ({ waitingDevices }) => waitingDevices,
  );
  gauge(
    'helioport_forwarding_dead_letters',
    'Events that were given up, by destination',
    ({ deadLetters }) => deadLetters,
  );
}
