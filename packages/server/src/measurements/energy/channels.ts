import type { QuantityName } from '@helioport/contract';

/** One direction of energy flow (or irradiation on a square metre), and the quantities that measure it. */
export interface ChannelSource {
  /** The power quantity, and the sign with which it counts for this channel. */
  readonly power: QuantityName;
  readonly sign: 1 | -1;
  /** The device's own daily counter, kWh; undefined if there is no such quantity. */
  readonly today: QuantityName | undefined;
  /** The device's total counter, kWh; undefined if there is no such quantity. */
  readonly total: QuantityName | undefined;
  /** Whether the device's rated power limits this flow; it does not if the flow is that of the whole house. */
  readonly rated: boolean;
  /** Whether the flow depends on the sun: its growth across a gap is then divided by daylight. */
  readonly sunlit: boolean;
}

/** The only table of energy channels. A channel's position is its number in stored states: append, never reorder. */
export const channelSources = {
  production: {
    power: 'acPowerW',
    sign: 1,
    today: 'energyTodayKwh',
    total: 'energyTotalKwh',
    rated: true,
    sunlit: true,
  },
  gridImport: {
    power: 'gridPowerW',
    sign: -1,
    today: 'gridImportTodayKwh',
    total: 'gridImportTotalKwh',
    rated: false,
    sunlit: false,
  },
  gridExport: {
    power: 'gridPowerW',
    sign: 1,
    today: 'gridExportTodayKwh',
    total: 'gridExportTotalKwh',
    rated: false,
    sunlit: true,
  },
  batteryCharge: {
    power: 'batteryPowerW',
    sign: 1,
    today: 'batteryChargeTodayKwh',
    total: 'batteryChargeTotalKwh',
    rated: true,
    sunlit: true,
  },
  batteryDischarge: {
    power: 'batteryPowerW',
    sign: -1,
    today: 'batteryDischargeTodayKwh',
    total: 'batteryDischargeTotalKwh',
    rated: true,
    sunlit: false,
  },
  load: {
    power: 'loadPowerW',
    sign: 1,
    today: 'loadTodayKwh',
    total: 'loadTotalKwh',
    rated: false,
    sunlit: false,
  },
  backup: {
    power: 'backupPowerW',
    sign: 1,
    today: 'backupTodayKwh',
    total: 'backupTotalKwh',
    rated: true,
    sunlit: false,
  },
  generator: {
    power: 'generatorPowerW',
    sign: 1,
    today: 'generatorTodayKwh',
    total: 'generatorTotalKwh',
    rated: false,
    sunlit: false,
  },
  irradiation: {
    power: 'irradianceWm2',
    sign: 1,
    today: 'irradiationTodayKwhm2',
    total: undefined,
    rated: false,
    sunlit: true,
  },
  globalIrradiation: {
    power: 'globalIrradianceWm2',
    sign: 1,
    today: undefined,
    total: undefined,
    rated: false,
    sunlit: true,
  },
  directIrradiation: {
    power: 'directIrradianceWm2',
    sign: 1,
    today: undefined,
    total: undefined,
    rated: false,
    sunlit: true,
  },
  diffuseIrradiation: {
    power: 'diffuseIrradianceWm2',
    sign: 1,
    today: undefined,
    total: undefined,
    rated: false,
    sunlit: true,
  },
} as const satisfies Record<string, ChannelSource>;

/** Name of an energy channel. */
export type EnergyChannel = keyof typeof channelSources;

/** All channels; the index is the channel's number in stored states. */
export const energyChannels = Object.keys(channelSources) as readonly EnergyChannel[];

/** Number of the channel `production`. */
export const PRODUCTION = energyChannels.indexOf('production');

const sunlit: readonly boolean[] = energyChannels.map((name) => channelSources[name].sunlit);
/** Whether the channel with this number depends on the sun. */
export const isSunlit = (number: number): boolean => sunlit[number]!;
