import { alarmWords, type AlarmWords } from '@helioport/contract/alarm-words/en';

const en = {
  levels: { 1: 'Tip', 2: 'Alarm', 3: 'Emergency' },
  stateNames: { 0: 'Open', 1: 'In progress', 2: 'Ended' },
  device: 'Device',
  since: (time: string) => `since ${time}`,
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  lasts: (time: string) => `for ${time}`,
  lasted: (time: string) => `lasted ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'I’m on it',
  processed: 'You are on it; it is under “In progress” now. The alarm ends when its cause is gone.',
  reopen: 'Open again',
  reopened: 'Open again: nobody is on it.',
  taken: (who: string, when: string) => `Taken on by ${who}, ${when}`,
  you: 'you',
  operator: 'the operator',
  owner: 'the owner of the plant',
  somebody: 'somebody else',
  reopenTitle: 'Reopen somebody else’s alarm?',
  reopenLead: 'They may be working on it. It is open again then, for everybody.',
  mayNot: 'Only people who may control this plant can do that, and only while the alarm is open.',
  failed: 'That did not work. Try again.',
  alarms: alarmWords as Readonly<Record<string, AlarmWords>>,
};
export type Texts = typeof en;
export default en;
