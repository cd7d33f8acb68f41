import { expect, test } from 'vitest';
import { cellOf, weatherAddress } from '../../packages/server/src/measurements/weather/cell.ts';
import {
  readWeather,
  WeatherFault,
} from '../../packages/server/src/measurements/weather/read-answer.ts';

const NOON = Date.parse('2026-06-10T12:00:00Z');
const UNITS = { time: 'iso8601', shortwave_radiation: 'W/m²', temperature_2m: '°C' };
const answer = {
  latitude: 52.52,
  utc_offset_seconds: 0,
  hourly_units: UNITS,
  hourly: {
    time: ['2026-06-10T12:00', '2026-06-10T13:00', '2026-06-10T14:00'],
    shortwave_radiation: [800, null, -1],
    direct_normal_irradiance: [700, 600, 500],
    temperature_2m: [20, 21, null],
  },
};

test('samples stand in the middle of the interval that ends at their time; what is unknown is left out', () => {
  expect(readWeather(JSON.stringify(answer))).toEqual([
    { at: NOON - 1_800_000, globalWm2: 800, directWm2: 700, ambientC: 20 },
    { at: NOON + 2 * 3_600_000 - 1_800_000, globalWm2: 0, directWm2: 500 },
  ]);
  const quarters = {
    minutely_15: { time: [NOON / 1000, NOON / 1000 + 900], shortwave_radiation: [800, 810] },
    hourly: { time: [], shortwave_radiation: [] },
  };
  expect(readWeather(JSON.stringify(quarters))).toEqual([
    { at: NOON - 450_000, globalWm2: 800 },
    { at: NOON + 450_000, globalWm2: 810 },
  ]);
});

const { hourly } = answer;
test.each<[string, unknown]>([
  ['no JSON', undefined],
  ['null', null],
  ['a list', [answer]],
  ['an error', { error: true, reason: 'Latitude must be in range' }],
  ['no times', { hourly: { shortwave_radiation: [1] } }],
  ['empty times', { hourly: { time: [], shortwave_radiation: [] } }],
  ['too many times', { hourly: { time: Array(9_601).fill(0), shortwave_radiation: [] } }],
  ['times that are none', { hourly: { ...hourly, time: ['a', 'b', 'c'] } }],
  ['times that are objects', { hourly: { ...hourly, time: [{}, {}, {}] } }],
  [
    'uneven times',
    { hourly: { ...hourly, time: [hourly.time[0], hourly.time[2], hourly.time[1]] } },
  ],
  ['days', { hourly: { time: [0, 86_400], shortwave_radiation: [1, 2] } }],
  ['no radiation', { hourly: { time: hourly.time, temperature_2m: [1, 2, 3] } }],
  ['too few values', { hourly: { ...hourly, shortwave_radiation: [1] } }],
  ['text as a value', { hourly: { ...hourly, shortwave_radiation: ['1', '2', '3'] } }],
  ['light beyond the sun', { hourly: { ...hourly, shortwave_radiation: [1, 1e9, 1] } }],
  ['cold beyond Earth', { hourly: { ...hourly, temperature_2m: [-273, 1, 1] } }],
  ['another unit', { ...answer, hourly_units: { ...UNITS, temperature_2m: '°F' } }],
  ['local times', { ...answer, utc_offset_seconds: 7200 }],
])('an answer with %s is refused as a whole', (_, bad) => {
  expect(() => readWeather(bad === undefined ? '<html>' : JSON.stringify(bad))).toThrow(
    WeatherFault,
  );
});

test('neighbours share an address, which tells of no roof', () => {
  const template = 'https://weather.example/v1?a={latitude}&b={longitude}&c={from}&d={to}';
  const at = (latitude: number, longitude: number): string =>
    weatherAddress(template, cellOf({ latitude, longitude }), '2026-06-01', '2026-06-02');
  expect(at(52.5163, 13.3777)).toBe(
    'https://weather.example/v1?a=52.5&b=13.4&c=2026-06-01&d=2026-06-02',
  );
  expect(at(52.4801, 13.4309)).toBe(at(52.5163, 13.3777));
  expect(at(-33.86, -0.04)).toContain('a=-33.9&b=0.0&');
});
