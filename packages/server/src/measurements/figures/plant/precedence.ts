import type { ChannelName, QuantityName } from '@helioport/contract';
import type { DeviceKind } from '../../../fleet/devices/devices.ts';

/** Kinds of device, most preferred first. */
export type SourcePrecedence = readonly DeviceKind[];

// Only one kind of device counts for a figure: the first in the list that measured it. Inverters are preferred for production, and meters for energy
// at the grid connection.
const inverters: SourcePrecedence = ['inverter'];
const inverterThenMeter: SourcePrecedence = ['inverter', 'epm'];
const metersThenInverter: SourcePrecedence = ['epm', 'ammeter', 'inverter'];

export const channelPrecedence: readonly (readonly [ChannelName, SourcePrecedence])[] = [
  ['production', inverterThenMeter],
  ['gridImport', metersThenInverter],
  ['gridExport', metersThenInverter],
  ['batteryCharge', inverters],
  ['batteryDischarge', inverters],
  ['load', metersThenInverter],
  ['backup', inverters],
  ['generator', inverters],
];

/** Energies of a plant that weather stations measure, in kWh/m². */
export const irradiations = [
  'irradiation',
  'globalIrradiation',
  'directIrradiation',
  'diffuseIrradiation',
] as const satisfies readonly ChannelName[];

/** Quantities of a plant that are sums over the devices of a kind. */
export const powerPrecedence: readonly (readonly [QuantityName, SourcePrecedence])[] = [
  ['acPowerW', inverterThenMeter],
  ['gridPowerW', metersThenInverter],
  ['loadPowerW', metersThenInverter],
  ['batteryPowerW', inverters],
  ['backupPowerW', inverters],
  ['generatorPowerW', inverters],
];

/** The kinds of device that provide the power at a plant's connection to the grid. */
export const gridPowerPrecedence: SourcePrecedence = metersThenInverter;

/**
 * A device's part of a plant's quantity. What a plant produces is never negative: an inverter that charges its battery from the grid, or draws what it
 * needs itself at night, takes nothing from what others produce.
 */
export const partOfPlant = (name: QuantityName, value: number): number =>
  name === 'acPowerW' ? Math.max(0, value) : value;

/** The kinds of device that provide a plant's AC power. */
export const acPowerPrecedence: SourcePrecedence = inverterThenMeter;

/** Quantities of a plant that are means over the devices of a kind. */
export const meanPrecedence: readonly (readonly [QuantityName, SourcePrecedence])[] = [
  ['batterySocPercent', inverters],
  ['irradianceWm2', ['weather']],
  ['globalIrradianceWm2', ['weather']],
];

/** Weather in a plant's record, all from the station that reported last: a mean wind direction would make no sense. */
export const weatherQuantities: readonly QuantityName[] = [
  'ambientTemperatureC',
  'humidityPercent',
  'windSpeedMs',
  'windDirectionDeg',
  'rainfallMm',
  'airPressureHpa',
];
