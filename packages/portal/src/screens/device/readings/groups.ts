import { inKwh, inWatts } from '../../../wire/amounts.ts';
import type { Device, DeviceRecord } from '../device.ts';
import type { Texts } from '../texts/en.ts';

/** A figure that a device reported, in the unit that is given. */
export interface Reading {
  readonly name: keyof Texts['readings'];
  readonly value: number | string;
  readonly unit: string;
}

export interface ReadingGroup {
  readonly name: keyof Texts['groups'];
  readonly readings: readonly Reading[];
}

type Line = readonly [name: Reading['name'], value: number | string | undefined, unit?: string];

const group = (name: ReadingGroup['name'], lines: readonly Line[]): ReadingGroup => ({
  name,
  readings: lines.flatMap(([reading, value, unit = '']) =>
    value === undefined || value === '' ? [] : [{ name: reading, value, unit }],
  ),
});

/** What a device has reported, in groups; what it does not report is left out. */
export function readingGroups(device: Device): readonly ReadingGroup[] {
  return groupsOf(device).filter(({ readings }) => readings.length > 0);
}

function groupsOf({ kind, record }: Device): readonly ReadingGroup[] {
  switch (kind) {
    case 'inverter':
      return inverterGroups(record);
    case 'collector':
      return [
        group('radio', [
          ['signal', record.rssi, 'dBm'],
          ['network', record.connectionOperator],
          ['wifi', record.connectedSsid],
          ['address', record.lanIp],
          ['simCard', record.iccid],
        ]),
        group('reporting', [
          ['clockOffset', record.clockOffset, 's'],
          ['interval', record.dataUploadCycle, 's'],
          ['devices', record.actualNumber],
          ['deviceLimit', record.maximumNumber],
        ]),
      ];
    case 'epm':
      return [
        group('power', [
          ['gridPower', record.pEpmTotalOrigin, 'W'],
          ['acPower', record.pInverterTotalOrigin, 'W'],
          ['loadPower', record.pLoadOrigin, 'W'],
          ['exportLimit', record.pSetOrigin, 'W'],
        ]),
        group('grid', [
          ['frequency', record.facMeter, 'Hz'],
          ['powerFactor', record.powerFactor],
        ]),
        group('energy', [
          ['producedTotal', record.eToaalInverterOrigin, 'kWh'],
          ['consumedTotal', record.eTotalLoadOrigin, 'kWh'],
          ['boughtTotal', record.eTotalBuyOrigin, 'kWh'],
          ['soldTotal', record.eTotalSellOrigin, 'kWh'],
        ]),
      ];
    case 'weather':
      return [
        group('sun', [
          ['irradiance', record.totalR, 'W/m²'],
          ['directIrradiance', record.directR, 'W/m²'],
          ['diffuseIrradiance', record.scatteredR, 'W/m²'],
          ['irradiationToday', record.totalRday, 'kWh/m²'],
          ['sunshineToday', record.sunshineTim, 'h'],
        ]),
        group('air', [
          ['airTemperature', record.temp, '°C'],
          ['moduleTemperature', record.pvTemp, '°C'],
          ['dewPoint', record.dewTemp, '°C'],
          ['humidity', record.humidity, '%'],
          ['windSpeed', record.windSpeed, 'm/s'],
          ['windDirection', record.windDirection, '°'],
          ['airPressure', record.airPressure, 'hPa'],
          ['rainfall', record.rainfall, 'mm'],
        ]),
      ];
    case 'ammeter':
      return [
        group('power', [
          ['meterPower', inWatts(record.psum), 'W'],
          ['reactivePower', record.totalReactivePower, 'var'],
          ['apparentPower', record.totalViewPower, 'VA'],
        ]),
        group('grid', [
          ['frequency', record.fAc, 'Hz'],
          ['powerFactor', record.averagePowerFactor],
        ]),
        group('energy', [
          ['boughtToday', record.eTodayPositiveActive, 'kWh'],
          ['soldToday', record.eTodayReverseActive, 'kWh'],
          [
            'boughtTotal',
            inKwh(record.eTotalPositiveActive, record.eTotalPositiveActiveStr),
            'kWh',
          ],
          ['soldTotal', inKwh(record.eTotalReverseActive, record.eTotalReverseActiveStr), 'kWh'],
        ]),
      ];
  }
}

/** Existing clients get zeros for a battery that is not there; people are shown none. */
const hasBattery = ({ type, batteryType, batteryVoltage }: DeviceRecord<'inverter'>): boolean =>
  type === 2 || (batteryType !== undefined && batteryType !== '0') || (batteryVoltage ?? 0) > 0;

function inverterGroups(r: DeviceRecord<'inverter'>): readonly ReadingGroup[] {
  const battery = hasBattery(r);
  const withBattery = <T>(value: T): T | undefined => (battery ? value : undefined);
  return [
    group('power', [
      ['acPower', inWatts(r.pac), 'W'],
      ['dcPower', inWatts(r.dcPac), 'W'],
      ['gridPower', inWatts(r.pSum), 'W'],
      ['loadPower', inWatts(r.totalLoadPower), 'W'],
      ['backupPower', inWatts(r.bypassLoadPower), 'W'],
      ['generatorPower', inWatts(r.generatorPower), 'W'],
      ['reactivePower', r.reactivePower, 'var'],
      ['apparentPower', r.apparentPower, 'VA'],
      ['peakToday', inWatts(r.peakPower), 'W'],
    ]),
    group('battery', [
      ['soc', withBattery(r.batteryCapacitySoc), '%'],
      ['soh', withBattery(r.batteryHealthSoh), '%'],
      ['batteryPower', inWatts(withBattery(r.batteryPower)), 'W'],
      ['batteryVoltage', withBattery(r.batteryVoltage), 'V'],
      ['batteryCurrent', withBattery(r.bstteryCurrent), 'A'],
      ['chargeLimit', withBattery(r.batteryChargingCurrent), 'A'],
      ['dischargeLimit', withBattery(r.batteryDischargeLimiting), 'A'],
      ['chargedToday', withBattery(r.batteryTodayChargeEnergy), 'kWh'],
      ['dischargedToday', withBattery(r.batteryTodayDischargeEnergy), 'kWh'],
    ]),
    group('energy', [
      ['producedToday', r.eToday, 'kWh'],
      ['producedMonth', inKwh(r.eMonth, r.eMonthStr), 'kWh'],
      ['producedYear', inKwh(r.eYear, r.eYearStr), 'kWh'],
      ['producedTotal', inKwh(r.eTotal, r.eTotalStr), 'kWh'],
      ['consumedToday', r.homeLoadTodayEnergy, 'kWh'],
      ['boughtToday', r.gridPurchasedTodayEnergy, 'kWh'],
      ['soldToday', r.gridSellTodayEnergy, 'kWh'],
      ['fullHours', r.fullHour, 'h'],
    ]),
    group('grid', [
      ['frequency', r.fac, 'Hz'],
      ['powerFactor', r.powerFactor],
    ]),
    group('inside', [
      ['temperature', r.inverterTemperature, '°C'],
      ['busVoltage', r.dcBus, 'V'],
      ['insulation', r.insulationResistance, 'kΩ'],
      ['leakage', r.iLeakLimt, 'mA'],
    ]),
  ];
}
