import type { CollectorSummary, Energies, InverterDayRow, InverterRecord, Listing, Page, PlantRecord, PlantSummary, ZoneRecord } from './records.ts';
import type { Values } from './quantities.ts';

// Made-up records for the examples of the reference. The answers shown there are these, projected like any other.

const zone: ZoneRecord = { name: 'Europe/Berlin', standardOffsetMinutes: 60, daylightMinutes: 0 };

/** 2026-11-06 12:05 in Berlin. */
const NOON = 1_793_963_100_000;

const values: Values = {
  acPowerW: 3200.5,
  dcPowerW: 3310,
  gridPowerW: 1500,
  loadPowerW: 900.5,
  backupPowerW: 0,
  batteryPowerW: 800,
  batterySocPercent: 76,
  batterySohPercent: 99,
  batteryVoltageV: 51.2,
  batteryCurrentA: 15.6,
  gridFrequencyHz: 50.01,
  powerFactor: 1,
  temperatureC: 38.5,
  dcVoltage1V: 412.3,
  dcCurrent1A: 4.1,
  dcPower1W: 1690.4,
  dcVoltage2V: 405,
  dcCurrent2A: 4,
  dcPower2W: 1620,
  acVoltage1V: 231.2,
  acCurrent1A: 4.6,
  acVoltage2V: 230.8,
  acCurrent2A: 4.6,
  acVoltage3V: 231,
  acCurrent3A: 4.6,
  statusCode: 3,
};

const energies: Energies = {
  production: { todayKwh: 8.742, monthKwh: 61.2, yearKwh: 7425.031, totalKwh: 21480.774, yesterdayKwh: 10.11 },
  gridImport: { todayKwh: 1.2, monthKwh: 14.5, yearKwh: 1830, totalKwh: 5244.6, yesterdayKwh: 2.05 },
  gridExport: { todayKwh: 2.4, monthKwh: 18.3, yearKwh: 4210.5, totalKwh: 12088, yesterdayKwh: 3.3 },
  batteryCharge: { todayKwh: 3.1, monthKwh: 19.4, yearKwh: 1402, totalKwh: 3990.1, yesterdayKwh: 4 },
  batteryDischarge: { todayKwh: 1.9, monthKwh: 17.7, yearKwh: 1316, totalKwh: 3745.2, yesterdayKwh: 3.7 },
  load: { todayKwh: 6.342, monthKwh: 55.7, yearKwh: 4958.5, totalKwh: 14392.5, yesterdayKwh: 8.55 },
};

export const examplePlant: PlantRecord = {
  id: '1300386381676644416',
  ownerId: '1300386381676640001',
  name: 'Meadow Lane 4',
  type: 1,
  capacityKwp: 9.84,
  currency: 'EUR',
  pricePerKwh: 0.082,
  address: 'Meadow Lane 4, 10115 Berlin',
  latitude: 52.53,
  longitude: 13.38,
  tiltDegrees: 30,
  azimuthDegrees: 180,
  installer: { id: '1300386381676640002', name: 'Sunwright', email: 'office@sunwright.example' },
  zone,
  facts: { countryId: '1', country: 'Germany', city: 'Berlin', moduleCount: 24, feedIn: 1 },
  createdAt: 1_700_000_000_000,
  updatedAt: 1_790_000_000_000,
  state: 'online',
  abnormallyOffline: false,
  values: {
    acPowerW: 3200.5,
    gridPowerW: 1500,
    loadPowerW: 900.5,
    batteryPowerW: 800,
    batterySocPercent: 76,
  },
  energies,
  income: { today: 0.72, month: 5.02, year: 608.85, total: 1761.42 },
  lastReportAt: NOON,
  peakPowerW: 3650,
  peakPowerAt: NOON - 1_200_000,
  firstReportAt: 1_700_000_400_000,
  firstProductionAt: 1_700_000_400_000,
  inverterCount: 1,
  onlineInverterCount: 1,
  alarmCount: 0,
};

export const examplePlantSummary: PlantSummary = {
  id: examplePlant.id,
  name: examplePlant.name,
  ownerId: examplePlant.ownerId,
  type: examplePlant.type,
  currency: examplePlant.currency,
  zone,
  address: examplePlant.address,
};

export const exampleCollectorSummary: CollectorSummary = { id: '1300386381676644420', sn: 'C0042A', name: 'Logger', model: 'LAN', state: 'online' };

export const exampleInverter: InverterRecord = {
  id: '1300386381676644418',
  sn: '110F90217A190006',
  name: 'Garage',
  model: 'HS-10K',
  plant: examplePlantSummary,
  collector: exampleCollectorSummary,
  facts: { phases: 3, dcInputs: 2, storage: true, batteryType: '1', firmwareVersion: '3D0037', displayVersion: '4b00', gridStandard: 'VDE4105' },
  ratedPowerW: 10_000,
  createdAt: 1_700_000_000_000,
  state: 'online',
  abnormallyOffline: false,
  values,
  energies,
  income: examplePlant.income,
  lastReportAt: NOON,
  peakPowerW: 3650,
  peakPowerAt: NOON - 1_200_000,
  firstProductionAt: 1_700_000_400_000,
};

export const exampleInverterDay: readonly InverterDayRow[] = [
  {
    at: NOON,
    offsetMinutes: 60,
    state: 'online',
    facts: { phases: 3, dcInputs: 2 },
    values,
    energies: { production: { todayKwh: 8.742, totalKwh: 21480.774 } },
  },
];

/** The only page of a list with one record. */
export const examplePage = <R>(record: R): Page<R> => ({ records: [record], total: 1, pageNo: 1, pageSize: 20 });

export const exampleListing = <R>(record: R): Listing<R> => ({
  page: examplePage(record),
  counts: { all: 1, online: 1, offline: 0, alarm: 0 },
});
