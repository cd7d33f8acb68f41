import type { Channel, QuantityName } from '@helioport/contract';
import type { DeviceKind } from '../../devices/devices.ts';

/** Kinds of devices, the best one first. */
export type Precedence = readonly DeviceKind[];

// Only one kind of device is counted for a figure, the first in the list that measured it. Production is an inverter's word before a meter's;
// what flows at the grid connection is a meter's before an inverter's.
const inverters: Precedence = ['inverter'];
const inverterThenMeter: Precedence = ['inverter', 'epm'];
const metersThenInverter: Precedence = ['epm', 'ammeter', 'inverter'];

export const channelPrecedence: readonly (readonly [Channel, Precedence])[] = [
  ['production', inverterThenMeter],
  ['gridImport', metersThenInverter],
  ['gridExport', metersThenInverter],
  ['batteryCharge', inverters],
  ['batteryDischarge', inverters],
  ['load', metersThenInverter],
  ['backup', inverters],
  ['generator', inverters],
];

/** What weather stations tell of a plant, in kWh/m². */
export const irradiations = ['irradiation', 'globalIrradiation', 'directIrradiation', 'diffuseIrradiation'] as const satisfies readonly Channel[];

/** Powers of a plant: the sums over the devices of a kind. */
export const powerPrecedence: readonly (readonly [QuantityName, Precedence])[] = [
  ['acPowerW', inverterThenMeter],
  ['gridPowerW', metersThenInverter],
  ['loadPowerW', metersThenInverter],
  ['batteryPowerW', inverters],
  ['backupPowerW', inverters],
  ['generatorPowerW', inverters],
];

/** The kinds whose AC power is the plant's. */
export const acPowerPrecedence: Precedence = inverterThenMeter;

/** What a plant has as the mean over the devices of a kind. */
export const meanPrecedence: readonly (readonly [QuantityName, Precedence])[] = [
  ['batterySocPercent', inverters],
  ['irradianceWm2', ['weather']],
  ['globalIrradianceWm2', ['weather']],
];

/** What a plant's record shows of its weather, all from the one station that reported last: a wind has no mean direction. */
export const weatherQuantities: readonly QuantityName[] = [
  'ambientTemperatureC',
  'humidityPercent',
  'windSpeedMs',
  'windDirectionDeg',
  'rainfallMm',
  'airPressureHpa',
];
