import type { InverterSpecification, StringSpecification } from './specification.ts';
import { irradianceOnPlane } from './sun.ts';
import { simulatedModuleTemperature, type Weather } from './weather.ts';

/** The output of one string. */
export interface StringOutput {
  voltageV: number;
  currentA: number;
  powerW: number;
}

/** The output of an inverter. `acPowerW` is a whole number, so that sums of powers are exact. */
export interface InverterOutput {
  acPowerW: number;
  dcPowerW: number;
  strings: StringOutput[];
  temperatureC: number;
}

const POWER_PER_DEGREE = -0.0036;
const VOLTAGE_PER_DEGREE = -0.0028;
const MODULE_VOLTAGE_V = 34;
/** Share of the power that is left after losses by dirt, cables and mismatch. */
const REMAINS = 0.94;
/** Below this irradiance in W/m², a string delivers nothing. */
const LEAST_IRRADIANCE = 4;

/** Own consumption, switching and ohmic losses, as shares of the rated power. */
const LOSS = { constant: 0.003, linear: 0.008, square: 0.012 };

/** The input that yields an output, both as shares of the rated power: an inverter takes no more from the modules than its limit allows. */
function inputFor(output: number): number {
  const b = 1 - LOSS.linear;
  return (b - Math.sqrt(b ** 2 - 4 * LOSS.square * (output + LOSS.constant))) / (2 * LOSS.square);
}

/** @param limitW limit of its output, at most its rated power @param deadStrings numbers of the strings that deliver nothing, from 1 */
export function inverterAt(
  specification: InverterSpecification,
  weather: Weather,
  limitW: number = specification.ratedPowerW,
  deadStrings: readonly number[] = [],
): InverterOutput {
  const { ratedPowerW } = specification;
  const offered = specification.strings.map((string, i) =>
    deadStrings.includes(i + 1) ? NOTHING : offerOf(string, weather),
  );
  const offeredW = offered.reduce((sum, { powerW }) => sum + powerW, 0);
  const limited =
    limitW === 0 ? 0 : Math.min(offeredW, inputFor(limitW / ratedPowerW) * ratedPowerW);
  const share = limited / ratedPowerW;
  const given = share - LOSS.constant - LOSS.linear * share - LOSS.square * share ** 2;
  // At that input, the formula yields the limit except for rounding errors.
  const acPowerW = Math.max(0, Math.floor(ratedPowerW * given + 1e-6));
  const taken = acPowerW === 0 ? 0 : limited / offeredW;
  const strings = offered.map(({ voltageV, powerW }) =>
    powerW * taken === 0
      ? { voltageV: 0, currentA: 0, powerW: 0 }
      : { voltageV, currentA: (powerW * taken) / voltageV, powerW: powerW * taken },
  );
  return {
    acPowerW,
    dcPowerW: limited * Math.sign(taken),
    strings,
    temperatureC: weather.ambientC + 4 + 28 * (acPowerW / ratedPowerW),
  };
}

const NOTHING = { voltageV: 0, powerW: 0 };

function offerOf(
  { kwp, modulesInSeries, ...orientation }: StringSpecification,
  weather: Weather,
): { voltageV: number; powerW: number } {
  const irradiance = irradianceOnPlane(weather.light, weather.sun, orientation);
  if (irradiance < LEAST_IRRADIANCE) return NOTHING;
  const excess = simulatedModuleTemperature(weather, irradiance) - 25;
  return {
    powerW: kwp * irradiance * (1 + POWER_PER_DEGREE * excess) * REMAINS,
    voltageV: modulesInSeries * MODULE_VOLTAGE_V * (1 + VOLTAGE_PER_DEGREE * excess),
  };
}
