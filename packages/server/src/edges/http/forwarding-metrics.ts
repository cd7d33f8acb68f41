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

/** Metrics of the destinations of events, read when scraped. All instances tell the same. */
export function registerForwardingMetrics(registry: Registry, readFigures: () => Promise<readonly DestinationFigures[]>): void {
  // One query for all, however many metrics are read from it.
  let reading: Promise<readonly DestinationFigures[]> | undefined;
  const figures = (): Promise<readonly DestinationFigures[]> =>
    (reading ??= readFigures()
      // While the database is unavailable, the other metrics are needed most, so this one must not fail.
      .catch(() => [])
      .finally(() => {
        reading = undefined;
      }));
  const gauge = (name: string, help: string, read: (figure: DestinationFigures) => number): void => {
    const made: Gauge<'destination'> = new Gauge({
      name,
      help,
      labelNames: ['destination'],
      registers: [registry],
      async collect() {
        const all = await figures();
        made.reset();
        for (const figure of all) made.labels(figure.id).set(read(figure));
      },
    });
  };
  gauge('helioport_forwarding_delivered', 'Events delivered so far, by destination', ({ delivered }) => delivered);
  gauge('helioport_forwarding_failures', 'Attempts that failed so far, by destination', ({ failures }) => failures);
  gauge('helioport_forwarding_behind_seconds', 'Age of the oldest event that was not dealt with, by destination', ({ behindSeconds }) => behindSeconds);
  gauge('helioport_forwarding_waiting_devices', 'Devices whose events wait for another attempt, by destination', ({ waitingDevices }) => waitingDevices);
  gauge('helioport_forwarding_dead_letters', 'Events that were given up, by destination', ({ deadLetters }) => deadLetters);
}
