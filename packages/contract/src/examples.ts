import type {
  AlarmRecord,
  AmmeterRecord,
  CollectorDayRow,
  CollectorRecord,
  CollectorSummary,
  Energies,
  EnergyRow,
  EpmDay,
  EpmRecord,
  InverterDayRow,
  InverterRecord,
  Listing,
  Page,
  PlantDayRow,
  PlantRecord,
  PlantSummary,
  WarrantyRecord,
  WeatherRecord,
  ZoneRecord,
} from './records.ts';
import type { Values } from './quantities.ts';

// Made-up records. The answers in the examples of the reference are projected from them, in the same way as real answers from real records.

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
  production: {
    todayKwh: 8.742,
    monthKwh: 61.2,
    yearKwh: 7425.031,
    totalKwh: 21480.774,
    yesterdayKwh: 10.11,
  },
  gridImport: {
    todayKwh: 1.2,
    monthKwh: 14.5,
    yearKwh: 1830,
    totalKwh: 5244.6,
    yesterdayKwh: 2.05,
  },
  gridExport: {
    todayKwh: 2.4,
    monthKwh: 18.3,
    yearKwh: 4210.5,
    totalKwh: 12088,
    yesterdayKwh: 3.3,
  },
  batteryCharge: {
    todayKwh: 3.1,
    monthKwh: 19.4,
    yearKwh: 1402,
    totalKwh: 3990.1,
    yesterdayKwh: 4,
  },
  batteryDischarge: {
    todayKwh: 1.9,
    monthKwh: 17.7,
    yearKwh: 1316,
    totalKwh: 3745.2,
    yesterdayKwh: 3.7,
  },
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
  connection: 'live',
  measuredAt: NOON,
  worth: {
    sum: { today: 1.95, month: 15.51, year: 1408.95, total: 4117.36 },
    of: 'savedAndSold',
    sinceDay: 20_220_415,
  },
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

export const exampleCollectorSummary: CollectorSummary = {
  id: '1300386381676644420',
  sn: 'C0042A',
  name: 'Logger',
  model: 'LAN',
  state: 'online',
};

