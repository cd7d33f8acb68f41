import { MINUTE_MS } from '@helioport/contract/durations';
import type { Reading } from '@helioport/collector';
import type { Values } from '@helioport/contract';
import { counted } from './counter.ts';
import { batteryVoltage } from './battery-voltage.ts';
import type { InverterOutput } from './inverter.ts';
import { smoothNoise } from './noise.ts';
import type { SimulatedPlantState } from './plant.ts';
import type { InverterSpecification, PlantSpecification } from './specification.ts';
import { irradianceOnPlane } from './sun.ts';
import { simulatedModuleTemperature } from './weather.ts';

/** The readings that the plant's devices report for a state. */
export function readingsOf(
  specification: PlantSpecification,
  state: SimulatedPlantState,
): Reading[] {
  const { meterSn, epmSn, weatherStationSn, collectorSn } = specification;
  const { at } = state;
  const readings: Reading[] = specification.inverters.map((inverter, i) => ({
    sn: inverter.sn,
    at,
    values: rounded({
      ...inverterValues(specification, inverter, state, i),
      ...(inverter.battery && { ...storageValues(inverter, state), ...gridValues(state) }),
    }),
  }));
  const atGrid = { ...gridValues(state), ...phaseValues(specification, 3, state.gridW, state) };
  if (meterSn !== undefined) readings.push({ sn: meterSn, at, values: rounded(atGrid) });
  if (epmSn !== undefined)
    readings.push({
      sn: epmSn,
      at,
      values: rounded({ ...atGrid, acPowerW: state.productionW, powerFactor: 1 }),
    });
  if (weatherStationSn !== undefined)
    readings.push({
      sn: weatherStationSn,
      at,
      values: rounded(weatherValues(specification, state)),
    });
  if (collectorSn !== undefined)
    readings.push({ sn: collectorSn, at, values: { signalDbm: signalAt(specification.seed, at) } });
  return readings;
}

/** Radio signal of a collector that hangs a room away from its router, dBm: people and doors come between. */
const signalAt = (seed: number, at: number): number =>
  Math.round(-72 + 14 * smoothNoise(seed + 71, at, 40 * MINUTE_MS));

function inverterValues(
  specification: PlantSpecification,
  { phases, ratedPowerW, battery }: InverterSpecification,
  state: SimulatedPlantState,
  index: number,
): Values {
  const output = state.inverters[index]!;
  // A battery is charged before the connection, or through it by what others give.
  const connectionW = output.acPowerW - (battery ? state.batteryW : 0);
  const produced = state.counters.produced[index]!;
  return {
    acPowerW: output.acPowerW,
    dcPowerW: output.dcPowerW,
    apparentPowerVa: Math.abs(connectionW),
    reactivePowerVar: 0,
    powerFactor: 1,
    energyTodayKwh: counted(produced.todayWattMs),
    energyTotalKwh: counted(produced.totalWattMs),
    temperatureC: output.temperatureC,
    // Strings are boosted to it, so it is never below theirs.
    busVoltageV:
      output.acPowerW > 0
        ? Math.max(380, ...output.strings.map(({ voltageV }) => voltageV)) +
          40 * (output.acPowerW / ratedPowerW)
        : 0,
    ...stringValues(output),
    ...phaseValues(specification, phases, connectionW, state),
    ...(state.influences && {
      powerLimitPercent: 100 * state.influences.controls[index]!.powerShare,
    }),
  };
}

function stringValues({ strings }: InverterOutput): Values {
  return Object.fromEntries(
    strings.flatMap(({ voltageV, currentA, powerW }, i) => [
      [`dcVoltage${i + 1}V`, voltageV],
      [`dcCurrent${i + 1}A`, currentA],
      [`dcPower${i + 1}W`, powerW],
    ]),
  );
}

/** Values of the phases: voltages that vary a little, and equal shares of the power. */
function phaseValues(
  { seed, gridFrequencyHz, gridVoltageV }: PlantSpecification,
  phases: 1 | 3,
  powerW: number,
  { at, influences }: SimulatedPlantState,
): Values {
  const isDead = influences?.conditions.isGridOut === true;
  const values: Record<string, number> = {
    gridFrequencyHz: isDead
      ? 0
      : gridFrequencyHz + 0.08 * (smoothNoise(seed + 30, at, 11 * MINUTE_MS) - 0.5),
  };
  for (let phase = 1; phase <= phases; phase++) {
    const voltage = isDead
      ? 0
      : gridVoltageV * (1 + 0.03 * (smoothNoise(seed + 30 + phase, at, 17 * MINUTE_MS) - 0.5));
    values[`acVoltage${phase}V`] = voltage;
    values[`acCurrent${phase}A`] = isDead ? 0 : Math.abs(powerW) / phases / voltage;
    values[`acPower${phase}W`] = powerW / phases;
  }
  return values;
}

function storageValues(
  { battery }: InverterSpecification,
  { batteryW, batteryKwh, weather, counters, influences }: SimulatedPlantState,
): Values {
  const isDead = influences?.conditions.isBatteryDead === true;
  const charge = isDead ? 0 : batteryKwh / battery!.capacityKwh;
  const voltage = isDead ? 0 : batteryVoltage(100 * charge);
  return {
    batteryPowerW: batteryW,
    batterySocPercent: 100 * charge,
    batterySohPercent: 99,
    batteryVoltageV: voltage,
    batteryCurrentA: isDead ? 0 : batteryW / voltage,
    batteryTemperatureC: 20 + 0.2 * (weather.ambientC - 20) + Math.abs(batteryW) / 1000,
    batteryChargeTodayKwh: counted(counters.charged.todayWattMs),
    batteryChargeTotalKwh: counted(counters.charged.totalWattMs),
    batteryDischargeTodayKwh: counted(counters.discharged.todayWattMs),
    batteryDischargeTotalKwh: counted(counters.discharged.totalWattMs),
  };
}

function gridValues({ gridW, loadW, counters }: SimulatedPlantState): Values {
  return {
    gridPowerW: gridW,
    loadPowerW: loadW,
    gridImportTodayKwh: counted(counters.imported.todayWattMs),
    gridImportTotalKwh: counted(counters.imported.totalWattMs),
    gridExportTodayKwh: counted(counters.exported.todayWattMs),
    gridExportTotalKwh: counted(counters.exported.totalWattMs),
    loadTodayKwh: counted(counters.consumed.todayWattMs),
    loadTotalKwh: counted(counters.consumed.totalWattMs),
  };
}

function weatherValues(
  { inverters }: PlantSpecification,
  { weather }: SimulatedPlantState,
): Values {
  const { sun, light } = weather;
  const plane = inverters[0]?.strings[0] ?? { tilt: 0, azimuth: 180 };
  const irradiance = irradianceOnPlane(light, sun, plane);
  return {
    irradianceWm2: irradiance,
    globalIrradianceWm2: light.global,
    directIrradianceWm2: light.direct,
    diffuseIrradianceWm2: light.diffuse,
    ambientTemperatureC: weather.ambientC,
    moduleTemperatureC: simulatedModuleTemperature(weather, irradiance),
    windSpeedMs: weather.windMs,
    windDirectionDeg: weather.windFromDeg,
    humidityPercent: weather.humidityPercent,
    airPressureHpa: weather.pressureHpa,
  };
}

/** Rounds to two decimals, more than any device shows. */
function rounded(values: Values): Values {
  return Object.fromEntries(
    Object.entries<number>(values as Record<string, number>).map(([name, value]) => [
      name,
      Math.round(value * 100) / 100,
    ]),
  );
}
