import type { InverterSpecification } from '@helioport/simulator';
import {
  calendarOf,
  type Zones,
} from '../../../packages/server/src/platform/calendar/plant-calendar.ts';
import { checkValue } from '../../../packages/devices/src/parameters/check-value.ts';
import { parameterOf, profileOf } from '../../../packages/devices/src/profiles/profiles.ts';
import type { PlannedDevice } from '../../../packages/server/src/control/strategies/plan/planned-device.ts';
import { batteryVoltage } from '../../../packages/simulator/src/battery-voltage.ts';
import { controlsOf, type Controls } from '../../../packages/simulator/src/devices/controls.ts';
import { factorySettings } from '../../../packages/simulator/src/devices/factory-settings.ts';
import { createMemory, type Memory } from '../../../packages/simulator/src/devices/memory.ts';
import { hasSixSlots } from '../../../packages/simulator/src/inventory.ts';

/** State of charge at which what an inverter would do is looked at; its battery has the nominal voltage then. */
export const SOC_PERCENT = 50;

/** A simulated inverter with its registers, and as plans see it. */
export interface PlannedInverter {
  readonly device: PlannedDevice;
  readonly memory: Memory;
  /** What it has of parameters. */
  settingsOf(parameters: readonly string[]): Map<string, string>;
  /** Writes values as the service does; returns how many registers changed. Throws if one may not be written. */
  write(settings: Iterable<readonly [parameter: string, value: string]>): number;
  /** What its registers make it do when its clock, which is the plant's, shows a time. */
  controlsAt(zones: Zones, at: number): Controls;
}

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;

export function createPlannedInverter(
  specification: InverterSpecification,
  model = 'HS-8K-ES',
  displayVersion: string | null = '4b00',
): PlannedInverter {
  const profile = profileOf(model);
  const { sn, ratedPowerW, battery } = specification;
  const version = displayVersion === null ? null : Number.parseInt(displayVersion, 16);
  const memory = createMemory({
    parameters: profile.parameters,
    displayVersion: version,
    initial: factorySettings(specification, hasSixSlots(version)),
  });
  return {
    device: {
      sn,
      profile,
      displayVersion,
      hasBattery: battery !== undefined,
      ratedPowerW,
      batteryVoltageV: batteryVoltage(SOC_PERCENT),
      holds: new Set(),
    },
    memory,
    settingsOf: (parameters) => new Map(parameters.map((id) => [id, memory.read(id, 0).value])),
    write(settings) {
      let changed = 0;
      for (const [id, value] of settings) {
        if (memory.read(id, 0).value === value) continue;
        const checked = checkValue(parameterOf(profile, id), value, {
          displayVersion,
          oldValue: '0',
        });
        if ('fault' in checked) throw new Error(`${id} ${value}: ${checked.fault.expected}`);
        memory.write(id, value, 0);
        changed += 1;
      }
      return changed;
    },
    controlsAt: (zones, at) =>
      controlsOf(
        memory,
        battery,
        Math.floor((at + calendarOf(zones).offsetAt(at)) / MINUTE_MS) % DAY_MINUTES,
        SOC_PERCENT,
      ),
  };
}
