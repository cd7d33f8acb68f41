import type { Texts } from './en.ts';

const de: Texts = {
  causes: {
    silent: 'Gerät meldet sich nicht',
    standstill: 'Steht still',
    grid: 'Netz außerhalb der Grenzen',
    limit: 'Leistung begrenzt',
    exportLimit: 'Einspeisung begrenzt',
    clipping: 'An der Nennleistung gekappt',
    string: 'Schwacher DC-Eingang',
    lag: 'Bleibt hinter den anderen zurück',
    snow: 'Schnee',
    unexplained: 'Ungeklärt',
  },
  confidences: { high: 'sicher', medium: 'wahrscheinlich', low: 'möglich' },
  inverter: (sn) => `Wechselrichter ${sn}`,
  limitOf: (power) => `Grenze ${power}`,
  setBy: {
    person: 'von einer Person gesetzt',
    program: 'von einer Anwendung gesetzt',
    operator: 'vom Betreiber gesetzt',
    other: 'gesetzt',
  },
  on: (who, day) => `${who} am ${day}`,
  input: (input, share) => `Eingang ${input} liefert ${share} des Erwarteten`,
  share: (share) => `liefert ${share} des Erwarteten`,
  alarm: (code) => `Alarm ${code}`,
  coldest: (temperature) => `kälteste Temperatur ${temperature}`,
  days: (count, shown) => (count === 1 ? 'an 1 Tag' : `an ${shown} Tagen`),
};
export default de;
