import type { PlantUpdate } from '@helioport/contract';
import { recentReports, type CollectorReport } from '../../../../fleet/devices/recent.ts';
import { listInvitees } from '../../../../fleet/plants/invitations/invitees.ts';
import type { InternalKind } from '../../../../platform/events/internal.ts';
import { settledPosition } from '../../../../platform/events/position.ts';
import {
  readChanges,
  type LoggedChange,
  type ReaderPosition,
} from '../../../../platform/events/readers.ts';
import type { Clock } from '../../../../platform/kernel/clock.ts';
import type { Db, Instant } from '../../../../platform/storage/database.ts';

type What = PlantUpdate['changed'][number];

/** What has happened since the last look. */
export interface LiveChanges {
  readonly plants: ReadonlyMap<string, Omit<PlantUpdate, 'plantId'>>;
  /** The accounts that were invited to a plant or a company. */
  readonly invited: ReadonlySet<string>;
}

/**
 * Finds out what has happened on all instances since the last look, and tells of it; the first look only learns what is known already. What could not be
 * told is told after the next look.
 */
export type LookForChanges = (tell: (changes: LiveChanges) => Promise<void>) => Promise<void>;

/** What browsers learn of events of the log; null = by another way than their plant's. */
const WHAT = {
  'device.state': 'states',
  'device.bound': 'states',
  'device.unbound': 'states',
  'alarm.raised': 'alarms',
  'alarm.cleared': 'alarms',
  'control.result': 'commands',
  'command.state': 'commands',
  'invitation.sent': null,
} as const satisfies Record<InternalKind, What | null>;
const KINDS = Object.keys(WHAT) as InternalKind[];

const CHANGES_AT_ONCE = 1_000;

/**
 * How far each look for reports goes back: further than clocks of instances differ and transactions last, as a rule. What is missed, the next report
 * brings. Reports are no events of the log: nobody but a browser hears of them, and ingest would have to write each a second time.
 */
const LOOK_BACK_MS = 15_000;

/** Reads the log, since events may happen in any process. The cost depends on how much happens, not on how many plants there are. */
export function createChangeReader({ db, clock }: { db: Db; clock: Clock }): LookForChanges {
  let position: ReaderPosition | undefined;
  let reportedAt: ReadonlyMap<string, Instant> | undefined;
  return async (tell) => {
    const [read, reports] = await Promise.all([
      readOn(db, position ?? { ...(await settledPosition(db)), ahead: [] }),
      recentReports(db, clock.now() - LOOK_BACK_MS),
    ]);
    // A listener that begins to listen has just read everything.
    const changes = position ? read.changes : [];
    const reporting = reports.filter(
      ({ deviceId, at }) => reportedAt && reportedAt.get(deviceId) !== at,
    );
    await tell({
      plants: plantsOf(changes, reporting),
      invited: await listInvitees(
        db,
        changes
          .filter(({ kind }) => kind === 'invitation.sent')
          .flatMap(({ events }) => events.map(({ subject }) => subject)),
      ),
    });
    position = read.position;
    reportedAt = new Map(reports.map(({ deviceId, at }) => [deviceId, at]));
  };
}

/** All that there is after a position, and the position after that. */
async function readOn(
  db: Db,
  position: ReaderPosition,
  before: readonly LoggedChange[] = [],
): ReturnType<typeof readChanges> {
  const read = await readChanges(db, position, KINDS, CHANGES_AT_ONCE);
  const changes = [...before, ...read.changes];
  return read.changes.length < CHANGES_AT_ONCE
    ? { changes, position: read.position }
    : readOn(db, read.position, changes);
}

function plantsOf(
  changes: readonly LoggedChange[],
  reporting: readonly CollectorReport[],
): LiveChanges['plants'] {
  const plants = new Map<string, { changed: Set<What>; states: Map<string, string> }>();
  const note = (plantId: string, what: What) => {
    let plant = plants.get(plantId);
    if (!plant) plants.set(plantId, (plant = { changed: new Set(), states: new Map() }));
    plant.changed.add(what);
    return plant.states;
  };
  for (const { plantId } of reporting) note(plantId, 'readings');
  for (const { kind, plantId, events } of changes) {
    const what = WHAT[kind];
    if (plantId === null || what === null) continue;
    const states = note(plantId, what);
    if (what === 'commands')
      for (const { data } of events)
        states.set(data['commandId'] as string, data['state'] as string);
  }
  return new Map(
    Array.from(plants, ([plantId, { changed, states }]) => {
      const commands = Array.from(states, ([id, state]) => ({ id, state }));
      return [plantId, { changed: [...changed], ...(commands.length > 0 && { commands }) }];
    }),
  );
}
