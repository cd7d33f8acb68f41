import type { AlarmRecord } from '../records/index.ts';
import { fieldsOf } from './field-kinds/kinds.ts';
import { recordOf } from './field-kinds/record.ts';

const f = fieldsOf<AlarmRecord>();

/** An alarm in `alarmList`. */
export const alarmRecord = recordOf<AlarmRecord>()('an alarm', [
  f.id('id', (r) => r.id, 'id of the alarm'),
  f.id('stationId', (r) => r.plant.id, 'id of the plant'),
  f.text('stationName', (r) => r.plant.name, 'name of the plant'),
  f.text('timeZoneId', (r) => r.plant.timeZone, 'IANA time zone of the plant; an addition of ours'),
  f.id('deviceId', (r) => r.device.id, 'id of the device; an addition of ours'),
  f.text('alarmDeviceSn', (r) => r.device.sn, 'serial number of the device'),
  f.choiceText(
    'alarmDeviceType',
    (r) => r.device.kind,
    { collector: '1', ammeter: '2', inverter: '3', epm: '4', weather: '5' },
    'kind of the device',
  ),
  f.text('model', (r) => r.device.model, 'model of the device'),
  f.choiceText('alarmLevel', (r) => r.level, { tip: '1', general: '2', emergency: '3' }, 'level'),
  f.text('alarmCode', (r) => r.code, 'code of the alarm'),
  f.text('alarmMsg', (r) => r.message, 'what is wrong'),
  f.text('advice', (r) => r.advice, 'what to do'),
  f.choiceText('state', (r) => r.state, { pending: '0', processed: '1', restored: '2' }, 'state'),
  f.instant('alarmBeginTime', (r) => r.beginAt, 'begin'),
  f.instant('alarmEndTime', (r) => r.endAt, 'end'),
  f.instant('processedTime', (r) => r.processedAt, 'when somebody took it on; an addition of ours'),
  f.text(
    'processedBy',
    (r) => r.processedBy,
    'who took it on: account:ID or operator; not shown to applications; an addition of ours',
  ),
  f.text(
    'processedByEmail',
    (r) => r.processedByEmail,
    'e-mail address of who took it on, for the owner of the plant and members of the same company; an addition of ours',
  ),
  f.text(
    'note',
    (r) => r.note,
    'what that person says of it; not shown to applications; an addition of ours',
  ),
  f.instant('noteTime', (r) => r.notedAt, 'when that was written; an addition of ours'),
  f.digits('alarmLong', (r) => r.durationMs, 'how long it lasted, or has lasted', 'ms'),
]);
