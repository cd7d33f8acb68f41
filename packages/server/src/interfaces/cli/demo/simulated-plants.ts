import { isTimeZone } from '@helioport/contract';
import {
  readScenario,
  ScenarioFault,
  type InverterSpecification,
  type PlantSpecification,
  type Scenario,
} from '@helioport/simulator';
import { readNamedText } from '../../../platform/kernel/files/read-file.ts';
import { CliCommandFault, CliUsageFault } from '../installation/faults.ts';

export interface SimulateOptions {
  token?: string;
  collectorId?: string;
  tokenId?: string;
  inverter?: string;
  storage?: string;
  meter?: string;
  epm?: string;
  weather?: string;
  scenario: string[];
  kwp: string;
  latitude: string;
  longitude: string;
  timeZone: string;
  seed: string;
}

/** A simulated plant and its collector. */
export interface SimulatedPlant {
  token: string;
  /** The collector's id and the token's public id; only for MQTT. */
  collectorId?: string;
  tokenId?: string;
  specification: PlantSpecification;
  scenarios: readonly Scenario[];
}

/** A plant as a file describes it. */
interface PlantEntry extends Omit<SimulatedPlant, 'scenarios'> {
  scenarios?: unknown;
}

/**
 * The plants in the file, or the one that the options describe; scenarios from options affect all of them. Throws CliUsageFault, CliCommandFault.
 * @param now the time from which scenarios count
 */
export function simulatedPlants(
  file: string | undefined,
  options: SimulateOptions,
  environment: Readonly<Record<string, string | undefined>>,
  now: number,
): SimulatedPlant[] {
  const common = options.scenario.map((text) =>
    scenarioOf(text, now, (message) => new CliUsageFault(`--scenario: ${message}`)),
  );
  if (file !== undefined) {
    const own = (given: unknown): Scenario =>
      scenarioOf(given, now, (message) => new CliCommandFault(`${file}: ${message}`));
    return readPlants(file).map(({ scenarios = [], ...plant }) => ({
      ...plant,
      scenarios: [...common, ...listOf(scenarios, file).map(own)],
    }));
  }
  const token = options.token ?? (environment['HELIOPORT_COLLECTOR_TOKEN']?.trim() || undefined);
  if (token === undefined)
    throw new CliUsageFault('give a file, or --token or HELIOPORT_COLLECTOR_TOKEN');
  const { collectorId, tokenId } = options;
  return [
    {
      token,
      ...(collectorId !== undefined && { collectorId }),
      ...(tokenId !== undefined && { tokenId }),
      specification: plantOf(options),
      scenarios: common,
    },
  ];
}

function scenarioOf(given: unknown, now: number, faultOf: (message: string) => Error): Scenario {
  try {
    return readScenario(given, now);
  } catch (error) {
    throw error instanceof ScenarioFault ? faultOf(error.message) : error;
  }
}

function listOf(scenarios: unknown, file: string): readonly unknown[] {
  if (!Array.isArray(scenarios)) throw new CliCommandFault(`${file}: scenarios must be a list`);
  return scenarios;
}

function readPlants(file: string): PlantEntry[] {
  let plants: unknown;
  try {
    plants = JSON.parse(readNamedText(file));
  } catch (error) {
    throw new CliCommandFault(`${file} cannot be read (${(error as Error).message})`);
  }
  const isPlant = (entry: Partial<PlantEntry> | null): boolean =>
    typeof entry?.token === 'string' && Array.isArray(entry.specification?.inverters);
  if (!Array.isArray(plants) || !plants.every(isPlant))
    throw new CliCommandFault(`${file} must contain [{"token": "...", "specification": {...}}]`);
  return plants as PlantEntry[];
}

function plantOf(options: SimulateOptions): PlantSpecification {
  const { timeZone } = options;
  if (!isTimeZone(timeZone))
    throw new CliUsageFault(`--time-zone: ${timeZone} is not an IANA time zone`);
  const latitude = numberIn(options.latitude, '--latitude', -90, 90);
  const kwp = numberIn(options.kwp, '--kwp', 0.1, 100_000);
  const serialNumbers = [options.inverter, options.storage].filter((sn) => sn !== undefined);
  if (serialNumbers.length === 0) throw new CliUsageFault('give --inverter or --storage, or both');
  const inverters = serialNumbers.map((sn) =>
    inverterOf(sn, kwp / serialNumbers.length, latitude, sn === options.storage),
  );
  return {
    seed: numberIn(options.seed, '--seed', 0, 1e9),
    place: { latitude, longitude: numberIn(options.longitude, '--longitude', -180, 180) },
    timeZone,
    gridFrequencyHz: 50,
    gridVoltageV: 230,
    load: { baseW: 30 * kwp, morningPeakW: 120 * kwp, eveningPeakW: 220 * kwp },
    inverters,
    ...(options.meter !== undefined && { meterSn: options.meter }),
    ...(options.epm !== undefined && { epmSn: options.epm }),
    ...(options.weather !== undefined && { weatherStationSn: options.weather }),
  };
}

/** Two strings that face the equator at the tilt of a roof, on a slightly undersized inverter. */
function inverterOf(
  sn: string,
  kwp: number,
  latitude: number,
  storage: boolean,
): InverterSpecification {
  const string = { kwp: kwp / 2, tilt: 30, azimuth: latitude >= 0 ? 180 : 0, modulesInSeries: 14 };
  const battery = { capacityKwh: kwp, maxPowerW: 500 * kwp, reservePercent: 10 };
  return {
    sn,
    ratedPowerW: Math.round(850 * kwp),
    phases: 3,
    startTotalKwh: 0,
    strings: [string, string],
    ...(storage && { battery }),
  };
}

function numberIn(text: string, option: string, min: number, max: number): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!(value >= min && value <= max))
    throw new CliUsageFault(`${option} takes a number from ${min} to ${max}`);
  return value;
}
