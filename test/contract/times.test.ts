import { expect, test } from 'vitest';
import * as examples from '../../packages/contract/src/examples.ts';
import { projected, recordsOf } from './every-operation.ts';

/** 2026-11-06 00:30 UTC. */
const AT = Date.UTC(2026, 10, 6, 0, 30);

test.each([
  [345, '2026-11-06 06:15:00'],
  [-570, '2026-11-05 15:00:00'],
  [840, '2026-11-06 14:30:00'],
  [0, '2026-11-06 00:30:00'],
])('a reading is shown on the clock that is %i minutes ahead of UTC', (offsetMinutes, text) => {
  const [row] = recordsOf(
    projected('inverterDay', [{ ...examples.exampleInverterDay[0], at: AT, offsetMinutes }]),
  );
  expect(row).toMatchObject({ dataTimestamp: String(AT), timeStr: text, time: text.slice(11) });
});

test.each([
  ['Asia/Kathmandu', 345, 5.75, 'UTC+05:45'],
  ['Pacific/Marquesas', -570, -9.5, 'UTC-09:30'],
  ['Pacific/Kiritimati', 840, 14, 'UTC+14:00'],
])('%s, %i minutes ahead of UTC, is %d hours', (name, standardOffsetMinutes, hours, text) => {
  const zone = { name, standardOffsetMinutes, daylightMinutes: 0 };
  const plant = projected('stationDetail', { ...examples.examplePlant, zone });
  expect(plant).toMatchObject({
    timeZone: hours,
    timeZoneStr: `(${text})`,
    timeZoneName: `(${text}) ${name}`,
    timeZoneId: name,
  });
  const device = projected('inverterDetail', {
    ...examples.exampleInverter,
    plant: { ...examples.examplePlantSummary, zone },
  });
  expect(device).toMatchObject({ timeZone: hours, timeZoneStr: text });
});

test('daylight-saving time stands beside the standard offset, and a time is shown on the clock as it was set then', () => {
  const zone = { name: 'Europe/Berlin', standardOffsetMinutes: 60, daylightMinutes: 60 };
  const record = (lastReportAt: number) =>
    projected('inverterDetail', {
      ...examples.exampleInverter,
      lastReportAt,
      plant: { ...examples.examplePlantSummary, zone },
    });
  const summer = Date.UTC(2026, 6, 6, 0, 30);
  expect(record(summer)).toMatchObject({
    timeZone: 1,
    daylight: 1,
    daylightSwitch: 1,
    dataTimestamp: String(summer),
    timeStr: '2026-07-06 02:30:00',
  });
  expect(record(AT)).toMatchObject({
    dataTimestamp: String(AT),
    timeStr: '2026-11-06 01:30:00',
    dataTimestampStr: '2026-11-06 01:30:00',
  });
  const collector = projected(
    'collectorList',
    examples.exampleListing({
      ...examples.exampleCollector,
      lastReportAt: AT,
      plant: { ...examples.examplePlantSummary, zone },
    }),
  );
  expect(recordsOf(collector)[0]).toMatchObject({ dataTimestampStr: '2026-11-06 01:30:00' });
});

test('the day when a plant was created is that of its own calendar', () => {
  const zone = { name: 'Australia/Sydney', standardOffsetMinutes: 600, daylightMinutes: 60 };
  const lateEvening = Date.UTC(2026, 10, 5, 23, 56);
  expect(
    projected('stationDetail', { ...examples.examplePlant, zone, createdAt: lateEvening }),
  ).toMatchObject({ createDateStr: '2026-11-06' });
  // Half past eleven on a winter's evening, asked for in summer.
  const winter = Date.UTC(2026, 6, 5, 13, 30);
  expect(
    projected('stationDetail', { ...examples.examplePlant, zone, createdAt: winter }),
  ).toMatchObject({ createDateStr: '2026-07-05' });
});

test('charts of months and years carry the date in the form of each operation', () => {
  const row = { ...examples.exampleEnergyDay, day: 20_260_201, at: AT };
  const shown = (id: string, list = false): unknown =>
    recordsOf(projected(id, list ? examples.examplePage(row) : [row]))[0];
  expect(shown('stationMonth')).toMatchObject({ date: AT, dateStr: '2026-02-01' });
  expect(shown('stationYear')).toMatchObject({ date: AT, dateStr: '2026-02-01' });
  expect(shown('inverterMonth')).toMatchObject({ date: AT, dateStr: '2026-02-01' });
  expect(shown('inverterYear')).toMatchObject({ date: AT, dateStr: '2026-02' });
  expect(shown('epm/year')).toMatchObject({ date: AT, dateStr: '2026-02' });
  expect(shown('stationDayEnergyList', true)).toMatchObject({ date: AT, dateStr: '2026-02-01' });
  expect(shown('stationAll')).toMatchObject({ year: 2026 });
  expect(shown('inverterAll')).toMatchObject({ year: 2026 });
  expect(shown('stationYearEnergyList', true)).toMatchObject({ year: 2026 });
  expect(shown('stationYearEnergyList', true)).not.toHaveProperty('date');
});
