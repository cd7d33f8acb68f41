import { createCollector, openLink, type Collector, type Reading } from '@helioport/collector';
import { readingText } from '../ingest/fleet.ts';
import type { FleetCollector } from './fleet.ts';

export interface DriverOptions {
  /** Address of the broker or of the gateway. */
  readonly url: string;
  readonly fleet: readonly FleetCollector[];
  /** Called for each report, with the time from the report to its acknowledgement. */
  onAcknowledged(i: number, milliseconds: number): void;
}

/** A fleet of collectors in this process. */
export interface Driver {
  /** Reports for one collector what its devices measure now. @param n determines the values */
  report(i: number, n: number): void;
  /** Readings that were acknowledged as stored. */
  readonly stored: number;
  /** Readings that were refused. */
  readonly refused: number;
  /** How often something was not taken at once, by reason. */
  readonly setbacks: ReadonlyMap<string, number>;
  /** Ends and opens again the connections of these collectors at once, without what waits. */
  reconnect(from: number, to: number): Promise<void>;
  whenDelivered(): Promise<void>;
  close(): Promise<void>;
}

const obedient = { read: () => ({ value: '0' }), write: () => {} };

/** Opens all collectors at once; each obeys, so that it stays connected. */
export function createDriver({ url, fleet, onAcknowledged }: DriverOptions): Driver {
  const counts = { stored: 0, refused: 0 };
  const setbacks = new Map<string, number>();
  const begun: number[][] = fleet.map(() => []);

  const open = ({ id, tokenId, token }: FleetCollector, i: number): Collector =>
    createCollector({
      link: openLink({ url, token, collectorId: id, tokenId }),
      devices: obedient,
      onDelivered({ accepted, duplicate, refused }, report, urgency) {
        counts.stored += accepted + duplicate;
        counts.refused += refused.length;
        // A message of the backlog holds as many reports as it has readings of one device.
        const reports =
          urgency === 'live'
            ? 1
            : report.readings!.filter(({ sn }) => sn === fleet[i]!.sns[0]).length;
        for (const at of begun[i]!.splice(0, reports)) onAcknowledged(i, performance.now() - at);
      },
      onSetback: ({ reason }) => void setbacks.set(reason, (setbacks.get(reason) ?? 0) + 1),
    });
  const collectors = fleet.map(open);

  return {
    report(i, n) {
      begun[i]!.push(performance.now());
      const at = Date.now();
      collectors[i]!.report({
        readings: fleet[i]!.sns.map((sn) => ({
          ...(JSON.parse(readingText(sn, n)) as Reading),
          at,
        })),
      });
    },
    get stored() {
      return counts.stored;
    },
    get refused() {
      return counts.refused;
    },
    setbacks,
    async reconnect(from, to) {
      await Promise.all(collectors.slice(from, to).map((collector) => collector.close()));
      for (let i = from; i < to; i++) collectors[i] = open(fleet[i]!, i);
    },
    whenDelivered: async () =>
      void (await Promise.all(collectors.map((collector) => collector.whenDelivered()))),
    close: async () => void (await Promise.all(collectors.map((collector) => collector.close()))),
  };
}
