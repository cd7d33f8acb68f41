import { Failure } from '../../../platform/kernel/failure.ts';
import { reachOf } from '../../../fleet/plants/access.ts';
import { amendStrategy } from '../../../control/strategies/amend.ts';
import { checkStrategy, findRepeated, insertStrategy } from '../../../control/strategies/create.ts';
import { dispatchStrategy, refuseStopped } from '../../../control/strategies/dispatch.ts';
import { endStrategy } from '../../../control/strategies/end.ts';
import { getStrategy } from '../../../control/strategies/list.ts';
import { refuseOverlap } from '../../../control/strategies/overlap.ts';
import { findPlaces } from '../../../control/strategies/places.ts';
import { heartbeatBefore, isOver } from '../../../control/strategies/strategy.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';
import { controllerOf, newStrategy, ownStrategy, ownStrategyWithPlants } from '../rights/plants.ts';

type DispatchOperation =
  `strategy/${'create' | 'validate' | 'dispatch' | 'amend' | 'heartbeat' | 'cancel'}`;

/** What applications do with their strategies. */
export function createStrategyDispatch(deps: OperationDependencies): HandlersOf<DispatchOperation> {
  const { db, clock } = deps;

  return {
    async 'strategy/create'(caller, given, once) {
      const application = controllerOf(caller);
      const known = await findRepeated(db, application, given);
      if (known) return getStrategy(db, caller, known.id, clock.now());
      return change(deps, caller, once, newStrategy(given), async (trx, act, held, present) => {
        const { id } = await insertStrategy(trx, act, held.application, given, held.checked);
        return getStrategy(trx, present, id, act.at);
      });
    },

    async 'strategy/validate'(caller, given) {
      const application = controllerOf(caller);
      const known = await findRepeated(db, application, given);
      const { targets, startAt, endAt } = await checkStrategy(db, application, given, clock.now());
      refuseStopped(targets);
      const deviceIds = targets.map(({ id }) => id);
      await refuseOverlap(
        db,
        { id: known?.id, applicationId: application.applicationId, startAt, endAt },
        deviceIds,
      );
      return { devices: targets.length };
    },

    'strategy/dispatch': async (caller, { id }, once) =>
      change(deps, caller, once, ownStrategyWithPlants(id), async (trx, act, own, present) => {
        await dispatchStrategy(trx, act, own.application, own.strategy);
        return getStrategy(trx, present, id, act.at);
      }),

    'strategy/amend': async (caller, { id, ...amendment }, once) =>
      change(deps, caller, once, ownStrategyWithPlants(id), async (trx, act, own, present) => {
        await amendStrategy(trx, act, own.application, own.strategy, amendment);
        return getStrategy(trx, present, id, act.at);
      }),

    'strategy/heartbeat': async (caller, { id }, once) =>
      change(
        deps,
        caller,
        once,
        ownStrategy(id),
        async (trx, { at }, { strategy, application }) => {
          // An owner who has sold the plant, or left it out of the authorization, has nothing more to keep alive.
          if ((await findPlaces(trx, reachOf(application, 'control'), id)).length === 0)
            throw new Failure('noPermission');
          if (isOver(strategy, at)) throw new Failure('strategyOver');
          if (strategy.dispatchedAt !== null)
            await trx
              .updateTable('strategy')
              .set({ heartbeatAt: at })
              .where('id', '=', id)
              .execute();
          return { nextBefore: heartbeatBefore({ ...strategy, heartbeatAt: at }) };
        },
      ),

    'strategy/cancel': async (caller, { id }, once) =>
      change(deps, caller, once, ownStrategy(id), (trx, act, { strategy }) =>
        endStrategy(trx, act, strategy, 'the application cancelled it'),
      ),
  };
}
