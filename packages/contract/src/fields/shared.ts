import type { DeviceRecord, Measured, State, StateCounts, ZoneRecord } from '../records.ts';
import { fieldsOf } from './kinds.ts';
import { offsetText } from './local-time.ts';
import { recordOf } from './record.ts';

/** State of plants and inverters on the wire. */
export const stateCodes = { online: 1, offline: 2, alarm: 3 } as const satisfies Record<State, number>;

/** State of the other devices: with an alarm they are online. */
export const presenceCodes = { online: 1, offline: 2, alarm: 1 } as const satisfies Record<State, number>;

const hours = (minutes: number): number => minutes / 60;

/** Zone of a plant's record: the text is in parentheses there. */
export const plantZoneFields = <R>(zoneOf: (record: R) => ZoneRecord) => {
  const f = fieldsOf<R>();
  return [
    f.number('timeZone', (r) => hours(zoneOf(r).standardOffsetMinutes), 'standard time of the plant’s zone, ahead of UTC', 'h'),
    f.text('timeZoneStr', (r) => `(${offsetText(zoneOf(r).standardOffsetMinutes)})`, 'the same as text'),
    f.text('timeZoneName', (r) => `(${offsetText(zoneOf(r).standardOffsetMinutes)}) ${zoneOf(r).name}`, 'the same with the zone’s IANA name'),
    f.text('timeZoneId', (r) => zoneOf(r).name, 'IANA name of the plant’s zone'),
    ...daylightFields(zoneOf),
  ] as const;
};

/** Zone of a device's record. */
export const deviceZoneFields = <R extends DeviceRecord>() => {
  const f = fieldsOf<R>();
  return [
    f.number('timeZone', (r) => hours(r.plant.zone.standardOffsetMinutes), 'standard time of the plant’s zone, ahead of UTC', 'h'),
    f.text('timeZoneStr', (r) => offsetText(r.plant.zone.standardOffsetMinutes), 'the same as text'),
    f.text('timeZoneName', (r) => `(${offsetText(r.plant.zone.standardOffsetMinutes)}) ${r.plant.zone.name}`, 'the same with the zone’s IANA name'),
    ...daylightFields<R>((r) => r.plant.zone),
  ] as const;
};

const daylightFields = <R>(zoneOf: (record: R) => ZoneRecord) => {
  const f = fieldsOf<R>();
  return [
    f.number('daylight', (r) => hours(zoneOf(r).daylightMinutes), 'daylight-saving time in force now', 'h'),
    f.flag('daylightSwitch', (r) => zoneOf(r).daylightMinutes !== 0, 'whether daylight-saving time is in force now'),
  ] as const;
};

/** When a record's latest values were measured. */
export const reportFields = <R extends Measured>() => {
  const f = fieldsOf<R>();
  return [f.instantText('dataTimestamp', (r) => r.lastReportAt, 'time of the last reading')] as const;
};

/** Status counters of a list. `building` and `mppt` are kept for existing clients. */
export const countsRecord = (description: string) => {
  const f = fieldsOf<StateCounts>();
  return recordOf<StateCounts>()(description, [
    f.number('all', (r) => r.all, 'all of them'),
    f.number('normal', (r) => r.online, 'online'),
    f.number('fault', (r) => r.alarm, 'with an alarm'),
    f.number('offline', (r) => r.offline, 'offline'),
    f.number('building', () => 0, 'always 0'),
    f.number('mppt', () => 0, 'always 0'),
  ]);
};
