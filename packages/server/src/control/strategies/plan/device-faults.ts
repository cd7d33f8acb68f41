import type { PlanInterval } from '@helioport/contract';
import { parameterOf } from '@helioport/devices';
import { canBeForced, isForcedBy } from './forced-power.ts';
import { planFault, type PlanFault } from './plan-fault.ts';
import {
  ampsOf,
  canSet,
  mostAmpsOf,
  PARAMETERS,
  POWER,
  SLOTS,
  slotScheme,
  type PlannedDevice,
} from './planned-device.ts';

/** Intervals of a plan that a device cannot carry out. */
export function deviceFaults(
  intervals: readonly PlanInterval[],
  device: PlannedDevice,
): PlanFault[] {
  return intervals.flatMap(({ payload }, i) => {
    const refuse = (field: string, expected: string): PlanFault[] => [
      planFault(i, `payload.${field}`, expected, intervals),
    ];
    switch (payload.type) {
      case 'charge':
      case 'discharge':
      case 'hold': {
        const isForced = isForcedBy(intervals, device);
        const lack = isForced ? undefined : whyNoSlots(device);
        if (lack !== undefined) return refuse('type', lack);
        const mostKw =
          payload.type === 'hold'
            ? Infinity
            : isForced
              ? (device.ratedPowerW ?? Infinity) / 1000
              : mostPowerKw(device);
        return payload.type !== 'hold' && payload.powerKw > mostKw
          ? refuse('powerKw', `at most ${mostKw} kW, which ${device.sn} can`)
          : [];
      }
      case 'exportLimit':
        return canSet(device, PARAMETERS.exportLimit, String(Math.floor(payload.powerKw * 1000)))
          ? []
          : refuse('type', `a device whose export can be limited, unlike ${device.sn}`);
      case 'off':
        return offSwitch(device) === undefined
          ? refuse('type', `a device that can be switched off, unlike ${device.sn}`)
          : [];
      case 'selfUse':
        return [];
    }
  });
}

/** Why a device cannot be given a power, for now or for certain hours; undefined = it can. */
export const whyNoPower = (device: PlannedDevice): string | undefined =>
  canBeForced(device) ? undefined : whyNoSlots(device);

/** Why a device cannot be commanded when to charge and discharge; undefined = it can. */
function whyNoSlots(device: PlannedDevice): string | undefined {
  if (!device.hasBattery) return `a device with a battery, unlike ${device.sn}`;
  if (slotScheme(device) !== undefined) return undefined;
  const hasSlots = parameterOf(device.profile, SLOTS.charge[0]!.time)?.access === 'write';
  return hasSlots
    ? `a device that has reported the version of its display, unlike ${device.sn}`
    : `a device with time slots that can be set, unlike ${device.sn}`;
}

/** The highest power with which the battery of a device can be charged or discharged, kW: its rated power, or that of the highest current of a slot. */
function mostPowerKw(device: PlannedDevice): number {
  const wattsPerAmpere = 1 / ampsOf(1, device);
  return (
    Math.floor(Math.min(device.ratedPowerW ?? Infinity, mostAmpsOf(device) * wattsPerAmpere)) / 1000
  );
}

/** The parameter that switches a device off. */
export const offSwitch = (device: PlannedDevice): string | undefined =>
  PARAMETERS.switchOff.find((parameter) => canSet(device, parameter, POWER.off));
