import { exampleAlarm, examplePage } from '../examples.ts';
import { nothing, page } from '../compat/field-kinds/containers.ts';
import { alarmRecord } from '../compat/alarm.ts';
import { defineOperation, QUERY_DOORS } from '../operation.ts';
import { meaning, required } from '../parameters.ts';
import { ofPlant, paging } from '../requests.ts';
import { alarm, alarmLevels, alarmStates } from '../records/alarms.ts';
import { pageOf } from '../records/kind.ts';
import { choice, day, id, integer, textInput } from '../scalars.ts';

const alarms = page(alarmRecord);

export const alarmList = defineOperation({
  id: 'alarmList',
  family: 'alarms',
  permission: 'read',
  write: false,
  doors: QUERY_DOORS,
  scope: 'access_data',
  summary: 'Lists alarms, newest first.',
  request: {
    ...paging,
    ...ofPlant,
    deviceSn: meaning('only alarms of this device', textInput(64, 'alarmDeviceSn')),
    // The misspelling is in a published edition of the existing interface.
    fromDay: meaning(
      'only alarms that began on this local day of their plant or later',
      day('alarmBeginTime', 'alarmBegIntegerime'),
    ),
    toDay: meaning(
      'only alarms that began on this local day of their plant or before',
      day('alarmEndTime'),
    ),
    underWayFrom: meaning(
      'only alarms that were under way on this local day of their plant or later; an addition of ours',
      day('underWayFrom'),
    ),
    stateCode: meaning(
      'only alarms in this state: 0 pending, 1 processed, 2 restored',
      integer({ min: 0, max: 2 }, 'state'),
    ),
    minLevel: meaning(
      'only alarms of this level or above: 1 tip, 2 general, 3 emergency; an addition of ours',
      integer({ min: 1, max: 3 }, 'minLevel'),
    ),
  },
  response: alarms,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { pageNo: 1, pageSize: 20, alarmBeginTime: '2026-11-01', alarmEndTime: '2026-11-06' },
    data: alarms.project(examplePage(exampleAlarm)),
  },
});

const listed = pageOf(alarm);

export const alarmOrders = ['newest', 'lost'] as const;

export const alarmsListed = defineOperation({
  id: 'alarm/list',
  family: 'alarms',
  permission: 'read',
  write: false,
  doors: ['portal', 'support', 'operator'],
  own: true,
  summary: 'Lists alarms, newest first.',
  request: {
    pageNo: paging.pageNo,
    pageSize: paging.pageSize,
    plantId: meaning('only alarms of this plant', id('plantId')),
    deviceSn: meaning(
      'only alarms of the device with this serial number',
      textInput(64, 'deviceSn'),
    ),
    underWayFrom: meaning(
      'only alarms that were under way on this local day of their plant or later',
      day('underWayFrom'),
    ),
    toDay: meaning(
      'only alarms that began on this local day of their plant or before',
      day('toDay'),
    ),
    state: meaning('only alarms in this state', choice(alarmStates, 'state')),
    minLevel: meaning('only alarms of this level or above', choice(alarmLevels, 'minLevel')),
    sort: meaning(
      'newest first by default; or those that have cost most energy first',
      choice(alarmOrders, 'sort'),
    ),
  },
  response: listed,
  errors: ['noPermission', 'invalidValue'],
  example: {
    request: { state: 'restored', underWayFrom: '2026-11-01' },
    data: listed.project(examplePage(exampleAlarm)),
  },
});

export const alarmProcess = defineOperation({
  id: 'alarm/process',
  family: 'alarms',
  permission: 'control',
  write: true,
  doors: ['portal', 'operator'],
  own: true,
  summary: 'Marks a pending alarm as processed; it ends when its cause does.',
  request: { id: required(meaning('id of the alarm', id('id'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleAlarm.id }, data: null },
});

export const alarmReopen = defineOperation({
  id: 'alarm/reopen',
  family: 'alarms',
  permission: 'control',
  write: true,
  doors: ['portal'],
  own: true,
  summary: 'Takes back that an alarm was marked as processed, as long as it has not ended.',
  description: 'It is pending again. Nobody is notified of it a second time.',
  request: { id: required(meaning('id of the alarm', id('id'))) },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: { request: { id: exampleAlarm.id }, data: null },
});

export const alarmNote = defineOperation({
  id: 'alarm/note',
  family: 'alarms',
  permission: 'control',
  write: true,
  doors: ['portal'],
  own: true,
  summary: 'Says something of an alarm that one has taken on, to everybody who sees it.',
  description:
    'Replaces what was said before. It stays with the alarm when that ends, and goes when the alarm is opened again.',
  request: {
    id: required(meaning('id of the alarm', id('id'))),
    note: meaning(
      'what is said; without it, what was said before is taken back',
      textInput(500, 'note'),
    ),
  },
  response: nothing,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
  example: {
    request: { id: exampleAlarm.id, note: 'The fuse is ordered. I come on Friday.' },
    data: null,
  },
});
