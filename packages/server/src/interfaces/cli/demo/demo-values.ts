import { DAY_MS } from '@helioport/contract/durations';
import type { RequestValues } from '@helioport/reference';
import type { DemoCredentials } from './demo-file.ts';
import { fleet } from './demo-fleet.ts';

/** Devices of the demo's owner that are not in any plant, for requests that bind devices. */
export const spares = { collectorSn: 'HC260100009', inverterSn: 'HI260100009' } as const;

/** Values for the requests that a demo server's reference shows: reads use its first plant and yesterday, changes its last plant and the spare devices. */
export function demoValues({ plants }: DemoCredentials, now: number): RequestValues {
  const { collectorSn, specification } = fleet[0]!;
  const day = new Date(now - DAY_MS).toISOString().slice(0, 10);
  const days = {
    day,
    month: day.slice(0, 7),
    year: day.slice(0, 4),
    firstDay: new Date(now - 6 * DAY_MS).toISOString().slice(0, 10),
  };
  return {
    reads: {
      ...days,
      plantId: plants[0]?.plantId,
      inverterSn: specification.inverters[0]?.sn,
      collectorSn,
      epmSn: specification.meterSn,
      weatherSn: specification.weatherStationSn,
    },
    writes: { ...days, ...spares, plantId: plants.at(-1)?.plantId },
  };
}
