import type { WireData } from '@helioport/contract';

type Strategy = WireData<'strategy/list'>[number];

/** The state of a strategy: that of its devices, if a change by hand has paused it on all that it runs on. */
export function strategyState({
  state = 'draft',
  devices = {},
}: Strategy): NonNullable<Strategy['state']> {
  const { active = 0, dispatching = 0, paused = 0 } = devices as Readonly<Record<string, number>>;
  return state === 'active' && paused > 0 && active + dispatching === 0 ? 'paused' : state;
}
