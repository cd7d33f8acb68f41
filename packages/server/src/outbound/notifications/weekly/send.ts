import type { FigureSources } from '../../../measurements/figures/sources.ts';
import type { LaneHandler } from '../../../platform/work/lane.ts';
import type { NotificationDeps } from '../messages/deps.ts';
import { messageReaderOf } from '../messages/reader.ts';
import { createRegular, type Due } from '../settings/regular.ts';
import { settingsOf } from '../settings/settings.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { lastMonday, nextMonday } from '../mornings.ts';
import { isTimely, reviewWeek } from './review.ts';
import { weeklyLetter } from './weekly-letter.ts';

/** Sends the weekly summaries that are due. */
export const createWeekly = (
  deps: NotificationDeps & Pick<FigureSources, 'telemetry' | 'caches'>,
): LaneHandler =>
  createRegular(deps, 'weeklyAt', async (due, now) => {
    const { timeZone, disabledAt } = due;
    // An account whose zone was changed may have its Monday morning still before it.
    const monday = lastMonday(timeZone, now);
    const isDue = disabledAt === null && isTimely(monday.at, now);
    return {
      letter: isDue ? await letterOf(deps, due, monday.day) : undefined,
      next: { weeklyAt: nextMonday(timeZone, now) },
    };
  });

async function letterOf(
  deps: NotificationDeps & Pick<FigureSources, 'telemetry' | 'caches'>,
  due: Due,
  monday: number,
): Promise<ReturnType<typeof weeklyLetter> | undefined> {
  const { portalUrl, secretBox, logger } = deps;
  const { accountId } = due;
  const review = await reviewWeek(deps, accountId, settingsOf(due).plantIds, monday);
  return (
    review &&
    weeklyLetter(
      messageReaderOf(due),
      review,
      { portalUrl, stopUrl: stopUrlOf(portalUrl, secretBox, { accountId, what: 'weekly' }) },
      logger,
    )
  );
}
