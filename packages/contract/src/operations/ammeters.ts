import { exampleAmmeter, examplePage } from '../examples.ts';
import { ammeterDetailed, ammeterListed } from '../compat/ammeter.ts';
import { one, pageAlone } from '../compat/field-kinds/containers.ts';
import { defineOperation } from '../operation.ts';
import { bySerial, ofPlant, paging } from '../requests.ts';

// Ammeters are for user-level callers only. interface W2
const common = {
  family: 'ammeters',
  permission: 'read',
  write: false,
  doors: ['signed', 'portal', 'support'],
} as const;

const list = pageAlone(ammeterListed);

export const ammeterList = defineOperation({
  ...common,
  id: 'ammeterList',
  summary: 'Lists ammeters: all that the caller may see, or those of one plant.',
  request: { ...paging, ...ofPlant },
  response: list,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, stationId: exampleAmmeter.plant.id },
    data: list.project(examplePage(exampleAmmeter)),
  },
});

const detail = one(ammeterDetailed);

export const ammeterDetail = defineOperation({
  ...common,
  id: 'ammeterDetail',
  summary: 'Returns one ammeter with its latest readings.',
  request: bySerial,
  needsOneOf: ['sn', 'id'],
  response: detail,
  errors: ['noPermission', 'missingParameter', 'invalidValue'],
  example: { request: { sn: exampleAmmeter.sn }, data: detail.project(exampleAmmeter) },
});
