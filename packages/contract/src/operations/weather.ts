import { examplePage, exampleWeather } from '../examples.ts';
import { one, pageAlone } from '../compat/field-kinds/containers.ts';
import { weatherDetailed, weatherListed } from '../compat/weather.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { bySerial, ofPlant, paging } from '../requests.ts';

const common = {
  family: 'weather',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
} as const;

const list = pageAlone(weatherListed);

export const weatherList = defineOperation({
  ...common,
  id: 'weatherList',
  summary: 'Lists weather stations: all that the caller may see, or those of one plant.',
  request: { ...paging, ...ofPlant },
  response: list,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, stationId: exampleWeather.plant.id },
    data: list.project(examplePage(exampleWeather)),
  },
});

const detail = one(weatherDetailed);

export const weatherDetail = defineOperation({
  ...common,
  id: 'weatherDetail',
  summary: 'Returns one weather station with its latest readings.',
  request: bySerial,
  needsOneOf: ['sn', 'id'],
  response: detail,
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
  example: { request: { sn: exampleWeather.sn }, data: detail.project(exampleWeather) },
});
