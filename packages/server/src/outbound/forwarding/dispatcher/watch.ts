import type { Logger } from '../../../platform/kernel/logger.ts';
import { headPosition, isAfter } from '../../../platform/events/position.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { armTasks } from '../../../platform/work/arm.ts';
import { listServable } from '../destinations/destinations.ts';
import { FORWARD, shardOf } from '../destinations/shards.ts';

/** Notices that the log has grown while nobody was delivering. It only reads, so that an idle installation writes nothing. */
export interface ForwardingWatch {
  start(): void;
  stop(): Promise<void>;
}

const LOOK_MS = 250;

/** Arms those parts of the destinations that are behind the log and that nobody serves. */
export async function armBehind(db: Db, now: Instant): Promise<void> {
  const destinations = await listServable(db);
  if (destinations.length === 0) return;
  const head = await headPosition(db);
  const rows = await db
    .selectFrom('destinationProgress')
    .select(['destinationId', 'key', 'no'])
    .where('nextAt', '<=', now)
    .execute();
  const behind = new Set(
    rows.filter((row) => isAfter(head, row)).map(({ destinationId }) => destinationId),
  );
  // Their streams wait, whatever the log has.
  const snapshots = await db
    .selectFrom('snapshot')
    .select('destinationId')
    .where('state', '=', 'sending')
    .where('nextAt', '>', now)
    .execute();
  for (const { destinationId } of snapshots) behind.delete(destinationId);
  const shards = new Set(destinations.flatMap(({ id }) => (behind.has(id) ? [shardOf(id)] : [])));
  if (shards.size === 0) return;
  // A task that is due is being run, or will be.
  const tasks = await db
    .selectFrom('task')
    .select('key')
    .where('kind', '=', FORWARD)
    .where('dueAt', '<=', now)
    .execute();
  for (const { key } of tasks) shards.delete(key);
  if (shards.size > 0)
    await db.transaction().execute((trx) => armTasks(trx, FORWARD, [...shards], now));
}

export function createForwardingWatch({
  db,
  clock,
  logger,
}: {
  readonly db: Db;
  readonly clock: { now(): number };
  readonly logger: Pick<Logger, 'warn'>;
}): ForwardingWatch {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  const look = (): void => {
    looking ??= armBehind(db, clock.now())
      .catch((err: unknown) => logger.warn({ err }, 'could not look for events to deliver'))
      .finally(() => {
        looking = undefined;
      });
  };
  return {
    start() {
      timer = setInterval(look, LOOK_MS).unref();
    },
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}
