import {
  exampleEnergyDay,
  exampleEnergyMonth,
  exampleEnergyYear,
  exampleEpm,
  exampleEpmDay,
  exampleListing,
} from '../examples.ts';
import { many, one, pageWithCounts } from '../compat/field-kinds/containers.ts';
import { epmEnergyByDay, epmEnergyByMonth, epmEnergyByYear } from '../compat/energy-rows.ts';
import { epmDay } from '../compat/epm-day.ts';
import { epmSeriesNames } from '../compat/epm-series.ts';
import { epmDetailed, epmListed } from '../compat/epm.ts';
import { deviceCounts } from '../compat/shared.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { meaning } from '../parameters.ts';
import {
  bySerial,
  dayOfChart,
  display,
  monthOfChart,
  ofPlant,
  paging,
  yearOfChart,
} from '../requests.ts';
import { wordsInput } from '../scalars.ts';

const common = {
  family: 'epm',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
} as const;
const ofOne = {
  ...common,
  needsOneOf: ['sn', 'id'],
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
} as const;

const list = pageWithCounts(epmListed, 'epmStatusVo', deviceCounts('EPM units by state'));

export const epmList = defineOperation({
  ...common,
  id: 'epmList',
  summary: 'Lists EPM units: all that the caller may see, or those of one plant.',
  request: { ...paging, ...ofPlant },
  response: list,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, stationId: exampleEpm.plant.id },
    data: list.project(exampleListing(exampleEpm)),
  },
});

const detail = one(epmDetailed);

export const epmDetail = defineOperation({
  ...ofOne,
  id: 'epmDetail',
  summary: 'Returns one EPM unit with its latest readings.',
  request: bySerial,
  response: detail,
  example: { request: { sn: exampleEpm.sn }, data: detail.project(exampleEpm) },
});

export const epmDayOperation = defineOperation({
  ...ofOne,
  id: 'epm/day',
  summary: 'Returns readings of an EPM unit on one day of its plant, as parallel arrays.',
  request: {
    ...bySerial,
    names: meaning(
      'which readings; all of them by default',
      wordsInput(epmSeriesNames, 'searchinfo', 'searchInfo'),
    ),
    day: dayOfChart,
    timeZoneHours: display.timeZoneHours,
  },
  response: epmDay,
  example: {
    request: {
      sn: exampleEpm.sn,
      searchinfo: 'u_ac1,e_total_buy',
      time: '2026-11-06',
      timeZone: 1,
    },
    data: epmDay.project(exampleEpmDay),
  },
});

const ofEpm = <R extends object>(row: R): R & { id: string } => ({ ...row, id: exampleEpm.id });

const byDay = many(epmEnergyByDay);

export const epmMonth = defineOperation({
  ...ofOne,
  id: 'epm/month',
  summary: 'Returns the energy at an EPM unit on each day of a month.',
  request: { ...bySerial, ...display, month: monthOfChart },
  response: byDay,
  example: {
    request: { sn: exampleEpm.sn, month: '2026-11' },
    data: byDay.project([ofEpm(exampleEnergyDay)]),
  },
});

const byMonth = many(epmEnergyByMonth);

export const epmYear = defineOperation({
  ...ofOne,
  id: 'epm/year',
  summary: 'Returns the energy at an EPM unit in each month of a year.',
  request: { ...bySerial, ...display, year: yearOfChart },
  response: byMonth,
  example: {
    request: { sn: exampleEpm.sn, year: '2026' },
    data: byMonth.project([ofEpm(exampleEnergyMonth)]),
  },
});

const byYear = many(epmEnergyByYear);

export const epmAll = defineOperation({
  ...ofOne,
  id: 'epm/all',
  summary: 'Returns the energy at an EPM unit in each year.',
  request: { ...bySerial, ...display },
  response: byYear,
  example: { request: { sn: exampleEpm.sn }, data: byYear.project([ofEpm(exampleEnergyYear)]) },
});
