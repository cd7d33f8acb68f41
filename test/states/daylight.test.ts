import { sunAt } from '../../packages/simulator/src/sun.ts';
import { describe, expect, test } from 'vitest';
import {
  isDaylight,
  nextDaylight,
  noonElevation,
  solarHour,
  sunElevation,
} from '../../packages/server/src/fleet/devices/daylight.ts';

const HOUR_MS = 3_600_000;
const at = (stamp: string): number => Date.parse(stamp);
const BERLIN = { latitude: 52.52, longitude: 13.4 };

describe('the sun', () => {
  test('stands where another model of it says, to half a degree, anywhere and all year', () => {
    for (let i = 0; i < 3000; i++) {
      const place = { latitude: -80 + ((i * 37) % 161), longitude: -180 + ((i * 53) % 361) };
      const instant = at('2020-01-01T00:00:00Z') + i * 17.3 * HOUR_MS;
      const expected = (sunAt(place, instant).elevation * 180) / Math.PI;
      expect(
        Math.abs(sunElevation(place.latitude, place.longitude, instant) - expected),
      ).toBeLessThan(0.6);
    }
  });

  test('is highest at solar noon', () => {
    const day = at('2026-06-21T00:00:00Z');
    const hours = Array.from({ length: 24 * 60 }, (_, minute) => day + minute * 60_000);
    const highest = hours.reduce((best, next) =>
      sunElevation(52.52, 13.4, next) > sunElevation(52.52, 13.4, best) ? next : best,
    );
    expect(solarHour(13.4, highest)).toBeCloseTo(12, 1);
    expect(sunElevation(52.52, 13.4, highest)).toBeCloseTo(noonElevation(52.52, highest), 1);
  });
});

describe('daylight', () => {
  test('is there at noon in summer and winter, and not at night or dusk', () => {
    expect(isDaylight(BERLIN, at('2026-06-21T11:00:00Z'))).toBe(true);
    expect(isDaylight(BERLIN, at('2026-12-21T11:00:00Z'))).toBe(true);
    expect(isDaylight(BERLIN, at('2026-12-21T15:00:00Z'))).toBe(false);
    expect(isDaylight(BERLIN, at('2026-06-21T22:00:00Z'))).toBe(false);
  });

  test('never comes in the polar night and never ends in the polar day', () => {
    const tromso = { latitude: 69.65, longitude: 18.96 };
    for (let hour = 0; hour < 24; hour++)
      expect(isDaylight(tromso, at('2026-12-21T00:00:00Z') + hour * HOUR_MS)).toBe(false);
    const pole = { latitude: 89, longitude: 0 };
    for (let hour = 0; hour < 24; hour++)
      expect(isDaylight(pole, at('2026-06-21T00:00:00Z') + hour * HOUR_MS)).toBe(true);
  });

  test('is counted on at hours alone where the place is not known', () => {
    const somewhere = { latitude: null, longitude: 15 };
    expect(isDaylight(somewhere, at('2026-12-21T11:00:00Z'))).toBe(true);
    expect(isDaylight(somewhere, at('2026-06-21T16:00:00Z'))).toBe(false);
  });

  test('comes next in the morning; where it does not, the question is put off by two days', () => {
    const night = at('2026-03-20T20:00:00Z');
    const morning = nextDaylight(BERLIN, night);
    expect(isDaylight(BERLIN, morning)).toBe(true);
    expect(isDaylight(BERLIN, morning - 600_000)).toBe(false);
    expect(morning - night).toBeLessThan(12 * HOUR_MS);
    const polarNight = at('2026-12-21T00:00:00Z');
    expect(nextDaylight({ latitude: 80, longitude: 0 }, polarNight)).toBe(
      polarNight + 48 * HOUR_MS,
    );
  });

  test('at the date line is the same on either side of it', () => {
    for (let hour = 0; hour < 24; hour++) {
      const instant = at('2026-03-20T00:00:00Z') + hour * HOUR_MS;
      const [east, west] = [
        { latitude: -16.8, longitude: 180 },
        { latitude: -16.8, longitude: -180 },
      ];
      expect(isDaylight(east, instant)).toBe(isDaylight(west, instant));
      expect(nextDaylight(east, instant)).toBe(nextDaylight(west, instant));
    }
    // Noon on Taveuni is midnight at Greenwich.
    expect(isDaylight({ latitude: -16.8, longitude: 179.99 }, at('2026-03-20T00:00:00Z'))).toBe(
      true,
    );
    expect(isDaylight({ latitude: -16.8, longitude: -179.99 }, at('2026-03-20T12:00:00Z'))).toBe(
      false,
    );
  });

  test('follows the sun and not the clock where a zone is far off its longitude', () => {
    // Kashgar, by the clock of Beijing: at nine in winter it is night there, at six in the evening still day.
    const kashgar = { latitude: 39.47, longitude: 75.99 };
    expect(isDaylight(kashgar, at('2026-12-21T01:00:00Z'))).toBe(false);
    expect(isDaylight(kashgar, at('2026-12-21T10:00:00Z'))).toBe(true);
    const beijing = { latitude: 39.9, longitude: 116.4 };
    expect(isDaylight(beijing, at('2026-12-21T01:00:00Z'))).toBe(true);
    expect(isDaylight(beijing, at('2026-12-21T10:00:00Z'))).toBe(false);
  });

  test.each([14, 13.75, -9.5, -12])(
    'is counted on from 10 to 15 by a clock %d hours off Greenwich where the place is not known',
    (offsetHours) => {
      const somewhere = { latitude: null, longitude: offsetHours * 15 };
      const hours = Array.from({ length: 48 }, (_, half) => half / 2).filter((hour) =>
        isDaylight(somewhere, at('2026-06-15T00:00:00Z') + (hour - offsetHours) * HOUR_MS),
      );
      expect(hours[0]).toBeGreaterThanOrEqual(9.5);
      expect(hours.at(-1)).toBeLessThanOrEqual(15.5);
      expect(hours.length).toBeGreaterThanOrEqual(9);
    },
  );
});
