import { deviceAdvice } from '@helioport/contract/alarm-words/device/en';
import { alarmWords, type AlarmWords } from '@helioport/contract/alarm-words/en';

const en = {
  levels: { tip: 'Tip', general: 'Alarm', emergency: 'Emergency' },
  stateNames: { pending: 'Open', processed: 'In progress', restored: 'Ended' },
  lost: (what: string) => `Lost so far: ${what}`,
  device: 'Device',
  since: (time: string) => `since ${time}`,
  fromTo: (from: string, to: string) => `${from} to ${to}`,
  lasts: (time: string) => `for ${time}`,
  lasted: (time: string) => `lasted ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'I’m on it',
  processed: 'You are on it. The alarm ends when its cause is gone.',
  reopen: 'Open again',
  reopened: 'Open again: nobody is on it.',
  youAreOnIt: (when: string) => `You are on it since ${when}`,
  note: 'Note',
  noteLead: 'What you plan, or have found. Everybody who sees the alarm sees it.',
  addNote: 'Add a note',
  changeNote: 'Change the note',
  saveNote: 'Save the note',
  removeNote: 'Remove it',
  noNote: 'No note',
  keepNote: 'Leave it as it is',
  noted: (when: string) => `written ${when}`,
  taken: (who: string, when: string) => `Taken on by ${who}, ${when}`,
  you: 'you',
  operator: 'the operator',
  owner: 'the owner of the plant',
  somebody: 'somebody else',
  reopenTitle: 'Reopen somebody else’s alarm?',
  reopenLead: 'They may be working on it. It is open again then, for everybody.',
  mayNot: 'Only people who may control this plant can do that, and only while the alarm is open.',
  failed: 'That did not work. Try again.',
  emergencyAdvice: {
    owner:
      'An emergency, by the device’s own account: what it feeds may be without power. Look at its display, and switch nothing on that has switched itself off. If anything is hot, smells or smokes, keep away and call the fire brigade; otherwise call your installer.',
    installer:
      'An emergency, by the device’s own account. Ask people on site to keep clear of it, look up the code in the device’s manual, and disconnect AC and DC before you open anything.',
  },
  alarms: alarmWords as Readonly<Record<string, AlarmWords>>,
  deviceAdvice,
};
export type Texts = typeof en;
export default en;
