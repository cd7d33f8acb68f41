import type { DeviceRecord } from '../records/index.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { zoneDateTime } from './field-kinds/local-time.ts';
import { deviceZoneFields, presenceCodes, reportFields } from './shared.ts';

/** The last reading's time on the plant's clock. */
export const reportedLocally = ({
  lastReportAt,
  plant: { zone },
}: DeviceRecord): string | undefined =>
  lastReportAt === undefined || lastReportAt === null
    ? undefined
    : zoneDateTime(lastReportAt, zone.name);

/** The first fields of the records of EPM units, weather stations and ammeters. */
export const deviceWireFields = <R extends DeviceRecord>(
  zoneText: Parameters<typeof deviceZoneFields>[0] = {},
) => {
  const f = fieldsOf<R>();
  return [
    f.id('id', (r) => r.id, 'id of the device'),
    f.text('sn', (r) => r.sn, 'serial number'),
    f.text('name', (r) => r.name, 'name'),
    f.id('stationId', (r) => r.plant.id, 'id of the plant'),
    f.text('stationName', (r) => r.plant.name, 'name of the plant'),
    f.id('userId', (r) => r.plant.ownerId, 'id of the plant’s owner'),
    f.id('collectorId', (r) => r.collector?.id, 'id of the collector that reports for it'),
    f.text('collectorSn', (r) => r.collector?.sn, 'serial number of the collector'),
    f.text('rs485ComAddr', (r) => r.facts.busAddress, 'address on the RS-485 bus'),
    f.choice('state', (r) => r.state, presenceCodes, 'state'),
    f.flag('stateExceptionFlag', (r) => r.abnormallyOffline, 'offline when it should be online'),
    ...reportFields<R>(),
    f.text('dataTimestampStr', reportedLocally, 'time of the last reading on the plant’s clock'),
    ...deviceZoneFields<R>(zoneText),
  ] as const;
};
