import { deviceAdvice } from '@helioport/contract/alarm-words/device/de';
import { alarmWords } from '@helioport/contract/alarm-words/de';
import type { Texts } from './en.ts';

export default {
  levels: { tip: 'Hinweis', general: 'Alarm', emergency: 'Notfall' },
  stateNames: { pending: 'Offen', processed: 'In Arbeit', restored: 'Beendet' },
  lost: (what) => `Bisher verloren: ${what}`,
  device: 'Gerät',
  since: (time: string) => `seit ${time}`,
  fromTo: (from: string, to: string) => `${from} bis ${to}`,
  lasts: (time: string) => `bisher ${time}`,
  lasted: (time: string) => `Dauer ${time}`,
  minutes: (n: string) => `${n} min`,
  hours: (n: string) => `${n} h`,
  process: 'Ich kümmere mich darum',
  processed: 'Sie kümmern sich darum. Der Alarm endet, wenn seine Ursache behoben ist.',
  reopen: 'Wieder öffnen',
  reopened: 'Wieder offen: Niemand kümmert sich darum.',
  youAreOnIt: (when: string) => `Sie kümmern sich darum, seit ${when}`,
  note: 'Notiz',
  noteLead:
    'Was Sie vorhaben oder gefunden haben. Alle, die den Alarm sehen, sehen auch die Notiz.',
  addNote: 'Notiz hinzufügen',
  changeNote: 'Notiz ändern',
  saveNote: 'Notiz speichern',
  removeNote: 'Entfernen',
  noNote: 'Keine Notiz',
  keepNote: 'So lassen',
  noted: (when: string) => `geschrieben ${when}`,
  taken: (who: string, when: string) => `Übernommen von ${who}, ${when}`,
  you: 'Ihnen',
  operator: 'dem Betreiber',
  owner: 'dem Eigentümer der Anlage',
  somebody: 'jemand anderem',
  reopenTitle: 'Alarm eines anderen wieder öffnen?',
  reopenLead: 'Vielleicht wird schon daran gearbeitet. Danach ist der Alarm wieder für alle offen.',
  mayNot: 'Das kann nur, wer diese Anlage steuern darf, und nur solange der Alarm offen ist.',
  failed: 'Das hat nicht geklappt. Versuchen Sie es noch einmal.',
  emergencyAdvice: {
    owner:
      'Ein Notfall, den das Gerät selbst meldet: Was daran hängt, hat vielleicht keinen Strom. Sehen Sie auf seine Anzeige und schalten Sie nichts wieder ein, das sich abgeschaltet hat. Ist etwas heiß, riecht oder raucht es, halten Sie Abstand und rufen Sie die Feuerwehr; sonst rufen Sie Ihren Installateur an.',
    installer:
      'Ein Notfall, den das Gerät selbst meldet. Bitten Sie die Leute vor Ort, Abstand zu halten, schlagen Sie den Code im Handbuch des Geräts nach und trennen Sie AC und DC, bevor Sie etwas öffnen.',
  },
  alarms: alarmWords,
  deviceAdvice,
} satisfies Texts;
