import type { ApplicationCaller, Caller } from '../../../identity/accounts/caller.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import type { Act } from '../../../identity/accounts/audit.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { amendStrategy } from '../../../control/strategies/amend.ts';
import { checkStrategy, findRepeated, insertStrategy } from '../../../control/strategies/create.ts';
import { dispatchStrategy, refuseStopped } from '../../../control/strategies/dispatch.ts';
import { endStrategy } from '../../../control/strategies/end.ts';
import { getStrategy } from '../../../control/strategies/list.ts';
import { refuseOverlap } from '../../../control/strategies/overlap.ts';
import {
  heartbeatBefore,
  isOver,
  lockOwn,
  type Strategy,
} from '../../../control/strategies/strategy.ts';
import { change } from '../act.ts';
import type { HandlersOf, OperationDependencies } from '../dependencies.ts';

type DispatchOperation =
  `strategy/${'create' | 'validate' | 'dispatch' | 'amend' | 'heartbeat' | 'cancel'}`;

/** What applications do with their strategies. */
export function createStrategyDispatch(deps: OperationDependencies): HandlersOf<DispatchOperation> {
  const { db, clock } = deps;

  /** Changes a strategy of the caller's own. */
  const changeOwn = async <T>(
    caller: Caller,
    id: string,
    once: Once | undefined,
    work: (trx: Db, act: Act, strategy: Strategy, application: ApplicationCaller) => Promise<T>,
  ): Promise<T> => {
    const application = applicationOf(caller);
    return change(deps, caller, once, async (trx, act) =>
      work(trx, act, await lockOwn(trx, application, id), application),
    );
  };

  return {
    async 'strategy/create'(caller, given, once) {
      const application = applicationOf(caller);
      const known = await findRepeated(db, application, given);
      if (known) return getStrategy(db, caller, known.id, clock.now());
      return change(deps, caller, once, async (trx, act) => {
        const checked = await checkStrategy(trx, application, given, act.at);
        const { id } = await insertStrategy(trx, act, application, given, checked);
        return getStrategy(trx, caller, id, act.at);
      });
    },

    async 'strategy/validate'(caller, given) {
      const application = applicationOf(caller);
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
      changeOwn(caller, id, once, async (trx, act, strategy, application) => {
        await dispatchStrategy(trx, act, application, strategy);
        return getStrategy(trx, caller, id, act.at);
      }),

    'strategy/amend': async (caller, { id, ...amendment }, once) =>
      changeOwn(caller, id, once, async (trx, act, strategy, application) => {
        await amendStrategy(trx, act, application, strategy, amendment);
        return getStrategy(trx, caller, id, act.at);
      }),

    'strategy/heartbeat': async (caller, { id }, once) =>
      changeOwn(caller, id, once, async (trx, { at }, strategy) => {
        if (isOver(strategy, at)) throw new Failure('strategyOver');
        if (strategy.dispatchedAt !== null)
          await trx.updateTable('strategy').set({ heartbeatAt: at }).where('id', '=', id).execute();
        return { nextBefore: heartbeatBefore({ ...strategy, heartbeatAt: at }) };
      }),

    'strategy/cancel': async (caller, { id }, once) =>
      changeOwn(caller, id, once, (trx, act, strategy) =>
        endStrategy(trx, act, strategy, 'the application cancelled it'),
      ),
  };
}

/** Strategies are dispatched by applications alone. Throws noPermission. */
function applicationOf(caller: Caller): ApplicationCaller {
  if (caller.kind !== 'application' || !caller.scopes.includes('control_device'))
    throw new Failure('noPermission');
  return caller;
}
