import { changeStates, graceMs, turnOnline } from '../devices/states.ts';
import { presence } from '../plants/presence.ts';
import { sharedCommits } from '../../platform/storage/commit-group.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

/** The columns of a collector that record its last post, and how far its clock is off. */
export interface PostingCollector {
  readonly id: string;
  readonly state: number;
  readonly reportedAt: Instant | null;
  readonly expectedSeconds: number;
  readonly clockOffsetSeconds: number | null;
  readonly backlogAt: Instant | null;
}

/** What a post tells of its collector. */
interface Post {
  /** How far its clock is ahead, if the post shows that. */
  readonly clockOffsetSeconds?: number | undefined;
  /** Whether it is a report that was kept during an outage. */
  readonly isBacklog?: boolean | undefined;
}

/** A collector's last post is recorded only to this precision, so that most posts write nothing here. */
const POST_PRECISION_MS = 60_000;

/** Smaller changes of a clock offset are not recorded, since messages take different times to arrive. */
const CLOCK_PRECISION_SECONDS = 2;

/**
 * Records that a collector has posted, measures how often it does, and turns it online. It uses a
 * transaction of its own, because one that has locked a collector must not go on to lock plants.
 */
export async function markPosted(
  db: Db,
  collector: PostingCollector,
  now: Instant,
  { clockOffsetSeconds, isBacklog = false }: Post = {},
): Promise<void> {
  const { id, state, reportedAt, expectedSeconds } = collector;
  const isOfNow = (at: Instant | null): boolean =>
    at !== null && at > now - POST_PRECISION_MS && at <= now;
  const isRecorded = state !== presence.offline && isOfNow(reportedAt);
  const isBacklogRecorded = !isBacklog || isOfNow(collector.backlogAt);
  const isClockRecorded =
    clockOffsetSeconds === undefined ||
    isSameOffset(collector.clockOffsetSeconds, clockOffsetSeconds);
  if (isRecorded && isClockRecorded && isBacklogRecorded) return;
  const measured =
    reportedAt === null
      ? expectedSeconds
      : measuredSeconds(expectedSeconds, (now - reportedAt) / 1000);
  await sharedCommits(db)(async (trx) => {
    if (state === presence.offline) await turnOnline(trx, [id], now);
    await trx
      .updateTable('device')
      .set({
        ...(!isRecorded && { reportedAt: now, expectedSeconds: measured }),
        ...(!isClockRecorded && { clockOffsetSeconds }),
        ...(!isBacklogRecorded && { backlogAt: now }),
      })
      .where('id', '=', id)
      .execute();
  });
}

const isSameOffset = (known: number | null, reported: number): boolean =>
  known !== null && Math.abs(reported - known) < CLOCK_PRECISION_SECONDS;

/**
 * Turns a collector offline whose connection is lost, without waiting for its next report to be overdue. Whether that is normal at this
 * hour, the watch finds out once it is.
 */
export const markLost = (trx: Db, collectorId: string, now: Instant): Promise<void> =>
  changeStates(trx, [collectorId], now, ({ state, expectedSeconds }) =>
    state === presence.offline
      ? null
      : { state: presence.offline, offlineAbnormal: 0, checkAt: now + graceMs(expectedSeconds) },
  );

const SECONDS_AT_LEAST = 60;
const SECONDS_AT_MOST = 3600;
const WEIGHT = 0.3;

/** A moving average that adapts to a new pace within a few posts; a pause changes it by at most a third. */
function measuredSeconds(expectedSeconds: number, seconds: number): number {
  const counted = Math.min(Math.max(seconds, 0), 2 * expectedSeconds);
  return Math.round(
    Math.min(
      SECONDS_AT_MOST,
      Math.max(SECONDS_AT_LEAST, (1 - WEIGHT) * expectedSeconds + WEIGHT * counted),
    ),
  );
}
