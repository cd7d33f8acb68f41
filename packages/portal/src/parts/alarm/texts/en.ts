import { alarmWords } from '@helioport/contract/alarm-words/en';

const en = {
  levels: { 1: 'Tip', 2: 'Alarm', 3: 'Emergency' },
  stateNames: { 0: 'Open', 1: 'Dealt with, not over yet', 2: 'Ended' },
  device: 'Device',
  since: (time: string) => `since ${time}`,
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  lasts: (time: string) => `for ${time}`,
  lasted: (time: string) => `lasted ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Mark as dealt with',
  processed: 'Marked as dealt with. It ends when its cause is gone.',
  reopen: 'Take back',
  reopened: 'Open again: it has not been dealt with.',
  mayNot: 'Only who may control this plant can do that, and only while the alarm is open.',
  failed: 'That did not work. Try again.',
  alarms: alarmWords,
};
export type Texts = typeof en;
export default en;
