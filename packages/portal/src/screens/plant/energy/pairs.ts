import type { Energy } from './bars-of.ts';

export type Pair = 'produceConsume' | 'buySell' | 'battery';

/** Energies that are shown side by side, and their colours. */
export const PAIRS: Readonly<Record<Pair, readonly (readonly [Energy, string])[]>> = {
  produceConsume: [
    ['produced', '--hp-production'],
    ['consumed', '--hp-consumption'],
  ],
  buySell: [
    ['bought', '--hp-import'],
    ['sold', '--hp-grid'],
  ],
  battery: [
    ['charged', '--hp-battery'],
    ['discharged', '--hp-other'],
  ],
};
