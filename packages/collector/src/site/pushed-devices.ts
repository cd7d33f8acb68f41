import type { Collector } from '../collector.ts';
import { createRecent } from '../solarman/recent.ts';
import type { PushedReading } from '../solarman/push-data.ts';
import type { DeviceDescription } from '../report.ts';

export interface PushedDevicesOptions {
  readonly collector: Pick<Collector, 'report'>;
  readonly host: string;
  /** Whether a device is polled, so that what a stick says of it adds nothing. */
  readonly isPolled: (sn: string) => boolean;
}

/** Reports what sticks push. */
export function createPushedDevices({ collector, host, isPolled }: PushedDevicesOptions) {
  const described = createRecent(1_000);
  const descriptionOf = (serial: number, sn: string): DeviceDescription => ({
    sn,
    kind: 'inverter',
    link: {
      via: 'push',
      address: host,
      unit: 1,
      stick: String(serial),
      readOnly: true,
      state: 'answering',
      timeouts: 0,
      strays: 0,
      reconnects: 0,
      droppedValues: 0,
    },
  });
  return {
    onReading(serial: number, { sn, at, values, isKept }: PushedReading & { at: number }): void {
      if (!isKept && isPolled(sn)) return;
      const isNew = !described.has(`${serial} ${sn}`);
      const isOnDisk = collector.report(
        {
          readings: [{ sn, at, values }],
          ...(isNew && { devices: [descriptionOf(serial, sn)] }),
        },
        isKept ? 'backlog' : 'live',
      );
      // Without an answer, the stick keeps it and tries again.
      if (!isOnDisk) throw new Error('the report of a stick could not be kept');
      described.add(`${serial} ${sn}`);
    },
  };
}
