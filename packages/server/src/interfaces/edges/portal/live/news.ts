import type { PlantNews } from '@helioport/contract';
import { recentAlarms } from '../../../../outbound/alarms/recent.ts';
import { recentCommands } from '../../../../control/commands/recent.ts';
import { recentReports, recentStates } from '../../../../fleet/devices/recent.ts';
import type { Clock } from '../../../../platform/kernel/clock.ts';
import { recentInvitations } from '../../../../fleet/plants/invitations/recent.ts';
import type { Db } from '../../../../platform/storage/database.ts';

/** What has happened since the last look. */
export interface News {
  readonly plants: ReadonlyMap<string, Omit<PlantNews, 'plantId'>>;
  /** The accounts that were invited to a plant or a company. */
  readonly invited: ReadonlySet<string>;
}

/** Finds out what has happened on all instances since the last look; the first look only learns what is no news. */
export type Look = () => Promise<News>;

/** How far each look goes back: further than clocks of instances differ and transactions last, as a rule. What is missed, the next report brings. */
const LOOK_BACK_MS = 15_000;

/**
 * Looks at the database, since events may happen in any process. Times are compared with a margin, and what was announced once is remembered, so that
 * the order in which transactions become visible does not matter. The cost depends on how much happens, not on how many plants there are.
 */
export function createLook({ db, clock }: { db: Db; clock: Clock }): Look {
  /** What was announced, and the number of the look at which it was last seen. */
  const announced = new Map<string, number>();
  let looks = 0;
  let announcedUntil = 0;

  return async () => {
    const now = clock.now();
    const since = now - LOOK_BACK_MS;
    const [reports, states, alarms, commands, invitations] = await Promise.all([
      recentReports(db, since),
      recentStates(db, since),
      recentAlarms(db, since),
      recentCommands(db, since),
      recentInvitations(db, since),
    ]);
    looks += 1;
    const news = new Map<
      string,
      { changed: Set<PlantNews['changed'][number]>; commands: { id: string; state: string }[] }
    >();
    const isNews = (key: string): boolean => {
      const isKnown = announced.has(key);
      announced.set(key, looks);
      // A listener that begins to listen has just read everything.
      return !isKnown && looks > 1;
    };
    const tell = (plantId: string, what: PlantNews['changed'][number], key: string) => {
      if (!isNews(key)) return undefined;
      let plant = news.get(plantId);
      if (!plant) news.set(plantId, (plant = { changed: new Set(), commands: [] }));
      plant.changed.add(what);
      return plant;
    };
    for (const { plantId, deviceId, at } of reports)
      tell(plantId, 'readings', `r${deviceId} ${at}`);
    for (const { plantId, deviceId, at } of states) tell(plantId, 'states', `s${deviceId} ${at}`);
    for (const { plantId, id } of alarms) tell(plantId, 'alarms', `a${id}`);
    for (const { plantId, id, state } of commands)
      tell(plantId, 'commands', `c${id} ${state}`)?.commands.push({ id, state });
    const invited = new Set(
      invitations.flatMap(({ id, accountId }) => (isNews(`i${id}`) ? [accountId] : [])),
    );
    // What was seen at this look may be seen again at the next one; nothing else.
    if (now - announcedUntil > LOOK_BACK_MS) {
      for (const [key, look] of announced) if (look < looks) announced.delete(key);
      announcedUntil = now;
    }
    const plants = new Map(
      Array.from(news, ([plantId, { changed, commands: its }]) => [
        plantId,
        { changed: [...changed], ...(its.length > 0 && { commands: its }) },
      ]),
    );
    return { plants, invited };
  };
}
