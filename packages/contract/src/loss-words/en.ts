import type { LossCause, LossConfidence } from '../records/losses.ts';

/** What losses are called, in one language. */
export interface LossWords {
  readonly causes: Readonly<Record<LossCause, string>>;
  readonly confidences: Readonly<Record<LossConfidence, string>>;
}

export const lossWords: LossWords = {
  causes: {
    silent: 'Not reporting',
    standstill: 'Inverter down',
    grid: 'Grid out of range',
    limit: 'Power limited',
    exportLimit: 'Feed-in limited',
    clipping: 'Clipped at rated power',
    string: 'Weak DC input',
    lag: 'Behind other inverters',
    snow: 'Snow',
    unexplained: 'Unexplained',
  },
  confidences: { high: 'certain', medium: 'probable', low: 'possible' },
};
