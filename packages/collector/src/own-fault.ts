import { shown } from './answers/shapes.ts';
import type { Setback } from './link.ts';

/** A fault on this side, of which others are told; what has failed is tried again. */
export const ownFault = (error: unknown): Setback => ({
  cause: 'away',
  reason: `the collector itself has failed: ${shown(error instanceof Error ? error.message : String(error))}`,
});
