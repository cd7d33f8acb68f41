import { alarmWords } from '@helioport/contract/alarm-words/de';
import type { Texts } from './en.ts';

export default {
  levels: { 1: 'Hinweis', 2: 'Alarm', 3: 'Notfall' },
  stateNames: { 0: 'Offen', 1: 'Bearbeitet, noch nicht vorbei', 2: 'Beendet' },
  device: 'Gerät',
  since: (time: string) => `seit ${time}`,
  fromTo: (from: string, to: string) => `${from} bis ${to}`,
  lasts: (time: string) => `seit ${time}`,
  lasted: (time: string) => `Dauer ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Als bearbeitet markieren',
  processed: 'Als bearbeitet markiert. Er endet, wenn seine Ursache behoben ist.',
  reopen: 'Zurücknehmen',
  reopened: 'Wieder offen: Er ist nicht bearbeitet.',
  mayNot: 'Das kann nur, wer diese Anlage steuern darf, und nur solange der Alarm offen ist.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  alarms: alarmWords,
} satisfies Texts;
