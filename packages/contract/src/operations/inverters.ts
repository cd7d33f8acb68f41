import { exampleInverter, exampleInverterDay, exampleListing } from '../examples.ts';
import { many, one, pageWithCounts } from '../compat/field-kinds/containers.ts';
import { inverterDayRow } from '../compat/inverter-day.ts';
import { inverterDetailed, inverterListed } from '../compat/inverter.ts';
import { inverterCounts } from '../compat/shared.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { dayOfChart, deviceKey, display, ofPlant, paging, serialNumbers } from '../requests.ts';

const list = pageWithCounts(inverterListed, 'inverterStatusVo', inverterCounts);

export const inverterList = defineOperation({
  id: 'inverterList',
  aliases: ['inveterList'],
  family: 'inverters',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  summary: 'Lists inverters: all that the caller may see, or those of one plant.',
  description:
    'Ordered by id. The counters cover all inverters that match the filters, not just this page.',
  request: { ...paging, ...ofPlant, serialNumbers },
  response: list,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, stationId: exampleInverter.plant.id },
    data: list.project(exampleListing(exampleInverter)),
  },
});

const detail = one(inverterDetailed);

export const inverterDetail = defineOperation({
  id: 'inverterDetail',
  aliases: ['inveterDetail'],
  family: 'inverters',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  summary: 'Returns one inverter with its latest readings and energies.',
  request: deviceKey,
  needsOneOf: ['id', 'sn'],
  response: detail,
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
  example: { request: { sn: exampleInverter.sn }, data: detail.project(exampleInverter) },
});

const dayRows = many(inverterDayRow);

export const inverterDay = defineOperation({
  id: 'inverterDay',
  family: 'inverters',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  summary: 'Returns the readings of an inverter on one day of its plant.',
  description: 'At most 2,880 rows; where readings are denser, the last one of every 30 seconds.',
  request: { ...deviceKey, ...display, day: dayOfChart },
  needsOneOf: ['id', 'sn'],
  response: dayRows,
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
  example: {
    request: { sn: exampleInverter.sn, money: 'EUR', time: '2026-11-06', timeZone: 1 },
    data: dayRows.project(exampleInverterDay),
  },
});
