import type { Act } from '../../identity/accounts/audit.ts';
import type { Clock } from '../../platform/kernel/clock.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import type { Outbox } from '../../identity/mail/outbox.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Handler } from '../../platform/work/lane.ts';
import { cancelCommands, dropNotifications, endStrategies } from './end-control.ts';
import { endCompanies } from './end-companies.ts';
import { endGiven, endReceived } from './end-shares.ts';
import {
  finishRemoval,
  forgetApplications,
  forgetCommands,
  forgetDeeds,
  forgetDevices,
  forgetInstaller,
  forgetNotes,
  forgetPlants,
  forgetTrail,
} from './forget.ts';
import { enableReopened } from './reopen.ts';
import { lockSteps, type Closing, type Ending, type Place, type Step } from './step.ts';

/** The stages of each ending, in order, and what is done after the last one. Devices come first: they wait for their settings. */
const ENDINGS: Readonly<
  Record<
    Ending,
    {
      readonly stages: readonly Step[];
      readonly finish: (trx: Db, act: Act, closing: Closing) => Promise<void>;
    }
  >
> = {
  close: {
    stages: [cancelCommands, endStrategies, endReceived, endCompanies, endGiven, dropNotifications],
    finish: enableReopened,
  },
  remove: {
    // Others may have given it shares since it was closed.
    stages: [
      endReceived,
      endCompanies,
      endGiven,
      forgetPlants,
      forgetDevices,
      forgetInstaller,
      forgetApplications,
      forgetTrail,
      forgetDeeds,
      forgetCommands,
      forgetNotes,
    ],
    finish: finishRemoval,
  },
};

/** The steps that one run takes before it lets others have their turn. */
const STEPS_AT_ONCE = 8;

export interface ClosingWorkDeps {
  readonly clock: Clock;
  readonly ids: IdSource;
  /** null = no e-mails are sent. */
  readonly outbox: Outbox | null;
}

/** Ends, step by step, what an account has left when it is closed or removed. The key is its id. Each step and its place are one transaction. */
export const createClosing = (deps: ClosingWorkDeps): Handler => ({
  async run({ key, transaction }) {
    for (let step = 0; step < STEPS_AT_ONCE; step++)
      if (!(await transaction((trx) => goOn(trx, deps, key)))) return;
    return { dueAt: deps.clock.now() };
  },
});

/** Takes one step; resolves to whether there are more. */
async function goOn(
  trx: Db,
  { clock, ids: newId, outbox }: ClosingWorkDeps,
  accountId: string,
): Promise<boolean> {
  const begun = await lockSteps(trx, accountId);
  if (!begun) return false;
  const { at, actor, address } = begun;
  const { ending, stage, after } = JSON.parse(begun.place) as Place;
  const act = { at: clock.now(), actor: actor as Act['actor'], address, newId };
  const closing = { accountId, at, after, outbox };
  const { stages, finish } = ENDINGS[ending];
  const rest = await stages[stage]!(trx, act, closing);
  const next: Place =
    rest === undefined ? { ending, stage: stage + 1, after: '' } : { ending, stage, after: rest };
  if (next.stage < stages.length) {
    await trx
      .updateTable('accountClosing')
      .set({ place: JSON.stringify(next) })
      .where('accountId', '=', accountId)
      .execute();
    return true;
  }
  await finish(trx, act, closing);
  await trx.deleteFrom('accountClosing').where('accountId', '=', accountId).execute();
  return false;
}