export const exampleInverter: InverterRecord = {
  id: '1300386381676644418',
  sn: '110F90217A190006',
  name: 'Garage',
  model: 'HS-10K',
  plant: examplePlantSummary,
  collector: exampleCollectorSummary,
  facts: {
    phases: 3,
    dcInputs: 2,
    storage: true,
    batteryType: '1',
    firmwareVersion: '3D0037',
    displayVersion: '4b00',
    gridStandard: 'VDE4105',
  },
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
  firstReportAt: 1_700_000_400_000,
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
export const examplePage = <R>(record: R): Page<R> => ({
  records: [record],
  total: 1,
  pageNo: 1,
  pageSize: 20,
});

export const exampleListing = <R>(record: R): Listing<R> => ({
  page: examplePage(record),
  counts: { all: 1, online: 1, offline: 0, alarm: 0 },
});

export const examplePlantDay: readonly PlantDayRow[] = [
  {
    at: NOON,
    offsetMinutes: 60,
    currency: 'EUR',
    values: examplePlant.values,
    energies: {
      production: { todayKwh: 8.742 },
      gridExport: { todayKwh: 2.4 },
      load: { todayKwh: 6.342 },
    },
    income: 0.72,
  },
];

/** Noon of 2026-11-06 and of the first of that month in Berlin. */
const DAY_AT = 1_793_962_800_000;
const MONTH_AT = 1_793_530_800_000;

const figures = {
  id: examplePlant.id,
  standardOffsetMinutes: 60,
  currency: 'EUR',
  ratedKw: 9.84,
};

export const exampleEnergyDay: EnergyRow = {
  ...figures,
  day: 20_261_106,
  at: DAY_AT,
  kwh: {
    production: 8.742,
    gridImport: 1.2,
    gridExport: 2.4,
    batteryCharge: 3.1,
    batteryDischarge: 1.9,
    load: 6.342,
  },
  income: 0.72,
  importCost: 0.41,
  exportIncome: 0.2,
  saved: 1.75,
  worth: 1.95,
};

export const exampleEnergyMonth: EnergyRow = {
  ...figures,
  day: 20_261_101,
  at: MONTH_AT,
  kwh: {
    production: 61.2,
    gridImport: 14.5,
    gridExport: 18.3,
    batteryCharge: 19.4,
    batteryDischarge: 17.7,
    load: 55.7,
  },
  income: 5.02,
  importCost: 4.93,
  exportIncome: 1.5,
  saved: 14.01,
  worth: 15.51,
};

export const exampleEnergyYear: EnergyRow = {
  ...figures,
  day: 20_260_101,
  at: 1_767_265_200_000,
  kwh: {
    production: 7425.031,
    gridImport: 1830,
    gridExport: 4210.5,
    batteryCharge: 1402,
    batteryDischarge: 1316,
    load: 4958.5,
  },
  income: 608.85,
  importCost: 622.2,
  exportIncome: 345.26,
  saved: 1063.69,
  worth: 1408.95,
};

export const exampleWarranty: WarrantyRecord = {
  id: exampleInverter.id,
  sn: exampleInverter.sn,
  fromAt: 1_700_000_000_000,
  untilAt: 1_857_766_400_000,
  state: 'inWarranty',
};

export const exampleAlarm: AlarmRecord = {
  id: '1300386381676644430',
  plant: { ...examplePlantSummary, timeZone: 'Europe/Berlin' },
  device: {
    id: exampleInverter.id,
    kind: 'inverter',
    sn: exampleInverter.sn,
    model: exampleInverter.model,
  },
  level: 'general',
  code: 'H1015',
  message: 'No production in daylight',
  advice: 'Check the DC switch and the display of the inverter.',
  state: 'restored',
  beginAt: NOON - 7_200_000,
  endAt: NOON - 3_600_000,
  durationMs: 3_600_000,
};

export const exampleCollector: CollectorRecord = {
  ...exampleCollectorSummary,
  plant: examplePlantSummary,
  facts: { firmwareVersion: '1.4.0', deviceLimit: 10, uploadIntervalSeconds: 300 },
  createdAt: 1_700_000_000_000,
  state: 'online',
  abnormallyOffline: false,
  lastReportAt: NOON,
  signalDbm: -63,
  clockOffsetSeconds: 2,
  deviceCount: 1,
};

export const exampleCollectorDay: CollectorDayRow = {
  at: NOON,
  offsetMinutes: 60,
  daylightMinutes: 0,
  collectorId: exampleCollectorSummary.id,
  collectorSn: exampleCollectorSummary.sn,
  signalDbm: -63,
};

const device = {
  plant: examplePlantSummary,
  collector: exampleCollectorSummary,
  createdAt: 1_700_000_000_000,
  state: 'online',
  abnormallyOffline: false,
  lastReportAt: NOON,
} as const;

const meterValues: Values = {
  gridPowerW: 1500,
  acPowerW: 3200.5,
  loadPowerW: 900.5,
  acVoltage1V: 231.2,
  acVoltage2V: 230.8,
  acVoltage3V: 231,
  acCurrent1A: 2.2,
  acCurrent2A: 2.2,
  acCurrent3A: 2.1,
  acPower1W: 508,
  acPower2W: 506,
  acPower3W: 486,
  powerFactor: 0.99,
  gridFrequencyHz: 50.01,
  gridImportTotalKwh: 5244.6,
  gridExportTotalKwh: 12088,
};

export const exampleEpm: EpmRecord = {
  ...device,
  id: '1300386381676644422',
  sn: 'EPM0007',
  model: 'HS-EPM3',
  facts: { exportLimitW: 6000, currentTransformerRatio: 100, failSafe: true, inverterCount: 1 },
  values: meterValues,
  energies,
};

export const exampleEpmDay: EpmDay = {
  names: ['u_ac1', 'e_total_buy'],
  rows: [{ at: NOON, offsetMinutes: 60, daylightMinutes: 0, values: meterValues }],
  facts: exampleEpm.facts,
};

export const exampleWeather: WeatherRecord = {
  ...device,
  id: '1300386381676644424',
  sn: 'WS0003',
  name: 'Roof',
  facts: { modelCode: '1' },
  values: {
    ambientTemperatureC: 11.4,
    moduleTemperatureC: 19.2,
    humidityPercent: 71,
    windSpeedMs: 3.4,
    windDirectionDeg: 240,
    airPressureHpa: 1012.3,
    irradianceWm2: 412,
    irradiationTodayKwhm2: 1.04,
  },
  energies: {},
  sunshineHours: 3.5,
};

export const exampleAmmeter: AmmeterRecord = {
  ...device,
  id: '1300386381676644426',
  sn: 'AM0011',
  name: 'House connection',
  facts: { phases: 3, protocol: 'modbus' },
  values: meterValues,
  energies: { gridImport: energies.gridImport, gridExport: energies.gridExport },
};

export const EXAMPLE_INVITATION_ID = '1300386381676644800';

export const EXAMPLE_COMMAND_ID = '1793963100000000001';
export const EXAMPLE_STRATEGY_ID = '1793963100000000003';

export const EXAMPLE_DESTINATION_ID = '1793963100000000010';
/** An account, and the MD5 of its password. */
export const EXAMPLE_EMAIL = 'ada@example.org';
export const EXAMPLE_PASSWORD_DIGEST = '0123456789abcdef0123456789abcdef';

export const EXAMPLE_ORDER_ID = '1793963100000_1793963100000000002';
