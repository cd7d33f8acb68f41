import { alarm } from './records/alarms.ts';
import {
  energyDay,
  energyMonth,
  energyYear,
  type CollectorDayRow,
  type EpmDay,
  type InverterDayRow,
  type PlantDayRow,
} from './records/charts.ts';
import {
  ammeter,
  collector,
  collectorSummary,
  epm,
  inverter,
  warranty,
  weather,
} from './records/devices.ts';
import { NOON } from './records/house.ts';
import type { Listing, PageRecord } from './records/lists.ts';
import { plant, plantSummary } from './records/plants.ts';

// Made-up records. The answers in the examples of the reference are projected from them, in the same way as real answers from real records.

export const examplePlant = plant.example;
export const examplePlantSummary = plantSummary.example;
export const exampleCollectorSummary = collectorSummary.example;
export const exampleInverter = inverter.example;
export const exampleEnergyDay = energyDay.example;
export const exampleEnergyMonth = energyMonth.example;
export const exampleEnergyYear = energyYear.example;
export const exampleWarranty = warranty.example;
export const exampleAlarm = alarm.example;
export const exampleCollector = collector.example;
export const exampleEpm = epm.example;
export const exampleWeather = weather.example;
export const exampleAmmeter = ammeter.example;

export const exampleInverterDay: readonly InverterDayRow[] = [
  {
    at: NOON,
    offsetMinutes: 60,
    state: 'online',
    facts: { phases: 3, dcInputs: 2 },
    values: exampleInverter.values,
    energies: { production: { todayKwh: 8.742, totalKwh: 21480.774 } },
  },
];

/** The only page of a list with one record. */
export const examplePage = <R>(record: R): PageRecord<R> => ({
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

export const exampleCollectorDay: CollectorDayRow = {
  at: NOON,
  offsetMinutes: 60,
  daylightMinutes: 0,
  collectorId: exampleCollectorSummary.id,
  collectorSn: exampleCollectorSummary.sn,
  signalDbm: -63,
};

export const exampleEpmDay: EpmDay = {
  names: ['u_ac1', 'e_total_buy'],
  rows: [{ at: NOON, offsetMinutes: 60, daylightMinutes: 0, values: exampleEpm.values }],
  facts: exampleEpm.facts,
};

export const EXAMPLE_INVITATION_ID = '1300386381676644800';

export const EXAMPLE_COMMAND_ID = '1793963100000000001';
export const EXAMPLE_STRATEGY_ID = '1793963100000000003';

export const EXAMPLE_DESTINATION_ID = '1793963100000000010';
/** An account, and the MD5 of its password. */
export const EXAMPLE_EMAIL = 'ada@example.org';
export const EXAMPLE_PASSWORD_DIGEST = '0123456789abcdef0123456789abcdef';

export const EXAMPLE_ORDER_ID = '1793963100000_1793963100000000002';
