import { Failure } from '../../../platform/kernel/failure.ts';
import { getPlant } from '../../../fleet/plants/access.ts';
import { getStrategy, listStrategies, listTargets } from '../../../control/strategies/list.ts';
import { limitsOf, readQuietHours, setLimits } from '../../../control/strategies/limits.ts';
import { resumeStrategy } from '../../../control/strategies/resume.ts';
import { stopStrategy } from '../../../control/strategies/stop.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { plantOf, strategyWithin } from '../rights/plants.ts';

type ViewOperation = `strategy/${'list' | 'detail' | 'stop' | 'resume' | 'limits' | 'setLimits'}`;

const LISTED = 100;
const TARGETS_LISTED = 1000;

/** What owners and the operator see of strategies, and decide about them. */
export function createStrategyViews(deps: OperationDependencies): HandlersOf<ViewOperation> {
  const { db, clock } = deps;
  return {
    'strategy/list': async (
      caller,
      { plantId, reference, current = false, before, limit = LISTED },
    ) => listStrategies(db, caller, { plantId, reference, current, before, limit }, clock.now()),

    async 'strategy/detail'(caller, { id, after = '', limit = TARGETS_LISTED }) {
      const strategy = await getStrategy(db, caller, id, clock.now());
      return { ...strategy, targets: await listTargets(db, caller, id, { after, limit }) };
    },

    'strategy/stop': async (caller, { id, plantId }, once) =>
      change(deps, caller, once, strategyWithin(id, plantId), async (trx, act, reach) => {
        if (!(await stopStrategy(trx, act, reach, id, plantId))) throw new Failure('noPermission');
      }),

    'strategy/resume': async (caller, { id, plantId }, once) =>
      change(deps, caller, once, strategyWithin(id, plantId), async (trx, act, reach) => {
        if (!(await resumeStrategy(trx, act, reach, id, plantId)))
          throw new Failure('noPermission');
      }),

    async 'strategy/limits'(caller, { plantId }) {
      return limitsOf(await getPlant(db, caller, plantId, 'read'));
    },

    'strategy/setLimits': async (
      caller,
      { plantId, reserveSocPercent = null, cyclesPerDay = null, quietHours = [] },
      once,
    ) => {
      const limits = { reserveSocPercent, cyclesPerDay, quietHours: readQuietHours(quietHours) };
      return change(deps, caller, once, plantOf({ id: plantId }), async (trx, act) => {
        await setLimits(trx, act, plantId, limits);
        return limits;
      });
    },
  };
}
