import { an } from '../../records/an.ts';
import { curves } from '../../records/charts.ts';
import { collector, device, deviceLink } from '../../records/devices.ts';
import { answerWith, recordExampleOf, maybe, record, type InOf } from '../../records/kind.ts';
import { connectionFields } from '../../records/plants.ts';
import { defineOperation } from '../../operation.ts';
import { meaning, required } from '../../parameters.ts';
import { day, id } from '../../scalars.ts';

const common = {
  family: 'plants',
  permission: 'read',
  write: false,
  doors: ['portal', 'support'],
  own: true,
  errors: ['missingParameter', 'invalidValue', 'noPermission'],
} as const;

const request = { id: device.example!.id };
const deviceId = required(meaning('id of the device', id('id')));

const shown = record('a device, how its plant is connected, and its collector’s signal', {
  device,
  ...connectionFields,
  signalDbm: collector.properties.signalDbm,
  link: maybe(deviceLink),
  level: an.word(
    ['owner', 'install', 'control', 'read'],
    'what the caller may do with its plant',
    'owner',
  ),
});
export type ShownDevice = InOf<typeof shown>;

export const deviceShow = defineOperation({
  ...common,
  id: 'device/show',
  summary: 'Returns a device of any kind with its latest readings.',
  request: { id: deviceId },
  response: answerWith(shown),
  example: { request, data: recordExampleOf(shown) },
});

export const deviceDay = defineOperation({
  ...common,
  id: 'device/day',
  summary: 'Returns everything that a device of any kind measured on one day of its plant.',
  description:
    'At most 2,880 readings for each stay of the device in the plant: of more, the last of each 30 s.',
  request: {
    id: deviceId,
    day: meaning('the plant’s local day; today by default', day('day')),
  },
  response: answerWith(curves),
  example: { request: { ...request, day: '2026-11-06' }, data: recordExampleOf(curves) },
});
