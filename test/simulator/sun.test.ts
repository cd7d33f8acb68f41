import { describe, expect, test } from 'vitest';
import {
  clearSky,
  irradianceOnPlane,
  sunAt,
  throughClouds,
} from '../../packages/simulator/src/sun.ts';

const DEGREES = 180 / Math.PI;

describe('the sun', () => {
  test.each([
    // The worked example of NREL's solar position algorithm (TP-560-34302), without refraction.
    ['Golden', 39.742476, -105.1786, '2003-10-17T19:30:30Z', 39.872, 194.34],
    // Solar noon: 90 - latitude + declination, due south or due north.
    ['Berlin at midsummer', 52.52, 13.405, '2026-06-21T11:08:10Z', 60.92, 180],
    ['Sydney at midsummer', -33.87, 151.2, '2026-12-21T01:53:05Z', 79.57, 0],
    ['the equator at the equinox', 0, 0, '2026-03-20T12:07:30Z', 89.8, undefined],
  ])(
    'stands over %s where the almanac says',
    (_, latitude, longitude, time, elevation, azimuth) => {
      const sun = sunAt({ latitude, longitude }, Date.parse(time));
      expect(Math.abs(sun.elevation * DEGREES - elevation)).toBeLessThan(0.2);
      if (azimuth !== undefined)
        expect(Math.abs(((sun.azimuth * DEGREES - azimuth + 540) % 360) - 180)).toBeLessThan(0.5);
    },
  );

  test('does not rise in the polar night nor set in the polar day', () => {
    const tromso = { latitude: 69.65, longitude: 18.96 };
    for (let hour = 0; hour < 24; hour++) {
      expect(sunAt(tromso, Date.UTC(2026, 11, 21, hour)).elevation).toBeLessThan(0);
      expect(sunAt(tromso, Date.UTC(2026, 5, 21, hour)).elevation).toBeGreaterThan(0);
    }
  });
});

describe('the light', () => {
  test('of a clear sky grows with the height of the sun and is zero below the horizon', () => {
    const heights = [-10, 0, 2, 10, 30, 60, 90].map(
      (degrees) => clearSky(degrees / DEGREES).global,
    );
    expect(heights.slice(0, 2)).toEqual([0, 0]);
    expect(heights.slice(1)).toEqual(heights.slice(1).toSorted((a, b) => a - b));
    expect(heights.at(-1)).toBeGreaterThan(950);
    expect(heights.at(-1)).toBeLessThan(1150);
  });

  test('loses its beam before its brightness to clouds', () => {
    const height = 50 / DEGREES;
    const clear = clearSky(height);
    const dull = throughClouds(clear, 0.4, height);
    expect(dull.direct).toBeCloseTo(clear.direct * 0.16);
    expect(dull.diffuse).toBeGreaterThan(clear.diffuse);
    expect(dull.global).toBeLessThan(clear.global);
    expect(throughClouds(clear, 1, height)).toEqual(clear);
  });

  test('is strongest on modules that face the sun', () => {
    const sun = { elevation: 30 / DEGREES, azimuth: 180 / DEGREES };
    const light = clearSky(sun.elevation);
    const facing = irradianceOnPlane(light, sun, { tilt: 60, azimuth: 180 });
    for (const [tilt, azimuth] of [
      [0, 180],
      [60, 90],
      [60, 0],
      [90, 180],
    ] as const)
      expect(irradianceOnPlane(light, sun, { tilt, azimuth })).toBeLessThan(facing);
    expect(irradianceOnPlane(light, sun, { tilt: 0, azimuth: 0 })).toBeCloseTo(light.global);
  });
});
