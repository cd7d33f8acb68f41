import { an } from './an.ts';
import { deviceKinds, inverter } from './devices.ts';
import { NOON } from './house.ts';
import { maybe, record, type InOf } from './kind.ts';
import { plant } from './plants.ts';

export const alarmLevels = ['tip', 'general', 'emergency'] as const;
export const alarmStates = ['pending', 'processed', 'restored'] as const;
export type AlarmLevel = (typeof alarmLevels)[number];
export type AlarmState = (typeof alarmStates)[number];

export const alarm = record('an alarm', {
  id: an.text('id of the alarm', '1300386381676644430'),
  plant: record('the plant', {
    id: plant.properties.id,
    name: plant.properties.name,
    timeZone: an.text('IANA time zone', 'Europe/Berlin'),
  }),
  device: record('the device', {
    id: inverter.properties.id,
    kind: an.word(deviceKinds, 'kind', 'inverter'),
    sn: inverter.properties.sn,
    model: inverter.properties.model,
  }),
  level: an.word(alarmLevels, 'level', 'general'),
  code: an.text('code of the alarm', 'H1015'),
  message: an.text('what is wrong', 'No production in daylight'),
  advice: maybe(an.text('what to do', 'Check the DC switch and the display of the inverter.')),
  state: an.word(alarmStates, 'state', 'restored'),
  beginAt: an.instant('begin', NOON - 7_200_000),
  endAt: maybe(an.instant('end', NOON - 3_600_000)),
  processedAt: maybe(an.instant('when somebody took it on')),
  processedBy: maybe(an.text('who took it on: account:ID or operator; not shown to applications')),
  processedByEmail: maybe(
    an.text(
      'e-mail address of who took it on, for the owner of the plant and members of the same company',
    ),
  ),
  note: maybe(an.text('what that person says of it; not shown to applications')),
  notedAt: maybe(an.instant('when that was written')),
  lostKwh: maybe(
    an.kwh(
      'energy lost so far through what it is about, up to yesterday, if it is an inverter’s',
      61,
    ),
  ),
  lostAmount: maybe(an.money('its value', 6.7)),
  currency: maybe(an.text('currency of that value', 'EUR')),
  durationMs: an.ms('how long it lasted, or has lasted', 3_600_000),
});
export type AlarmRecord = InOf<typeof alarm>;
