import type { DeviceKind } from '@helioport/contract';
import type { HistoryAccount, AskedOperation } from './account.ts';
import { answeredNumber, rowOf, rowsIn, textIn, type ForeignRow } from './answers.ts';

/** Kinds of device of which the signed interface has a history. */
export type HistoryKind = Extract<DeviceKind, 'inverter' | 'epm'>;

/** A device of an account. */
export interface DeviceThere {
  readonly sn: string;
  readonly kind: HistoryKind;
  readonly plant: string;
  /** UTC offset of its plant, hours; undefined if it is not known. */
  readonly zoneHours: number | undefined;
}

const LISTS: readonly (readonly [HistoryKind, AskedOperation])[] = [
  ['inverter', 'inverterList'],
  ['epm', 'epmList'],
];

const PAGE_SIZE = 100;
const PAGES_AT_MOST = 1_000;

/** All devices of an account that have a history, by serial number. */
export async function listDevicesThere(account: HistoryAccount): Promise<Map<string, DeviceThere>> {
  const found = new Map<string, DeviceThere>();
  for (const [kind, operation] of LISTS) {
    for (let pageNo = 1; pageNo <= PAGES_AT_MOST; pageNo++) {
      const data = rowOf(await account.ask(operation, { pageNo, pageSize: PAGE_SIZE }));
      const page = 'page' in data ? rowOf(data['page']) : data;
      // A page has as many as were asked for: what somebody else's server sends beyond is not kept.
      const rows = rowsIn(page['records']).slice(0, PAGE_SIZE);
      const before = found.size;
      for (const row of rows) {
        const device = deviceOf(row, kind);
        if (device && !found.has(device.sn)) found.set(device.sn, device);
      }
      // A page that shows nothing new is the last one, or one that is repeated.
      if (found.size === before || pageNo >= (answeredNumber(page['pages']) ?? pageNo)) break;
    }
  }
  return found;
}

function deviceOf(row: ForeignRow, kind: HistoryKind): DeviceThere | undefined {
  const sn = textIn(row, 'sn');
  if (sn === undefined || sn.length > 64) return undefined;
  return {
    sn,
    kind,
    plant: textIn(row, 'stationName') ?? textIn(row, 'stationId') ?? '',
    zoneHours: answeredNumber(row['timeZone']),
  };
}
