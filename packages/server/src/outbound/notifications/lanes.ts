import type { FigureSources } from '../../measurements/figures/sources.ts';
import type { Lanes } from '../../platform/work/lane.ts';
import { createChanges } from './changes/send.ts';
import { createTelling } from './messages/deliver.ts';
import type { NotificationDeps } from './messages/deps.ts';
import { NOTIFICATION_LANE } from './messages/timing.ts';
import { createSorting } from './sort.ts';
import { createWeekly } from './weekly/send.ts';

/** The work of telling people and their programs of alarms, weeks and what others changed. */
export function createNotificationLanes(
  deps: NotificationDeps & Pick<FigureSources, 'telemetry' | 'caches'>,
): Lanes {
  const rounds = {
    alarms: createSorting(deps),
    weeks: createWeekly(deps),
    changes: createChanges(deps),
  };
  return {
    // One place for all: what is due is looked for in turn.
    newsRound: {
      runsAtOnce: 1,
      limitSeconds: 60,
      everySeconds: 10,
      keys: Object.keys(rounds),
      run: (run) => rounds[run.key as keyof typeof rounds].run(run),
    },
    // An account each; they hold no connection while they wait for peers, of whom many may be silent.
    [NOTIFICATION_LANE]: { runsAtOnce: 32, limitSeconds: 60, ...createTelling(deps) },
  };
}
