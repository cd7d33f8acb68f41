import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { sunPosition } from '../../packages/server/src/fleet/devices/sun.ts';
import { clearSkyWm2 } from '../../packages/server/src/measurements/energy/clear-sky.ts';
import {
  acPower,
  dcPower,
  moduleTemperature,
} from '../../packages/server/src/measurements/expected/array-power.ts';
import { onPlane } from '../../packages/server/src/measurements/expected/plane.ts';
import {
  divideGlobal,
  extraterrestrial,
} from '../../packages/server/src/measurements/expected/sky.ts';

interface Reference {
  readonly places: readonly (readonly [number, number])[];
  readonly rows: readonly (readonly number[])[];
}
const { places, rows } = JSON.parse(
  readFileSync(new URL('pvlib-reference.json', import.meta.url), 'utf8'),
) as Reference;

const CAPACITY_W = 10_000;
const RATED_W = 5_000;

const cases = rows.map((row) => {
  const [place, seconds, tilt, facing, share, ambientC, windMs, ...said] = row as number[];
  const [
    elevation,
    azimuth,
    above,
    clear,
    direct,
    diffuse,
    isotropic,
    hayDavies,
    moduleC,
    dcW,
    acW,
  ] = said as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const [latitude, longitude] = places[place!]!;
  return {
    at: seconds! * 1000,
    place: { latitude, longitude },
    plane: { tilt: tilt!, azimuth: facing! },
    share: share!,
    ambientC: ambientC!,
    windMs: windMs!,
    said: {
      elevation,
      azimuth,
      above,
      clear,
      direct,
      diffuse,
      isotropic,
      hayDavies,
      moduleC,
      dcW,
      acW,
    },
  };
});

/** Angle between two directions, degrees. */
function between(a: { elevation: number; azimuth: number }, b: typeof a): number {
  const [x, y] = [a, b].map(({ elevation, azimuth }) => {
    const [height, turn] = [(elevation * Math.PI) / 180, (azimuth * Math.PI) / 180];
    return [Math.cos(height) * Math.sin(turn), Math.cos(height) * Math.cos(turn), Math.sin(height)];
  }) as [number[], number[]];
  return (2 * Math.asin(Math.hypot(...x.map((each, i) => each - y[i]!)) / 2) * 180) / Math.PI;
}

/** Everything from the instant, the place and the share of the clear sky’s light alone. */
function calculated({ at, place, plane, share, ambientC, windMs }: (typeof cases)[number]) {
  const sun = sunPosition(place, at);
  const above = extraterrestrial(at);
  const clear = clearSkyWm2(sun.elevation);
  const light = divideGlobal(share * clear, sun.elevation, above);
  const isotropic = onPlane(light, sun, plane, above, 'isotropic');
  const hayDavies = onPlane(light, sun, plane, above);
  const moduleC = moduleTemperature(hayDavies, ambientC, windMs);
  const dcW = dcPower(CAPACITY_W, hayDavies, moduleC);
  const { powerW: acW } = acPower(dcW, RATED_W);
  const { direct, diffuse } = light;
  return { sun, above, clear, direct, diffuse, isotropic, hayDavies, moduleC, dcW, acW };
}

describe('beside pvlib, at twelve places from 2000 to 2050', () => {
  test('the rows are of all seasons, and most of them by day', () => {
    expect(places).toHaveLength(12);
    expect(rows).toHaveLength(96);
    expect(cases.filter(({ said }) => said.elevation > 2).length).toBeGreaterThan(80);
    expect(cases.filter(({ said }) => said.acW === RATED_W).length).toBeGreaterThan(0);
  });

  test('the sun stands where it says, to 0.05 degrees', () => {
    const off = cases.map((each) => between(sunPosition(each.place, each.at), each.said));
    expect(Math.max(...off)).toBeLessThan(0.05);
  });

  // Near the horizon, a hundredth of a degree is more than a hundredth of the light: there, half a watt counts.
  test.each([
    'above',
    'clear',
    'direct',
    'diffuse',
    'isotropic',
    'hayDavies',
    'dcW',
    'acW',
  ] as const)('%s is the same to 1 %', (name) => {
    const least = name.endsWith('W') ? (CAPACITY_W * 0.5) / 1000 : 0.5;
    for (const each of cases) {
      const off = Math.abs(calculated(each)[name] - each.said[name]);
      expect(off, JSON.stringify(each)).toBeLessThan(Math.max(least, 0.01 * each.said[name]));
    }
  });

  test('modules are as warm, to half a kelvin', () => {
    for (const each of cases)
      expect(Math.abs(calculated(each).moduleC - each.said.moduleC)).toBeLessThan(0.5);
  });
});

test('what an inverter cuts off and what it delivers are together what its arrays gave', () => {
  expect(acPower(0, RATED_W)).toEqual({ powerW: 0, clippedW: 0 });
  expect(acPower(4_000, RATED_W).clippedW).toBe(0);
  const { powerW, clippedW } = acPower(10_000, RATED_W);
  expect(powerW).toBe(RATED_W);
  const unlimited = acPower(10_000, 10_000).powerW;
  expect(Math.abs(powerW + clippedW - unlimited)).toBeLessThan(0.01 * unlimited);
});
