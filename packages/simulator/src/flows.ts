import { stepBattery, type BatteryStep } from './battery.ts';
import type { BatteryControls } from './devices/controls.ts';
import type { Influences } from './influences.ts';
import { inverterAt, type InverterOutput } from './inverter.ts';
import type { PlantSpecification } from './specification.ts';
import type { Weather } from './weather.ts';

/** How power flows in a plant, in whole watts. It balances: production = load + battery + grid. */
export interface Powers {
  readonly inverters: readonly InverterOutput[];
  readonly productionW: number;
  readonly loadW: number;
  /** Power of the battery, + charging. */
  readonly batteryW: number;
  /** Power at the grid connection, + export. */
  readonly gridW: number;
  readonly batteryKwh: number;
}

export interface FlowSurroundings {
  readonly weather: Weather;
  /** Power that the house demands, W. */
  readonly wantedW: number;
  readonly storedKwh: number;
  readonly stepMs: number;
  readonly influences: Influences | undefined;
}

export function powersOf(
  specification: PlantSpecification,
  surroundings: FlowSurroundings,
): Powers {
  const { wantedW, influences } = surroundings;
  const controls = influences?.controls.find(({ battery }) => battery)?.battery;
  const isIsland =
    influences !== undefined && (influences.conditions.isGridOut || controls?.isOffGrid === true);
  const outputs = specification.inverters.map((_, i) =>
    outputOf(specification, i, surroundings, limitOf(specification, i, influences)),
  );
  const offeredW = sumOf(outputs) - wantedW;
  const exportLimitW = isIsland
    ? 0
    : Math.min(Infinity, ...(influences?.controls ?? []).map((each) => each.exportLimitW));
  const battery = batteryStep(specification, surroundings, {
    offeredW,
    exportLimitW,
    isIsland,
    outputs,
  });
  const excessW = offeredW - battery.powerW;
  const inverters =
    excessW > exportLimitW
      ? curtailed(specification, surroundings, outputs, excessW - exportLimitW)
      : outputs;
  const productionW = sumOf(inverters);
  // Off the grid, a house may get less than it demands.
  const loadW = isIsland ? productionW - battery.powerW : wantedW;
  return {
    inverters,
    productionW,
    loadW,
    batteryW: battery.powerW,
    gridW: productionW - loadW - battery.powerW,
    batteryKwh: battery.storedKwh,
  };
}

const sumOf = (outputs: readonly InverterOutput[]): number =>
  outputs.reduce((sum, { acPowerW }) => sum + acPowerW, 0);

/** Limit of an inverter's output, W. Without a grid, inverters without a battery stop. */
function limitOf(
  { inverters }: PlantSpecification,
  i: number,
  influences: Influences | undefined,
): number {
  const { sn, ratedPowerW, battery } = inverters[i]!;
  if (!influences) return ratedPowerW;
  if (influences.conditions.hasFailed(sn)) return 0;
  const { isOn, powerShare } = influences.controls[i]!;
  return isOn && (battery || !influences.conditions.isGridOut)
    ? Math.floor(powerShare * ratedPowerW)
    : 0;
}

const outputOf = (
  { inverters }: PlantSpecification,
  i: number,
  { weather, influences }: FlowSurroundings,
  limitW: number,
): InverterOutput =>
  inverterAt(inverters[i]!, weather, limitW, influences?.conditions.deadStrings(inverters[i]!.sn));

function curtailed(
  specification: PlantSpecification,
  surroundings: FlowSurroundings,
  outputs: readonly InverterOutput[],
  excessW: number,
): readonly InverterOutput[] {
  let leftW = excessW;
  return outputs.map((output, i) => {
    if (leftW <= 0) return output;
    const less = outputOf(specification, i, surroundings, Math.max(0, output.acPowerW - leftW));
    leftW -= output.acPowerW - less.acPowerW;
    return less;
  });
}

/** What a battery finds in its plant. */
interface BatterySituation {
  /** What the inverters give beyond what the house takes, W. */
  readonly offeredW: number;
  readonly exportLimitW: number;
  readonly isIsland: boolean;
  readonly outputs: readonly InverterOutput[];
}

function batteryStep(
  specification: PlantSpecification,
  { storedKwh, stepMs, influences }: FlowSurroundings,
  situation: BatterySituation,
): BatteryStep {
  const { offeredW, exportLimitW, isIsland, outputs } = situation;
  const i = specification.inverters.findIndex((inverter) => inverter.battery);
  const battery = specification.inverters[i]?.battery;
  const controls = influences?.controls[i];
  if (!battery || influences?.conditions.isBatteryDead || controls?.isOn === false)
    return { powerW: 0, storedKwh };
  if (!controls?.battery) return stepBattery(battery, storedKwh, offeredW, stepMs);
  // Modules and battery share the inverter's way to the grid, and what the battery adds must not be exported beyond the limit.
  const leftW = Math.max(0, limitOf(specification, i, influences) - outputs[i]!.acPowerW);
  const limits = {
    ...controls.battery,
    maxDischargeW: Math.min(controls.battery.maxDischargeW, leftW),
  };
  const wantedW = isIsland
    ? offeredW
    : Math.max(wantedOf(controls.battery, offeredW), Math.min(0, offeredW - exportLimitW));
  return stepBattery(battery, storedKwh, wantedW, stepMs, limits);
}

/** The requested battery power, + charging, when the grid balances the rest. */
function wantedOf(
  { scheduledW, isFeedInFirst, mayChargeFromGrid }: BatteryControls,
  surplusW: number,
): number {
  if (scheduledW !== undefined)
    return scheduledW > 0 && !mayChargeFromGrid
      ? Math.min(scheduledW, Math.max(0, surplusW))
      : scheduledW;
  return isFeedInFirst ? Math.min(0, surplusW) : surplusW;
}
