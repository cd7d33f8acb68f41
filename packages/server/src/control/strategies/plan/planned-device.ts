import { checkValue, parameterOf, type Profile } from '@helioport/devices';

/** What a plan has to know about a device. */
export interface PlannedDevice {
  readonly sn: string;
  readonly profile: Profile;
  /** Version of its display's firmware, hexadecimal text; null = not reported. */
  readonly displayVersion: string | null;
  readonly hasBattery: boolean;
  /** Null = unknown. */
  readonly ratedPowerW: number | null;
  /** Parameters that it forgets by itself, and that its collector repeats. */
  readonly holds: ReadonlySet<string>;
  /** As measured when its powers were set; null = not measured. */
  readonly batteryVoltageV: number | null;
}

/** Sixteen cells of lithium iron phosphate, the usual low-voltage battery. */
export const NOMINAL_BATTERY_V = 51.2;

/** How a device keeps hours in which its battery is charged or discharged: in six slots of each kind, or three, by the firmware of its display. */
export type SlotScheme = 'six' | 'three';

/** Undefined if it has none, or if the version of its display is not known. */
export function slotScheme(
  device: Pick<PlannedDevice, 'profile' | 'displayVersion'>,
): SlotScheme | undefined {
  if (canSet(device, SLOTS.charge[0]!.time, '00:00-00:00')) return 'six';
  return canSet(device, THREE_SLOTS, Array.from({ length: 3 }, () => NO_SLOTS).join(','))
    ? 'three'
    : undefined;
}

/** Whether a parameter may have a value on a device. */
export const canSet = (
  { profile, displayVersion }: Pick<PlannedDevice, 'profile' | 'displayVersion'>,
  parameter: string,
  value: string,
): boolean =>
  'value' in
  checkValue(parameterOf(profile, parameter), value, { displayVersion, oldValue: value });

/** The highest current of a slot, A. */
export function mostAmpsOf({ profile }: Pick<PlannedDevice, 'profile'>): number {
  const form = parameterOf(profile, SLOTS.charge[0]!.amps)?.form;
  return form?.type === 'number' ? form.max : Infinity;
}

/** The current of a battery at a power, A. @param powerW in W */
export const ampsOf = (
  powerW: number,
  { batteryVoltageV }: Pick<PlannedDevice, 'batteryVoltageV'>,
): number => powerW / (batteryVoltageV ?? NOMINAL_BATTERY_V);

/** The parameters of a time slot. */
export interface PlannedSlotParameters {
  readonly toggle: string;
  readonly time: string;
  readonly amps: string;
  readonly socPercent: string;
}

const slots = (
  firstSwitch: number,
  times: readonly number[],
  currents: readonly number[],
  ends: readonly number[],
): PlannedSlotParameters[] =>
  times.map((time, i) => ({
    toggle: String(firstSwitch + i),
    time: String(time),
    amps: String(currents[i]),
    socPercent: String(ends[i]),
  }));

/** Six slots of charging and of discharging. */
export const SLOTS: {
  readonly charge: readonly PlannedSlotParameters[];
  readonly discharge: readonly PlannedSlotParameters[];
} = {
  charge: slots(
    5916,
    [5946, 5949, 5952, 5955, 5958, 5961],
    [5948, 5951, 5954, 5957, 5960, 5963],
    [5928, 5929, 5930, 5931, 5932, 5933],
  ),
  discharge: slots(
    5922,
    [5964, 5968, 5972, 5976, 5980, 5987],
    [5967, 5971, 5975, 5979, 5983, 5986],
    [5965, 5969, 5973, 5977, 5981, 5984],
  ),
};

/** The power to which a battery is forced, W; + charging. Writing it wears nothing out. */
export const FORCED = { parameter: '90201', none: '0', stepW: 10 } as const;

/** Three slots of charging and of discharging, all in one parameter. */
export const THREE_SLOTS = '103';
export const NO_SLOTS = '0,0,00:00-00:00,00:00-00:00';

/** Parameters that a plan uses besides slots. */
export const PARAMETERS = {
  storageMode: '636',
  exportLimit: '230',
  chargingEnds: '7963',
  dischargingEnds: '158',
  /** Switches of devices with a battery and of those without. */
  switchOn: ['52', '48'],
  switchOff: ['54', '53'],
} as const;

/** Bits of the storage mode. */
export const MODE = { selfUse: 1, timeOfUse: 2, gridCharging: 32, feedInFirst: 64 } as const;

/** Values of the switches of an inverter. */
export const POWER = { on: '190', off: '222' } as const;
