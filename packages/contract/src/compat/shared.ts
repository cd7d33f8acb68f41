import type {
  DeviceRecord,
  Measured,
  PresenceState,
  StateCounts,
  ZoneRecord,
} from '../records/index.ts';
import { energyOf, estimatedToday } from './field-kinds/derived.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { offsetText } from './field-kinds/local-time.ts';
import { recordOf } from './field-kinds/record.ts';

/** State of plants and inverters on the wire. */
export const stateCodes = { online: 1, offline: 2, alarm: 3 } as const satisfies Record<
  PresenceState,
  number
>;

/** State of other devices, for which an alarm counts as online. */
export const presenceCodes = { online: 1, offline: 2, alarm: 1 } as const satisfies Record<
  PresenceState,
  number
>;

const hours = (minutes: number): number => minutes / 60;

/** The zone in a plant's record, where the text is in parentheses. */
export const plantZoneFields = <R>(zoneOf: (record: R) => ZoneRecord) => {
  const f = fieldsOf<R>();
  return [
    f.number(
      'timeZone',
      (r) => hours(zoneOf(r).standardOffsetMinutes),
      'UTC offset of the plant’s standard time',
      'h',
    ),
    f.text(
      'timeZoneStr',
      (r) => `(${offsetText(zoneOf(r).standardOffsetMinutes)})`,
      'the same as text',
    ),
    f.text(
      'timeZoneName',
      (r) => `(${offsetText(zoneOf(r).standardOffsetMinutes)}) ${zoneOf(r).name}`,
      'the same with the zone’s IANA name',
    ),
    f.text('timeZoneId', (r) => zoneOf(r).name, 'IANA name of the plant’s zone'),
    ...daylightFields(zoneOf),
  ] as const;
};

/** The zone in a device's record. Only the list of EPM units has the text in parentheses, like a plant's record. */
export const deviceZoneFields = <R extends DeviceRecord>({ inParentheses = false } = {}) => {
  const f = fieldsOf<R>();
  return [
    f.number(
      'timeZone',
      (r) => hours(r.plant.zone.standardOffsetMinutes),
      'UTC offset of the plant’s standard time',
      'h',
    ),
    f.text(
      'timeZoneStr',
      (r) =>
        inParentheses
          ? `(${offsetText(r.plant.zone.standardOffsetMinutes)})`
          : offsetText(r.plant.zone.standardOffsetMinutes),
      'the same as text',
    ),
    f.text(
      'timeZoneName',
      (r) => `(${offsetText(r.plant.zone.standardOffsetMinutes)}) ${r.plant.zone.name}`,
      'the same with the zone’s IANA name',
    ),
    ...daylightFields<R>((r) => r.plant.zone),
  ] as const;
};

const daylightFields = <R>(zoneOf: (record: R) => ZoneRecord) => {
  const f = fieldsOf<R>();
  return [
    f.number(
      'daylight',
      (r) => hours(zoneOf(r).daylightMinutes),
      'daylight-saving offset in force now',
      'h',
    ),
    f.flag(
      'daylightSwitch',
      (r) => zoneOf(r).daylightMinutes !== 0,
      'whether daylight-saving time is in force now',
    ),
  ] as const;
};

/** The short number of the plant, in records of its devices. */
export const plantNumber = <R extends DeviceRecord>() =>
  fieldsOf<R>().text(
    'sno',
    (r) => shortNumber(r.plant.id),
    'short number of the plant: the end of its id',
  );

export const shortNumber = (plantId: string): string => plantId.slice(-8);

/** Whether a record's energy of today is estimated. */
export const estimatedField = <R extends Measured>() =>
  fieldsOf<R>().flag(
    'estimated',
    estimatedToday,
    '1: part of today’s energy was calculated from power, or from a counter that had not been read for some time (an addition of this service)',
  );

/** Energies of a generator. */
export const generatorFields = <R extends Measured>() => {
  const f = fieldsOf<R>();
  return [
    f.energyPec(
      'generatorTodayEnergy',
      energyOf('generator', 'todayKwh'),
      'energy of the generator today',
      'kWh',
    ),
    f.energyPec(
      'generatorMonthEnergy',
      energyOf('generator', 'monthKwh'),
      'energy of the generator this month',
    ),
    f.energyPec(
      'generatorYearEnergy',
      energyOf('generator', 'yearKwh'),
      'energy of the generator this year',
    ),
    f.energyPec(
      'generatorTotalEnergy',
      energyOf('generator', 'totalKwh'),
      'all energy of the generator',
    ),
  ] as const;
};

/** When a record's latest values were measured. */
export const reportFields = <R extends Measured>() => {
  const f = fieldsOf<R>();
  return [
    f.instantText('dataTimestamp', (r) => r.lastReportAt, 'time of the last reading'),
  ] as const;
};

const counts = fieldsOf<StateCounts>();

const countFields = [
  counts.number('all', (r) => r.all, 'all of them'),
  counts.number('normal', (r) => r.online, 'online'),
  counts.number('fault', (r) => r.alarm, 'with an alarm'),
  counts.number('offline', (r) => r.offline, 'offline'),
] as const;

// These counters are kept for existing clients. A plant without devices counts as offline, as in its record.
const mppt = counts.number('mppt', () => 0, 'always 0');
const building = counts.number('building', () => 0, 'always 0');

/** Status counters of a list (interface W5): each list has its own keys. */
export const plantCounts = recordOf<StateCounts>()('plants by state', [
  ...countFields,
  building,
  mppt,
]);
export const inverterCounts = recordOf<StateCounts>()('inverters by state', [...countFields, mppt]);
export const deviceCounts = (description: string) =>
  recordOf<StateCounts>()(description, countFields);
