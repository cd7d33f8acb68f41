import type { Texts } from './en.ts';

const de: Texts = {
  causes: {
    silent: 'Meldet sich nicht',
    standstill: 'Stillstand',
    grid: 'Netz außerhalb der Grenzen',
    limit: 'Leistung begrenzt',
    exportLimit: 'Einspeisung begrenzt',
    clipping: 'Durch Nennleistung begrenzt',
    string: 'Schwacher DC-Eingang',
    lag: 'Schwächer als die anderen',
    snow: 'Schnee',
    unexplained: 'Ungeklärt',
  },
  confidences: { high: 'sicher', medium: 'wahrscheinlich', low: 'möglich' },
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
