import { deviceAdvice } from '@helioport/contract/alarm-words/device/en';
import { alarmWords } from '@helioport/contract/alarm-words/en';
import type { NotificationTexts } from './notification-texts.ts';

export const en: NotificationTexts = {
  levels: { 1: 'tip', 2: 'alarm', 3: 'emergency' },
  says: { began: 'began', ended: 'ended', both: 'began and ended' },
  alarms: alarmWords,
  deviceAdvice,
  deviceAlarm: (code) => `Alarm ${code} of the device`,
  at: (place) => `at ${place}`,
  device: (sn) => `Device ${sn}`,
  lost: (what) => `Lost so far: ${what}`,
  since: (time) => `since ${time}`,
  fromTo: (from, to) => `from ${from} to ${to}`,
  several: (alarms, plants) =>
    plants === '1' ? `${alarms} alarms at 1 plant` : `${alarms} alarms at ${plants} plants`,
  more: (number) => `and ${number} more`,
  open: 'Open the alarms',
  why: 'You get this because e-mails about alarms are switched on in your account.',
  stop: 'Stop these e-mails',
  test: { title: 'A test', body: 'This is what news of your plants will look like.' },
  stopPage: {
    title: 'E-mails about your plants',
    question: 'Do you want to stop these e-mails? Everything else stays as it is.',
    button: 'Stop them',
    done: 'They are stopped. In the portal, you can switch them on again.',
    unreadable: 'This link is not complete. Open the portal to choose what you are told.',
  },
  ended: {
    one: (plant) => `Your access to “${plant}” has ended`,
    several: (plants) => `Your access to ${plants} plants has ended`,
    lead: 'The owner, your company or a change of ownership ended it. If you still need it, ask the owner to invite you again.',
    open: 'Open your plants',
    why: 'You get this because you had access. There is nothing you need to do.',
  },
  changes: {
    heading: (number) => `Settings of your devices changed by others: ${number}`,
    lead: 'Who wrote how often to devices of which plant since the last e-mail like this one. The page of each device shows what was changed, and can undo it.',
    operator: 'The operator',
    service: 'This service, to restore settings',
    unknown: 'An account that is gone',
    open: 'Open your plants',
    why: 'You get this because e-mails about changes by others are switched on in your account.',
  },
  weekly: {
    subject: (week) => `Your week of ${week}`,
    summary: (kwh, change) =>
      `Your plants produced ${kwh} kWh${change === undefined ? '' : `, ${change} against the average of the weeks before`}.`,
    produced: 'Produced',
    weekBefore: 'The week before',
    average: 'Average of the weeks before',
    bestDay: 'Best day',
    worth: 'Saved + sold',
    co2: 'CO₂ avoided',
    alarms: 'Alarms that began',
    quiet: 'No alarm is open: there is nothing to do.',
    toDo: (number) => `To do: ${number} open`,
    open: 'Open your plants',
    why: 'You get this because the weekly summary is switched on in your account.',
    nothing: 'Nothing was measured at your plants in this week.',
    lost: (kwh, cause, causeKwh, plant) =>
      `Known losses: ${kwh}. The largest cause was “${cause}” with ${causeKwh}, most of it at ${plant}.`,
    onlyFirst: (plants) => `The figures are those of your first ${plants} plants.`,
  },
};
