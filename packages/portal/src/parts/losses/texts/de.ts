import { lossWords } from '@helioport/contract/loss-words/de';
import type { Texts } from './en.ts';

const de: Texts = {
  ...lossWords,
  inverter: (sn) => `Wechselrichter ${sn}`,
  limitOf: (power) => `begrenzt auf ${power}`,
  setBy: {
    person: 'von einer Person eingestellt',
    program: 'von einer Anwendung eingestellt',
    operator: 'vom Betreiber eingestellt',
    other: 'eingestellt',
  },
  on: (who, day) => `${who} am ${day}`,
  input: (input, share) => `Eingang ${input} liefert ${share} des Erwarteten`,
  share: (share) => `liefert ${share} des Erwarteten`,
  alarm: (code) => `Alarm ${code}`,
  coldest: (temperature) => `tiefste Lufttemperatur ${temperature}`,
  days: (count, shown) => (count === 1 ? 'an 1 Tag' : `an ${shown} Tagen`),
};
export default de;
