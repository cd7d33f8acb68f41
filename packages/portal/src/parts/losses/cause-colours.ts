import type { LossCause } from '@helioport/contract';

/** Colours of causes, in the order in which bars are stacked. */
export const CAUSE_COLOURS = {
  standstill: '--hp-import',
  limit: '--hp-consumption',
  silent: '--hp-other',
  grid: '--hp-pink',
  string: '--hp-teal',
  lag: '--hp-lime',
  exportLimit: '--hp-grid',
  clipping: '--hp-battery',
  snow: '--hp-sky',
  unexplained: '--hp-coast',
} as const satisfies Record<LossCause, string>;
