import { countByOthers } from '../../../control/commands/by-others.ts';
import type { LaneHandler } from '../../../platform/work/lane.ts';
import type { NotificationDeps } from '../messages/deps.ts';
import { messageReaderOf } from '../messages/reader.ts';
import { nextMorning } from '../mornings.ts';
import { createRegular } from '../settings/regular.ts';
import { stopUrlOf } from '../settings/stop-link.ts';
import { changesLetter } from './changes-letter.ts';
import { requesterNamesOf } from './names.ts';

/** Writes that ended just now may not be committed yet: they are reported the next morning. */
const SETTLED_MS = 60_000;

/** Tells owners, the next morning, which settings of their devices others have changed. */
export const createChanges = (deps: NotificationDeps): LaneHandler =>
  createRegular(deps, 'changesAt', async (due, now) => {
    const { db, portalUrl, secretBox } = deps;
    const { accountId, timeZone, disabledAt, changesAfter } = due;
    const ended = { after: changesAfter ?? now, until: now - SETTLED_MS };
    const changes =
      disabledAt === null
        ? await countByOthers(db, { accountId, levels: ['owner'], plantIds: null }, ended)
        : [];
    const links = {
      portalUrl,
      stopUrl: stopUrlOf(portalUrl, secretBox, { accountId, what: 'changes' }),
    };
    return {
      letter:
        changes.length > 0
          ? changesLetter(messageReaderOf(due), changes, await requesterNamesOf(db, changes), links)
          : undefined,
      next: {
        changesAt: nextMorning(timeZone, now),
        changesAfter: Math.max(ended.after, ended.until),
      },
    };
  });
