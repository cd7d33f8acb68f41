import { stateOf, type State } from '../../parts/state-badge.tsx';
import type { Device } from './device.ts';

/** What is known of every device, under one name for all kinds. */
export interface About {
  readonly sn: string;
  readonly name: string | undefined;
  readonly model: string | undefined;
  readonly state: State;
  /** Time of the last report; undefined if it never reported. */
  readonly reportedAt: number | undefined;
  readonly firmware: readonly string[];
  readonly plantId: string;
  /** The collector that reports for it. */
  readonly collectorId: string | undefined;
}

const known = (text: string | undefined, unknown = ''): string | undefined =>
  text === undefined || text === unknown ? undefined : text;

const instantOf = (digits: string | undefined): number | undefined =>
  digits === undefined || digits === '0' ? undefined : Number(digits);

export function aboutOf({ kind, record }: Device): About {
  const common = {
    sn: record.sn ?? '',
    name: known(record.name),
    state: stateOf(record.state),
    reportedAt: instantOf(record.dataTimestamp),
    plantId: record.stationId ?? '',
  };
  switch (kind) {
    case 'inverter': {
      const display = known(record.hmiVersionAll, '0000');
      const firmware = [record.version, record.version2, display].filter(
        (one) => one !== undefined,
      );
      return {
        ...common,
        model: known(record.machine ?? record.model),
        firmware,
        collectorId: known(record.collectorId, '0'),
      };
    }
    case 'collector':
      return {
        ...common,
        model: known(record.model),
        firmware: record.version === undefined ? [] : [record.version],
        collectorId: undefined,
      };
    case 'epm':
      return {
        ...common,
        model: known(record.epmModel),
        firmware: [],
        collectorId: known(record.collectorId),
      };
    case 'weather':
      return {
        ...common,
        model: known(record.weatherModel),
        firmware: [],
        collectorId: known(record.collectorId),
      };
    case 'ammeter':
      return { ...common, model: undefined, firmware: [], collectorId: known(record.collectorId) };
  }
}
