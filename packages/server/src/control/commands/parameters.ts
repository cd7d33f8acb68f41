import type { DeviceFacts } from '@helioport/contract';
import { type Parameter, parameterOf, profileOf } from '@helioport/devices';
import type { Device } from '../../fleet/devices/devices.ts';

/** The properties of a device that determine its parameters. */
export type ParameterSubject = Pick<Device, 'kind' | 'model' | 'facts'>;

const factsOf = ({ facts }: ParameterSubject): DeviceFacts => JSON.parse(facts) as DeviceFacts;

/** A parameter of a device. Undefined if its model does not have it. */
export function findParameter(device: ParameterSubject, id: string): Parameter | undefined {
  return device.kind === 'inverter'
    ? parameterOf(profileOf(device.model, modelCodeOf(device)), id)
    : undefined;
}

/** The code of its model, as reported. */
export const modelCodeOf = (device: ParameterSubject): string | undefined =>
  factsOf(device).modelCode ?? undefined;

/** Version of the display's firmware, on which some parameters depend, as hexadecimal text. */
export const displayVersionOf = (device: ParameterSubject): string | null =>
  factsOf(device).displayVersion ?? null;
