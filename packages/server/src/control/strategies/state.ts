import type { StrategyState } from '@helioport/contract';
import type { StrategyDeviceTable } from '../../platform/storage/database.ts';
import type { Strategy } from './strategy.ts';

/** How many devices of a strategy are in each state; those in none are left out. */
export type DeviceCounts = { readonly [State in StrategyDeviceTable['state']]?: number };

/** The state of a strategy as a whole. It is not stored, since it follows from those of its devices. */
export function strategyStateOf(
  { dispatchedAt, endedAs }: Pick<Strategy, 'dispatchedAt' | 'endedAs'>,
  counts: DeviceCounts,
): StrategyState {
  if (endedAs !== null) return endedAs;
  if (dispatchedAt === null) return 'draft';
  const {
    dispatching = 0,
    active = 0,
    paused = 0,
    completed = 0,
    cancelled = 0,
    failed = 0,
  } = counts;
  if (dispatching > 0) return 'dispatching';
  if (active + paused > 0) return failed > 0 ? 'partlyApplied' : 'active';
  if (completed > 0) return failed + cancelled > 0 ? 'partlyApplied' : 'completed';
  return failed > 0 ? (cancelled > 0 ? 'partlyApplied' : 'failed') : 'cancelled';
}
