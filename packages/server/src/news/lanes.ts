import type { FigureSources } from '../figures/sources.ts';
import type { Lanes } from '../work/lane.ts';
import { createTelling } from './messages/deliver.ts';
import type { NewsDeps } from './messages/deps.ts';
import { NEWS } from './messages/timing.ts';
import { createSorting } from './sort.ts';
import { createWeekly } from './weekly/send.ts';

/** The work of telling people and their programs of alarms and weeks. */
export const createNewsLanes = (deps: NewsDeps & Pick<FigureSources, 'telemetry' | 'caches'>): Lanes => ({
  sortNews: { runsAtOnce: 1, limitSeconds: 30, everySeconds: 10, ...createSorting(deps) },
  // An account each; they hold no connection while they wait for peers.
  [NEWS]: { runsAtOnce: 4, limitSeconds: 60, ...createTelling(deps) },
  weekly: { runsAtOnce: 1, limitSeconds: 60, everySeconds: 300, ...createWeekly(deps) },
});
