import { alarmWords } from '@helioport/contract/alarm-words/de';
import type { Texts } from './en.ts';

export default {
  levels: { 1: 'Hinweis', 2: 'Alarm', 3: 'Notfall' },
  stateNames: { 0: 'Offen', 1: 'In Arbeit', 2: 'Beendet' },
  device: 'Gerät',
  since: (time: string) => `seit ${time}`,
  fromTo: (from: string, to: string) => `${from} bis ${to}`,
  lasts: (time: string) => `bisher ${time}`,
  lasted: (time: string) => `Dauer ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Ich kümmere mich darum',
  processed: 'Sie kümmern sich darum; der Alarm steht jetzt unter „In Arbeit“. Er endet, wenn seine Ursache behoben ist.',
  reopen: 'Wieder öffnen',
  reopened: 'Wieder offen: Niemand kümmert sich darum.',
  taken: (who: string, when: string) => `Übernommen von ${who}, ${when}`,
  you: 'Ihnen',
  operator: 'dem Betreiber',
  owner: 'dem Eigentümer der Anlage',
  somebody: 'jemand anderem',
  reopenTitle: 'Alarm eines anderen wieder öffnen?',
  reopenLead: 'Vielleicht wird schon daran gearbeitet. Danach ist der Alarm wieder für alle offen.',
  mayNot: 'Das kann nur, wer diese Anlage steuern darf, und nur solange der Alarm offen ist.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  alarms: alarmWords,
} satisfies Texts;
