import type { Channel, QuantityName } from '@helioport/contract';
import type { DeviceKind } from '../../devices/devices.ts';

/** Kinds of devices, the best one first. */
export type Precedence = readonly DeviceKind[];

// Who is asked for a figure of a plant: what a meter at the grid connection measured is not counted again from the inverters.
const inverters: Precedence = ['inverter'];
const invertersOrMeter: Precedence = ['inverter', 'epm'];
const metersOrInverters: Precedence = ['epm', 'ammeter', 'inverter'];

export const channelPrecedence: readonly (readonly [Channel, Precedence])[] = [
  ['production', invertersOrMeter],
  ['gridImport', metersOrInverters],
  ['gridExport', metersOrInverters],
  ['batteryCharge', inverters],
  ['batteryDischarge', inverters],
  ['load', metersOrInverters],
  ['backup', inverters],
  ['generator', inverters],
];

/** What weather stations tell of a plant, in kWh/m². */
export const irradiations = ['irradiation', 'globalIrradiation', 'directIrradiation', 'diffuseIrradiation'] as const satisfies readonly Channel[];

/** Powers of a plant: the sums over the devices of a kind. */
export const powerPrecedence: readonly (readonly [QuantityName, Precedence])[] = [
  ['acPowerW', invertersOrMeter],
  ['gridPowerW', metersOrInverters],
  ['loadPowerW', metersOrInverters],
  ['batteryPowerW', inverters],
  ['backupPowerW', inverters],
  ['generatorPowerW', inverters],
];

/** Whose AC power is the plant's. */
export const acPowerPrecedence: Precedence = invertersOrMeter;

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
