import type { WireData } from '@helioport/contract';

/** A device of any kind with its latest readings. */
export type Device = WireData<'device/show'>['device'];
export type ShownDeviceKind = Device['kind'];

/** Latest values, by the name of the quantity. */
export type DeviceValues = Exclude<Device, { readonly kind: 'collector' }>['values'];
