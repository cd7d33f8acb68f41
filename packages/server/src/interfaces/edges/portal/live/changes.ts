import type { PlantUpdate } from '@helioport/contract';
import { recentAlarms } from '../../../../outbound/alarms/recent.ts';
import { recentCommands } from '../../../../control/commands/recent.ts';
import { recentReports, recentStates } from '../../../../fleet/devices/recent.ts';
import type { Clock } from '../../../../platform/kernel/clock.ts';
import { recentInvitations } from '../../../../fleet/plants/invitations/recent.ts';
import type { Db } from '../../../../platform/storage/database.ts';

/** What has happened since the last look. */
export interface PolledChanges {
  readonly plants: ReadonlyMap<string, Omit<PlantUpdate, 'plantId'>>;
  /** The accounts that were invited to a plant or a company. */
  readonly invited: ReadonlySet<string>;
}

/** Finds out what has happened on all instances since the last look; the first look only learns what is known already. */
export type PollChanges = () => Promise<PolledChanges>;

/** How far each look goes back: further than clocks of instances differ and transactions last, as a rule. What is missed, the next report brings. */
const LOOK_BACK_MS = 15_000;

/**
 * Looks at the database, since events may happen in any process. Times are compared with a margin, and what was announced once is remembered, so that
 * the order in which transactions become visible does not matter. The cost depends on how much happens, not on how many plants there are.
 */
export function createChangePoll({ db, clock }: { db: Db; clock: Clock }): PollChanges {
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
    const changed = new Map<
      string,
      { changed: Set<PlantUpdate['changed'][number]>; commands: { id: string; state: string }[] }
    >();
    const isNew = (key: string): boolean => {
      const isKnown = announced.has(key);
      announced.set(key, looks);
      // A listener that begins to listen has just read everything.
      return !isKnown && looks > 1;
    };
    const note = (plantId: string, what: PlantUpdate['changed'][number], key: string) => {
      if (!isNew(key)) return undefined;
      let plant = changed.get(plantId);
      if (!plant) changed.set(plantId, (plant = { changed: new Set(), commands: [] }));
      plant.changed.add(what);
      return plant;
    };
    for (const { plantId, deviceId, at } of reports)
      note(plantId, 'readings', `r${deviceId} ${at}`);
    for (const { plantId, deviceId, at } of states) note(plantId, 'states', `s${deviceId} ${at}`);
    for (const { plantId, id } of alarms) note(plantId, 'alarms', `a${id}`);
    for (const { plantId, id, state } of commands)
      note(plantId, 'commands', `c${id} ${state}`)?.commands.push({ id, state });
    const invited = new Set(
      invitations.flatMap(({ id, accountId }) => (isNew(`i${id}`) ? [accountId] : [])),
    );
    // What was seen at this look may be seen again at the next one; nothing else.
    if (now - announcedUntil > LOOK_BACK_MS) {
      for (const [key, look] of announced) if (look < looks) announced.delete(key);
      announcedUntil = now;
    }
    const plants = new Map(
      Array.from(changed, ([plantId, { changed: what, commands: its }]) => [
        plantId,
        { changed: [...what], ...(its.length > 0 && { commands: its }) },
      ]),
    );
    return { plants, invited };
  };
}
