import {
  exampleEnergyDay,
  exampleEnergyMonth,
  exampleEnergyYear,
  examplePage,
  examplePlant,
  examplePlantDay,
} from '../examples.ts';
import { many, page } from '../compat/field-kinds/containers.ts';
import { plantEnergyByDay, plantEnergyByYear } from '../compat/energy-rows.ts';
import { plantDayRow } from '../compat/plant-day.ts';
import { plantDetailed } from '../compat/plant.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import {
  dayOfChart,
  display,
  energyPeriod,
  monthOfChart,
  nmiCode,
  paging,
  plantIds,
  plantKey,
  stationType,
  yearOfChart,
} from '../requests.ts';

const common = {
  family: 'plants',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
} as const;
const ofOne = {
  ...common,
  needsOneOf: ['id', 'nmiCode'],
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
} as const;
const ofMany = { ...common, errors: ['invalidValue'] } as const;

const details = page(plantDetailed);

export const stationDetailList = defineOperation({
  ...ofMany,
  id: 'stationDetailList',
  summary: 'Lists plants with everything that stationDetail has.',
  request: { ...paging, plantIds, nmiCode, stationType },
  response: details,
  example: {
    request: { pageNo: 1, pageSize: 20 },
    data: details.project(examplePage(examplePlant)),
  },
});

const points = many(plantDayRow);

export const stationDay = defineOperation({
  ...ofOne,
  id: 'stationDay',
  summary: 'Returns the powers of a plant on one day, every five minutes.',
  description: 'Sums over the plant’s devices. Points without any reading are left out.',
  request: { ...plantKey, ...display, day: dayOfChart },
  response: points,
  example: {
    request: { id: examplePlant.id, money: 'EUR', time: '2026-11-06', timeZone: 1 },
    data: points.project(examplePlantDay),
  },
});

const byDay = many(plantEnergyByDay);

export const stationMonth = defineOperation({
  ...ofOne,
  id: 'stationMonth',
  summary: 'Returns the energy of a plant on each day of a month.',
  request: { ...plantKey, ...display, month: monthOfChart },
  response: byDay,
  example: {
    request: { id: examplePlant.id, money: 'EUR', month: '2026-11', timeZone: 1 },
    data: byDay.project([exampleEnergyDay]),
  },
});

export const stationYear = defineOperation({
  ...ofOne,
  id: 'stationYear',
  summary: 'Returns the energy of a plant in each month of a year.',
  request: { ...plantKey, ...display, year: yearOfChart },
  response: byDay,
  example: {
    request: { id: examplePlant.id, money: 'EUR', year: '2026', timeZone: 1 },
    data: byDay.project([exampleEnergyMonth]),
  },
});

const byYear = many(plantEnergyByYear);

export const stationAll = defineOperation({
  ...ofOne,
  id: 'stationAll',
  summary: 'Returns the energy of a plant in each year.',
  request: { ...plantKey, ...display },
  response: byYear,
  example: {
    request: { id: examplePlant.id, money: 'EUR', timeZone: 1 },
    data: byYear.project([exampleEnergyYear]),
  },
});

const dayPage = page(plantEnergyByDay);
const yearPage = page(plantEnergyByYear);

export const stationDayEnergyList = defineOperation({
  ...ofMany,
  id: 'stationDayEnergyList',
  summary: 'Lists the energy of plants on one day.',
  request: { ...paging, plantIds, nmiCode, day: energyPeriod.day },
  response: dayPage,
  example: {
    request: { pageNo: 1, pageSize: 20, time: '2026-11-06' },
    data: dayPage.project(examplePage(exampleEnergyDay)),
  },
});

export const stationMonthEnergyList = defineOperation({
  ...ofMany,
  id: 'stationMonthEnergyList',
  summary: 'Lists the energy of plants in one month.',
  request: { ...paging, plantIds, nmiCode, month: energyPeriod.month },
  response: dayPage,
  example: {
    request: { pageNo: 1, pageSize: 20, time: '2026-11' },
    data: dayPage.project(examplePage(exampleEnergyMonth)),
  },
});

export const stationYearEnergyList = defineOperation({
  ...ofMany,
  id: 'stationYearEnergyList',
  summary: 'Lists the energy of plants in one year.',
  request: { ...paging, plantIds, nmiCode, year: energyPeriod.year },
  response: yearPage,
  example: {
    request: { pageNo: 1, pageSize: 20, time: '2026' },
    data: yearPage.project(examplePage(exampleEnergyYear)),
  },
});
