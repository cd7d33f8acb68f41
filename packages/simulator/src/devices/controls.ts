import { batteryVoltage } from '../battery-voltage.ts';
import type { BatterySpecification } from '../specification.ts';
import type { Memory } from './memory.ts';
import { CHARGE, DISCHARGE, type SlotParameters } from './slot-parameters.ts';
import { activeCurrents, isWithin } from './slot-text.ts';

/** The effects of the settings of an inverter. */
export interface Controls {
  readonly isOn: boolean;
  /** Limit of the AC power, as a share of the rated power. */
  readonly powerShare: number;
  /** Limit of the power fed into the grid, W. */
  readonly exportLimitW: number;
  readonly battery: BatteryControls | undefined;
}

export interface BatteryControls {
  /** Below this state of charge, the battery is not discharged. */
  readonly leastPercent: number;
  /** Above this state of charge, the battery is not charged. */
  readonly mostPercent: number;
  readonly maxChargeW: number;
  readonly maxDischargeW: number;
  /** Surplus is sold rather than stored. */
  readonly isFeedInFirst: boolean;
  readonly mayChargeFromGrid: boolean;
  readonly isOffGrid: boolean;
  /** Power that the current time slot requests, W, + charging; undefined outside all slots. */
  readonly scheduledW: number | undefined;
}

/** Bits of the storage mode. */
const MODE = { timeOfUse: 2, offGrid: 4, backup: 16, gridCharging: 32, feedInFirst: 64 };
const OFF = '222';

/** A setting as a number, with a default for inverters without it. */
const numberOf = (memory: Memory, id: number, otherwise: number): number =>
  Number(memory.get(String(id)) ?? otherwise);

/** @param minute minutes since local midnight @param socPercent state of charge of the battery */
export function controlsOf(
  memory: Memory,
  battery: BatterySpecification | undefined,
  minute: number,
  socPercent: number,
): Controls {
  return {
    // 48 is the switch of inverters without a battery, 52 that of inverters with one. All switches of an inverter share one cell.
    isOn: memory.get('48') !== OFF && memory.get('52') !== OFF,
    powerShare: Math.min(1, numberOf(memory, 15, 100) / 100, numberOf(memory, 376, 100) / 100),
    exportLimitW: memory.get('6962') === '1' ? 0 : numberOf(memory, 230, Infinity),
    battery: battery && batteryControls(memory, battery, minute, socPercent),
  };
}

function batteryControls(
  memory: Memory,
  { maxPowerW, reservePercent }: BatterySpecification,
  minute: number,
  socPercent: number,
): BatteryControls {
  const mode = numberOf(memory, 636, 1);
  const has = (bit: number): boolean => (mode & bit) !== 0;
  const isOffGrid = has(MODE.offGrid);
  const endsPercent = isOffGrid
    ? numberOf(memory, 469, reservePercent)
    : numberOf(memory, 158, reservePercent);
  return {
    leastPercent: Math.max(endsPercent, has(MODE.backup) ? numberOf(memory, 157, 0) : 0),
    mostPercent: numberOf(memory, 7963, 100),
    maxChargeW: Math.min(maxPowerW, numberOf(memory, 7224, Infinity) * batteryVoltage(socPercent)),
    maxDischargeW: Math.min(
      maxPowerW,
      numberOf(memory, 7226, Infinity) * batteryVoltage(socPercent),
    ),
    isFeedInFirst: has(MODE.feedInFirst),
    mayChargeFromGrid: has(MODE.gridCharging),
    isOffGrid,
    scheduledW: has(MODE.timeOfUse) ? scheduledW(memory, minute, socPercent) : undefined,
  };
}

function scheduledW(memory: Memory, minute: number, socPercent: number): number | undefined {
  const amps =
    memory.get(String(CHARGE.firstSwitch)) === undefined
      ? threeSlotsA(memory, minute)
      : sixSlotsA(memory, minute, socPercent);
  return amps === undefined ? undefined : Math.trunc(amps * batteryVoltage(socPercent));
}

/** The current that six slots request, + charging; undefined outside all of them. */
function sixSlotsA(memory: Memory, minute: number, socPercent: number): number | undefined {
  const active = ({ firstSwitch, times }: SlotParameters): number =>
    times.findIndex(
      (time, i) =>
        memory.get(String(firstSwitch + i)) === '1' &&
        isWithin(memory.get(String(time)) ?? '', minute),
    );
  const charging = active(CHARGE);
  if (charging >= 0)
    return socPercent < numberOf(memory, CHARGE.ends[charging]!, 100)
      ? numberOf(memory, CHARGE.currents[charging]!, 0)
      : 0;
  const discharging = active(DISCHARGE);
  if (discharging < 0) return undefined;
  return socPercent > numberOf(memory, DISCHARGE.ends[discharging]!, 0)
    ? -numberOf(memory, DISCHARGE.currents[discharging]!, 0)
    : 0;
}

/** The current that three slots request, + charging. They are all in one parameter, and have no state of charge at which they end. */
function threeSlotsA(memory: Memory, minute: number): number | undefined {
  const { charge, discharge } = activeCurrents(memory.get('103') ?? '', minute);
  return charge ?? (discharge === undefined ? undefined : -discharge);
}
