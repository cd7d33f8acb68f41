import type { LossWords } from './en.ts';

export const lossWords: LossWords = {
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
};
