import { quantities, type Energies, type Values } from '../../packages/contract/src/index.ts';
import * as examples from '../../packages/contract/src/examples.ts';

// Records in which everything is known: each of them makes its table write every key it has.

const values = Object.fromEntries(
  [...quantities.keys()].map((name, i) => [name, 1 + i / 8]),
) as Values;

const periods = {
  todayKwh: 12.5,
  monthKwh: 345.5,
  yearKwh: 4567.25,
  totalKwh: 56_789.125,
  yesterdayKwh: 11.75,
};

const energies: Energies = {
  production: periods,
  gridImport: periods,
  gridExport: { ...periods, todayKwh: 3.5 },
  batteryCharge: periods,
  batteryDischarge: periods,
  load: periods,
  backup: periods,
  generator: periods,
  irradiation: periods,
  globalIrradiation: periods,
  directIrradiation: periods,
  diffuseIrradiation: periods,
};

const measured = {
  values,
  energies,
  income: { today: 1.5, month: 20.25, year: 300.5, total: 123_456.78 },
  lastReportAt: 1_793_963_100_000,
};

const installer = {
  id: '1300386381676640002',
  name: 'Sunwright',
  email: 'office@sunwright.example',
  mobile: '+49 30 1',
};

const plant = {
  ...examples.examplePlantSummary,
  address: 'Meadow Lane 4',
  nmiCode: '4103000000',
  facts: { feedIn: 1, country: 'Germany', region: 'Berlin', city: 'Berlin', county: 'Mitte' },
};

const facts = {
  phases: 3,
  dcInputs: 4,
  storage: true,
  modelCode: 'b4',
  firmwareVersion: '3D0037',
  secondFirmwareVersion: '3D0038',
  displayVersion: '4b00',
  gridStandard: 'VDE4105',
  meterModel: 5,
  batteryType: '1',
  busAddress: '1',
  tag: 'roof',
  warrantyFromAt: 1_700_000_000_000,
  warrantyUntilAt: 1_857_766_400_000,
} as const;

const inverter = {
  ...examples.exampleInverter,
  ...measured,
  plant,
  facts,
  abnormallyOffline: true,
};

const fullPlant = {
  ...examples.examplePlant,
  ...measured,
  nmiCode: '4103000000',
  installer,
  facts: {
    mobile: '+49 30 2',
    countryId: '1',
    country: 'Germany',
    regionId: '2',
    region: 'Berlin',
    cityId: '3',
    city: 'Berlin',
    county: 'Mitte',
    moduleCount: 24,
    pictureName: 'roof.jpg',
    feedIn: 1,
    energyOffsetKwh: 12,
    remarks: ['a', 'b', 'c'],
    connectedAt: 1_700_000_000_000,
  },
  buyPricePerKwh: 0.31,
  sellPricePerKwh: 0.08,
  connection: 'live',
  measuredAt: 1_793_963_100_000,
  worth: {
    sum: { today: 4.2, month: 91.3, year: 802.5, total: 2477.4 },
    of: 'savedAndSold',
    sinceDay: 20_220_415,
  },
  epmCount: 1,
  weatherCount: 1,
};

const energyRow = {
  ...examples.exampleEnergyYear,
  kwh: {
    production: 7425,
    gridImport: 1830,
    gridExport: 4210,
    batteryCharge: 1402,
    batteryDischarge: 1316,
    load: 4958,
    backup: 3,
    generator: 1,
    irradiation: 1100,
    directIrradiation: 700,
  },
  saved: 912.4,
  worth: 1249.2,
  peakPowerW: 6400,
  peakPowerAt: 1_793_963_100_000,
  estimated: true,
};

const collector = {
  ...examples.exampleCollector,
  plant,
  facts: {
    firmwareVersion: '1.4.0',
    networkOperator: 'Net',
    iccid: '8949',
    ssid: 'home',
    lanAddress: '192.0.2.4',
    deviceLimit: 10,
    uploadIntervalSeconds: 300,
    builtAt: 1_600_000_000_000,
    tag: 'cellar',
  },
};

const listing = <R>(record: R) => examples.exampleListing(record);
const page = <R>(record: R) => examples.examplePage(record);

/** The output of every data operation with everything known, by id. */
export const fullOutputs: Readonly<Record<string, unknown>> = {
  userStationList: listing(fullPlant),
  stationDetail: fullPlant,
  stationDetailList: page(fullPlant),
  stationDay: [{ ...examples.examplePlantDay[0], values, energies }],
  stationMonth: [energyRow],
  stationYear: [energyRow],
  stationAll: [energyRow],
  stationDayEnergyList: page(energyRow),
  stationMonthEnergyList: page(energyRow),
  stationYearEnergyList: page(energyRow),
  inverterList: listing(inverter),
  inverterDetail: inverter,
  inverterDetailList: page(inverter),
  inverterDay: [{ ...examples.exampleInverterDay[0], values, energies }],
  inverterMonth: [energyRow],
  inverterYear: [energyRow],
  inverterAll: [energyRow],
  'inverter/shelfTime': page(examples.exampleWarranty),
  alarmList: page({
    ...examples.exampleAlarm,
    processedAt: examples.exampleAlarm.beginAt,
    processedBy: 'operator',
    processedByEmail: 'anna@example.com',
    note: 'Fuse ordered',
    notedAt: examples.exampleAlarm.beginAt,
  }),
  collectorList: listing(collector),
  collectorDetail: collector,
  'collector/day': [examples.exampleCollectorDay],
  epmList: listing({
    ...examples.exampleEpm,
    name: 'Meter cabinet',
    ...measured,
    plant,
    facts: { ...facts, ...examples.exampleEpm.facts },
  }),
  epmDetail: {
    ...examples.exampleEpm,
    name: 'Meter cabinet',
    ...measured,
    plant,
    facts: { ...facts, ...examples.exampleEpm.facts },
  },
  'epm/month': [energyRow],
  'epm/year': [energyRow],
  'epm/all': [energyRow],
  weatherList: page({ ...examples.exampleWeather, ...measured, plant, facts }),
  weatherDetail: { ...examples.exampleWeather, ...measured, plant, facts },
  ammeterList: page({
    ...examples.exampleAmmeter,
    ...measured,
    plant,
    facts: { ...facts, currentTransformer: '100A', protocol: 'modbus' },
  }),
  ammeterDetail: {
    ...examples.exampleAmmeter,
    ...measured,
    plant,
    facts: { ...facts, currentTransformer: '100A', protocol: 'modbus' },
  },
};
