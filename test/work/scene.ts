import { armTasks } from '../../packages/server/src/platform/work/arm.ts';
import type { LaneHandler, Lane } from '../../packages/server/src/platform/work/lane.ts';
import {
  createRunner,
  type Runner,
  type RunnerDependencies,
} from '../../packages/server/src/platform/work/runner.ts';
import { settableClock } from '../support/world.ts';
import type { Db } from '../../packages/server/src/platform/storage/database.ts';

let scenes = 0;

/** A kind of work that no other test arms, a clock, and runners that do it. */
export function createScene(database: () => { db: Db }) {
  const kind = `kind-${++scenes}`;
  const clock = settableClock('2026-06-01T00:00:00Z');
  const faults: object[] = [];
  const abandoned: string[] = [];
  const logger = {
    error: (fault: object) => void faults.push(fault),
    warn: (fault: object) => void faults.push(fault),
  };
  /** An instance with one lane, or with others beside it. */
  const runner = (
    run: LaneHandler['run'],
    change: Partial<Lane> = {},
    deps: Partial<RunnerDependencies> = {},
  ): Runner =>
    createRunner({
      db: database().db,
      clock,
      logger,
      onAbandoned: (of) => void abandoned.push(of),
      pollMs: 5,
      lanes: { [kind]: { runsAtOnce: 4, limitSeconds: 60, run, ...change } },
      ...deps,
    });
  const arm = (key: string, dueAt = clock.at, of = kind): Promise<void> =>
    database()
      .db.transaction()
      .execute((trx) => armTasks(trx, of, [key], clock.at, dueAt));
  const row = (key: string) =>
    database()
      .db.selectFrom('task')
      .selectAll()
      .where('kind', '=', kind)
      .where('key', '=', key)
      .executeTakeFirst();
  return { kind, clock, faults, abandoned, runner, arm, row };
}
