import { exampleListing, examplePlant } from '../examples.ts';
import { one, pageWithCounts } from '../compat/field-kinds/containers.ts';
import { plantDetailed, plantListed } from '../compat/plant.ts';
import { plantCounts } from '../compat/shared.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { nmiCode, paging, plantIds, plantKey } from '../requests.ts';

const list = pageWithCounts(plantListed, 'stationStatusVo', plantCounts);

export const userStationList = defineOperation({
  id: 'userStationList',
  aliases: ['stationList'],
  family: 'plants',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  summary: 'Lists the plants that the caller owns or that are shared with the caller.',
  description:
    'Ordered by id. The counters cover all plants that match the filters, not just this page.',
  request: { ...paging, nmiCode, plantIds },
  response: list,
  errors: ['invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20 },
    data: list.project(exampleListing(examplePlant)),
  },
});

const detail = one(plantDetailed);

export const stationDetail = defineOperation({
  id: 'stationDetail',
  family: 'plants',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  summary: 'Returns one plant with its current figures.',
  request: plantKey,
  needsOneOf: ['id', 'nmiCode'],
  response: detail,
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
  example: { request: { id: examplePlant.id }, data: detail.project(examplePlant) },
});
