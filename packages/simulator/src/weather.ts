import { DAY_MS, HOUR_MS } from '@helioport/contract/durations';
import { clearnessAt, smoothNoise } from './noise.ts';
import {
  clearSky,
  sunAt,
  throughClouds,
  type Irradiance,
  type SunPlace,
  type SimulatedSun,
} from './sun.ts';

/** The sky over a place at an instant. */
export interface Weather {
  sun: SimulatedSun;
  light: Irradiance;
  ambientC: number;
  windMs: number;
  windFromDeg: number;
  humidityPercent: number;
  pressureHpa: number;
}

const YEAR_DAYS = 365.2425;

/** @param lightShare share of the light that a cloud front lets through */
export function weatherAt(place: SunPlace, seed: number, at: number, lightShare = 1): Weather {
  const sun = sunAt(place, at);
  const clearness = clearnessAt(seed, at);
  const ambientC = ambientAt(place, seed, at) + 2 * (clearness - 0.6);
  return {
    sun,
    light: dimmed(throughClouds(clearSky(sun.elevation), clearness, sun.elevation), lightShare),
    ambientC,
    windMs:
      0.4 +
      5 * smoothNoise(seed + 11, at, 3 * HOUR_MS) * (0.5 + smoothNoise(seed + 12, at, HOUR_MS / 4)),
    windFromDeg: (360 * 3 * smoothNoise(seed + 13, at, 30 * HOUR_MS)) % 360,
    humidityPercent: Math.min(
      100,
      Math.max(
        15,
        95 - 45 * clearness - 0.8 * (ambientC - 10) + 12 * smoothNoise(seed + 14, at, 5 * HOUR_MS),
      ),
    ),
    pressureHpa: 1003 + 24 * smoothNoise(seed + 15, at, 40 * HOUR_MS),
  };
}

const dimmed = ({ global, direct, diffuse }: Irradiance, share: number): Irradiance => ({
  global: share * global,
  direct: share * direct,
  diffuse: share * diffuse,
});

/** Ambient temperature: warmest near the equator, in summer and at three in the afternoon, with variations over a day and a half. */
function ambientAt({ latitude, longitude }: SunPlace, seed: number, at: number): number {
  const distance = Math.abs(latitude);
  const solarHour = (((at / HOUR_MS + longitude / 15) % 24) + 24) % 24;
  const midsummer = latitude >= 0 ? 200 : 17;
  const season = Math.cos((2 * Math.PI * (((at / DAY_MS) % YEAR_DAYS) - midsummer)) / YEAR_DAYS);
  const spell = 8 * (smoothNoise(seed + 10, at, 36 * HOUR_MS) - 0.5);
  return (
    28 -
    0.36 * distance +
    0.22 * distance * season +
    4.5 * Math.cos((2 * Math.PI * (solarHour - 15)) / 24) +
    spell
  );
}

/** Temperature of the modules in the sun, °C. Source: Faiman's model. */
export const simulatedModuleTemperature = (
  { ambientC, windMs }: Weather,
  irradiance: number,
): number => ambientC + irradiance / (25 + 6.84 * windMs);
