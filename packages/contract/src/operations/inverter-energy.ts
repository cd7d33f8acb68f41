import {
  exampleEnergyDay,
  exampleEnergyMonth,
  exampleEnergyYear,
  exampleInverter,
  examplePage,
  exampleWarranty,
} from '../examples.ts';
import { many, page } from '../compat/field-kinds/containers.ts';
import {
  inverterEnergyByDay,
  inverterEnergyByMonth,
  inverterEnergyByYear,
} from '../compat/energy-rows.ts';
import { inverterDetailed } from '../compat/inverter.ts';
import { warrantyRecord } from '../compat/warranty.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { meaning } from '../parameters.ts';
import {
  deviceKey,
  display,
  monthOfChart,
  ofPlant,
  paging,
  serialNumbers,
  stationType,
  yearOfChart,
} from '../requests.ts';
import { listInput } from '../scalars.ts';

const common = {
  family: 'inverters',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
} as const;
const ofOne = {
  ...common,
  needsOneOf: ['id', 'sn'],
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
} as const;

const details = page(inverterDetailed);

export const inverterDetailList = defineOperation({
  ...common,
  id: 'inverterDetailList',
  summary: 'Lists inverters with everything that inverterDetail has.',
  request: { ...paging, ...ofPlant, serialNumbers, stationType },
  response: details,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20 },
    data: details.project(examplePage(exampleInverter)),
  },
});

const ofInverter = <R extends object>(row: R): R & { id: string } => ({
  ...row,
  id: exampleInverter.id,
});

const byDay = many(inverterEnergyByDay);

export const inverterMonth = defineOperation({
  ...ofOne,
  id: 'inverterMonth',
  summary: 'Returns the energy of an inverter on each day of a month.',
  request: { ...deviceKey, ...display, month: monthOfChart },
  response: byDay,
  example: {
    request: { sn: exampleInverter.sn, money: 'EUR', month: '2026-11' },
    data: byDay.project([ofInverter(exampleEnergyDay)]),
  },
});

const byMonth = many(inverterEnergyByMonth);

export const inverterYear = defineOperation({
  ...ofOne,
  id: 'inverterYear',
  summary: 'Returns the energy of an inverter in each month of a year.',
  request: { ...deviceKey, ...display, year: yearOfChart },
  response: byMonth,
  example: {
    request: { sn: exampleInverter.sn, money: 'EUR', year: '2026' },
    data: byMonth.project([ofInverter(exampleEnergyMonth)]),
  },
});

const byYear = many(inverterEnergyByYear);

export const inverterAll = defineOperation({
  ...ofOne,
  id: 'inverterAll',
  summary: 'Returns the energy of an inverter in each year.',
  request: { ...deviceKey, ...display },
  response: byYear,
  example: {
    request: { sn: exampleInverter.sn, money: 'EUR' },
    data: byYear.project([ofInverter(exampleEnergyYear)]),
  },
});

const warranties = page(warrantyRecord);

export const inverterShelfTime = defineOperation({
  ...common,
  id: 'inverter/shelfTime',
  summary: 'Lists the warranties of inverters.',
  request: {
    ...paging,
    serialNumbers: meaning('only these inverters', listInput(1000, 'sn', 'snList')),
  },
  response: warranties,
  errors: ['invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, sn: exampleInverter.sn },
    data: warranties.project(examplePage(exampleWarranty)),
  },
});
