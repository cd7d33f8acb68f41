import { ofAllLoads } from '../../../parts/loads.ts';
import type { Device, DeviceValues } from '../device.ts';
import type { Texts } from '../texts/en.ts';

/** A figure that a device reported, in the unit that is given. */
export interface ShownReading {
  readonly name: keyof Texts['readings'];
  readonly value: number | string;
  readonly unit: string;
}

export interface ReadingGroup {
  readonly name: keyof Texts['groups'];
  readonly readings: readonly ShownReading[];
}

type Line = readonly [
  name: ShownReading['name'],
  value: number | string | undefined,
  unit?: string,
];

const group = (name: ReadingGroup['name'], lines: readonly Line[]): ReadingGroup => ({
  name,
  readings: lines.flatMap(([reading, value, unit = '']) =>
    value === undefined || value === '' ? [] : [{ name: reading, value, unit }],
  ),
});

/** What a device has reported, in groups; what it does not report is left out. */
export function readingGroups(device: Device): readonly ReadingGroup[] {
  const groups = device.kind === 'collector' ? collectorGroups(device) : measuredGroups(device);
  return groups.filter(({ readings }) => readings.length > 0);
}

type Collector = Extract<Device, { readonly kind: 'collector' }>;
type Measuring = Exclude<Device, Collector>;

const collectorGroups = ({ facts, ...collector }: Collector): readonly ReadingGroup[] => [
  group('radio', [
    ['signal', collector.signalDbm, 'dBm'],
    ['network', facts.networkOperator],
    ['wifi', facts.ssid],
    ['address', facts.lanAddress],
    ['simCard', facts.iccid],
  ]),
  group('reporting', [
    ['clockOffset', collector.clockOffsetSeconds, 's'],
    ['interval', facts.uploadIntervalSeconds, 's'],
    ['devices', collector.deviceCount],
    ['deviceLimit', facts.deviceLimit],
  ]),
];

/** Hybrid inverters report zeros of a battery that is not there. */
const hasBattery = ({ facts, values: { batteryVoltageV = 0 } }: Measuring): boolean =>
  facts.storage === true || (facts.batteryType ?? '0') !== '0' || batteryVoltageV > 0;

function measuredGroups(device: Measuring): readonly ReadingGroup[] {
  const { kind, values: v, energies: e } = device;
  const ratedPowerW = kind === 'inverter' ? device.ratedPowerW : undefined;
  const fullHours =
    e.production?.todayKwh !== undefined && ratedPowerW
      ? e.production.todayKwh / (ratedPowerW / 1000)
      : undefined;
  const battery: DeviceValues = hasBattery(device) ? v : {};
  return [
    group('power', [
      ['acPower', v.acPowerW, 'W'],
      ['dcPower', v.dcPowerW, 'W'],
      [kind === 'ammeter' ? 'meterPower' : 'gridPower', v.gridPowerW, 'W'],
      ['loadPower', ofAllLoads(v.loadPowerW, v.backupPowerW), 'W'],
      ['backupPower', v.backupPowerW, 'W'],
      ['generatorPower', v.generatorPowerW, 'W'],
      ['exportLimit', kind === 'epm' ? device.facts.exportLimitW : undefined, 'W'],
      ['reactivePower', v.reactivePowerVar, 'var'],
      ['apparentPower', v.apparentPowerVa, 'VA'],
      ['peakToday', kind === 'inverter' ? device.peakPowerW : undefined, 'W'],
    ]),
    group('battery', [
      ['soc', battery.batterySocPercent, '%'],
      ['soh', battery.batterySohPercent, '%'],
      ['batteryPower', battery.batteryPowerW, 'W'],
      ['batteryVoltage', battery.batteryVoltageV, 'V'],
      ['batteryCurrent', battery.batteryCurrentA, 'A'],
      ['chargeLimit', battery.batteryChargeLimitA, 'A'],
      ['dischargeLimit', battery.batteryDischargeLimitA, 'A'],
      ['chargedToday', e.batteryCharge?.todayKwh, 'kWh'],
      ['dischargedToday', e.batteryDischarge?.todayKwh, 'kWh'],
    ]),
    group('energy', [
      ['producedToday', e.production?.todayKwh, 'kWh'],
      ['producedMonth', e.production?.monthKwh, 'kWh'],
      ['producedYear', e.production?.yearKwh, 'kWh'],
      ['producedTotal', e.production?.totalKwh ?? v.energyTotalKwh, 'kWh'],
      ['consumedToday', ofAllLoads(e.load?.todayKwh, e.backup?.todayKwh), 'kWh'],
      ['consumedTotal', e.load?.totalKwh ?? v.loadTotalKwh, 'kWh'],
      ['boughtToday', e.gridImport?.todayKwh, 'kWh'],
      ['boughtTotal', e.gridImport?.totalKwh ?? v.gridImportTotalKwh, 'kWh'],
      ['soldToday', e.gridExport?.todayKwh, 'kWh'],
      ['soldTotal', e.gridExport?.totalKwh ?? v.gridExportTotalKwh, 'kWh'],
      ['fullHours', fullHours, 'h'],
    ]),
    group('grid', [
      ['frequency', v.gridFrequencyHz, 'Hz'],
      ['powerFactor', v.powerFactor],
    ]),
    group('inside', [
      ['temperature', v.temperatureC, '°C'],
      ['busVoltage', v.busVoltageV, 'V'],
      ['insulation', v.insulationResistanceKohm, 'kΩ'],
      ['leakage', v.leakageCurrentMa, 'mA'],
    ]),
    group('sun', [
      ['irradiance', v.irradianceWm2 ?? v.globalIrradianceWm2, 'W/m²'],
      ['directIrradiance', v.directIrradianceWm2, 'W/m²'],
      ['diffuseIrradiance', v.diffuseIrradianceWm2, 'W/m²'],
      [
        'irradiationToday',
        e.irradiation?.todayKwh ?? e.globalIrradiation?.todayKwh ?? v.irradiationTodayKwhm2,
        'kWh/m²',
      ],
      ['sunshineToday', kind === 'weather' ? device.sunshineHours : undefined, 'h'],
    ]),
    group('air', [
      ['airTemperature', v.ambientTemperatureC, '°C'],
      ['moduleTemperature', v.moduleTemperatureC, '°C'],
      ['dewPoint', v.dewPointC, '°C'],
      ['humidity', v.humidityPercent, '%'],
      ['windSpeed', v.windSpeedMs, 'm/s'],
      ['windDirection', v.windDirectionDeg, '°'],
      ['airPressure', v.airPressureHpa, 'hPa'],
      ['rainfall', v.rainfallMm, 'mm'],
    ]),
  ];
}
