import type { DeviceFacts } from '@helioport/contract';
import { type Parameter, parameterOf, type Profile, profileFor } from '@helioport/devices';
import type { Device } from '../../fleet/devices/devices.ts';

/** The properties of a device that determine its parameters. */
export type ParameterSubject = Pick<Device, 'kind' | 'model' | 'facts'>;

const factsOf = ({ facts }: ParameterSubject): DeviceFacts => JSON.parse(facts) as DeviceFacts;

/** A parameter of a device. Undefined if its model does not have it. */
export function findParameter(device: ParameterSubject, id: string): Parameter | undefined {
  return device.kind === 'inverter' ? parameterOf(profileOfDevice(device), id) : undefined;
}

/** The profile of a device: as reported, or by its model. */
export const profileOfDevice = (device: ParameterSubject): Profile =>
  profileFor({ ...factsOf(device), model: device.model });

/** Version of the display's firmware, on which some parameters depend, as hexadecimal text. */
export const knownDisplayVersionOf = (device: ParameterSubject): string | null =>
  factsOf(device).displayVersion ?? null;
