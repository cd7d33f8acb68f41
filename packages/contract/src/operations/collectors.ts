import { exampleCollector, exampleCollectorDay, exampleListing } from '../examples.ts';
import { collectorDayRow, collectorDetailed, collectorListed } from '../compat/collector.ts';
import { many, one, pageWithCounts } from '../compat/field-kinds/containers.ts';
import { deviceCounts } from '../compat/shared.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { bySerial, dayOfChart, deviceKey, display, ofPlant, paging } from '../requests.ts';

const common = {
  family: 'collectors',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
} as const;

const list = pageWithCounts(
  collectorListed,
  'collectionStatusVo',
  deviceCounts('collectors by state'),
);

export const collectorList = defineOperation({
  ...common,
  id: 'collectorList',
  summary: 'Lists collectors: all that the caller may see, or those of one plant.',
  request: { ...paging, ...ofPlant },
  response: list,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, stationId: exampleCollector.plant.id },
    data: list.project(exampleListing(exampleCollector)),
  },
});

const detail = one(collectorDetailed);

export const collectorDetail = defineOperation({
  ...common,
  id: 'collectorDetail',
  summary: 'Returns one collector.',
  request: deviceKey,
  needsOneOf: ['id', 'sn'],
  response: detail,
  errors: ['collectorUnknown', 'missingParameter', 'invalidValue'],
  example: { request: { sn: exampleCollector.sn }, data: detail.project(exampleCollector) },
});

const points = many(collectorDayRow);

export const collectorDay = defineOperation({
  ...common,
  id: 'collector/day',
  aliases: ['collector/signal'],
  summary: 'Returns the radio signal of a collector on one day of its plant.',
  request: { ...bySerial, day: dayOfChart, timeZoneHours: display.timeZoneHours },
  needsOneOf: ['sn', 'id'],
  response: points,
  errors: ['collectorUnknown', 'missingParameter', 'invalidValue'],
  example: {
    request: { sn: exampleCollector.sn, time: '2026-11-06', timeZone: 1 },
    data: points.project([exampleCollectorDay]),
  },
});
