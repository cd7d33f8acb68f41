import type { CollectorDayRow, CollectorRecord } from '../records/index.ts';
import { signalLevel } from './field-kinds/derived.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { localTime, offsetText, zoneDateTime } from './field-kinds/local-time.ts';
import { recordOf } from './field-kinds/record.ts';
import { presenceCodes } from './shared.ts';

const f = fieldsOf<CollectorRecord>();

const common = [
  f.id('id', (r) => r.id, 'id of the collector'),
  f.text('sn', (r) => r.sn, 'serial number'),
  f.text('name', (r) => r.name, 'name'),
  f.text('model', (r) => r.model, 'model'),
  f.id('stationId', (r) => r.plant.id, 'id of the plant'),
  f.text('stationName', (r) => r.plant.name, 'name of the plant'),
  f.id('userId', (r) => r.plant.ownerId, 'id of the plant’s owner'),
  f.text('addr', (r) => r.plant.address, 'address of the plant'),
  f.choice('state', (r) => r.state, presenceCodes, 'state'),
  f.flag('stateExceptionFlag', (r) => r.abnormallyOffline, 'offline when it should be online'),
  f.instantText('dataTimestamp', (r) => r.lastReportAt, 'time of the last report'),
  f.number('rssi', (r) => r.signalDbm, 'radio signal', 'dBm'),
  f.number('rssiLevel', (r) => signalLevel(r.signalDbm), 'radio signal from 0 (none) to 4 (best)'),
  f.number(
    'clockOffset',
    (r) => r.clockOffsetSeconds,
    'how far the collector’s clock is ahead of the server’s, negative if it is behind (an addition of this service)',
    's',
  ),
  f.text('connectionOperator', (r) => r.facts.networkOperator, 'mobile network'),
  f.text('iccid', (r) => r.facts.iccid, 'number of the SIM card'),
  f.instantText('factoryTime', (r) => r.facts.builtAt, 'time of manufacture'),
  f.number(
    'timeZone',
    (r) => r.plant.zone.standardOffsetMinutes / 60,
    'UTC offset of the plant’s standard time',
    'h',
  ),
  f.text('timeZoneStr', (r) => offsetText(r.plant.zone.standardOffsetMinutes), 'the same as text'),
  f.number(
    'daylight',
    (r) => r.plant.zone.daylightMinutes / 60,
    'daylight-saving offset in force now',
    'h',
  ),
] as const;

/** A collector in `collectorList`. */
export const collectorListed = recordOf<CollectorRecord>()('a collector in a list', [
  ...common,
  f.text(
    'dataTimestampStr',
    (r) => (r.lastReportAt == null ? undefined : zoneDateTime(r.lastReportAt, r.plant.zone.name)),
    'the same on the plant’s clock',
  ),
  f.text('countryStr', (r) => r.plant.facts?.country, 'country of the plant'),
  f.text('regionStr', (r) => r.plant.facts?.region, 'region of the plant'),
  f.text('cityStr', (r) => r.plant.facts?.city, 'city of the plant'),
  f.text('countyStr', (r) => r.plant.facts?.county, 'county of the plant'),
  f.digits(
    'dataUploadCycle',
    (r) => r.facts.uploadIntervalSeconds,
    'interval between reports',
    's',
  ),
  f.text(
    'timeZoneName',
    (r) => `(${offsetText(r.plant.zone.standardOffsetMinutes)}) ${r.plant.zone.name}`,
    'zone of the plant',
  ),
  f.text('tag', (r) => r.facts.tag, 'tag'),
]);

/** A collector in `collectorDetail`. */
export const collectorDetailed = recordOf<CollectorRecord>()('a collector', [
  ...common,
  f.text('version', (r) => r.facts.firmwareVersion, 'version of the firmware'),
  f.text('lanIp', (r) => r.facts.lanAddress, 'address in the local network'),
  f.text('connectedSsid', (r) => r.facts.ssid, 'name of the wireless network'),
  f.number(
    'dataUploadCycle',
    (r) => r.facts.uploadIntervalSeconds,
    'interval between reports',
    's',
  ),
  f.number('actualNumber', (r) => r.deviceCount, 'devices that report through it'),
  f.number('maximumNumber', (r) => r.facts.deviceLimit, 'devices that it can report for'),
]);

const d = fieldsOf<CollectorDayRow>();

/** A point in `collector/day`. */
export const collectorDayRow = recordOf<CollectorDayRow>()('a point of the collector’s signal', [
  d.instantText('dataTimestamp', (r) => r.at, 'time of the report'),
  d.text('timeStr', (r) => localTime(r.at, r.offsetMinutes), 'the same on the plant’s clock'),
  d.id('collectorId', (r) => r.collectorId, 'id of the collector'),
  d.text('collectorSn', (r) => r.collectorSn, 'serial number of the collector'),
  d.number('rssi', (r) => r.signalDbm, 'radio signal', 'dBm'),
  d.number('rssiLevel', (r) => signalLevel(r.signalDbm), 'radio signal from 0 (none) to 4 (best)'),
  d.number('daylight', (r) => r.daylightMinutes / 60, 'daylight-saving offset in force then', 'h'),
  d.flag(
    'daylightSwitch',
    (r) => r.daylightMinutes !== 0,
    'whether daylight-saving time was in force then',
  ),
]);
