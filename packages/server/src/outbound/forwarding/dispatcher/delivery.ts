import { isAfter, type Position } from '../../../platform/events/position.ts';
import {
  readEntriesOfAuthorizations,
  readEntriesOfPlants,
  type Entry,
} from '../../../platform/events/read.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Destination } from '../destinations/destinations.ts';
import type { Sink } from '../../sinks/sink.ts';
import { attemptAll, type Attempted, type AttemptOptions } from './attempts.ts';
import type { LogFeed } from './feed.ts';
import { createFilter } from './filter.ts';
import type { Pending } from './outgoing.ts';
import { before, plantsOf, readPermission, type Permission } from './permission.ts';
import type { Changes, DeadLetter, Progress, Waiting } from './progress.ts';
import { createPages, ENTRIES_AT_ONCE } from './pages.ts';
import { pauseAfter, type Random } from './schedule.ts';
import { createStanding, type Purpose } from './standing.ts';

/** What a round has come to. `until`: when there is something to do again, unless the log grows; null = not before it does. */
export type Round = 'more' | 'ended' | { readonly until: Instant | null };

/** The delivery of events to one destination, by whoever holds the lease of its part. */
export interface Delivery {
  readonly destination: Destination;
  /** Up to where the live stream has come. */
  readonly position: Position;
  /** Does a limited amount of work. */
  round(): Promise<Round>;
  /** Sends events beside the stream; what fails is the caller's affair. */
  again(
    events: readonly Pending[],
    options?: Omit<SendOptions, 'isBeside' | 'isProbe' | 'permission'>,
  ): Promise<Attempted>;
  /** Whether nothing is to be sent for now. */
  isHeld(): boolean;
  /** Until when, if it is. */
  readonly heldUntil: Instant;
  /** Since when every attempt has failed; null = the last one was a success. */
  readonly failingSince: Instant | null;
  /** Whether the stream waits for a snapshot. */
  readonly awaitsSnapshot: boolean;
  /** Ends that. */
  goOnWithStream(): void;
  /** What has to be stored; undefined if nothing has changed that matters. `all`: also how far it has read in vain. */
  takeChanges(all: boolean): Changes | undefined;
  /** Why the destination is to be switched off, if it is. */
  readonly disabledFor: string | undefined;
}

type SendOptions = AttemptOptions & Purpose;

export interface DeliveryDeps {
  readonly db: Db;
  readonly feed: LogFeed;
  readonly sink: Sink;
  readonly signal: AbortSignal;
  readonly random: Random;
  /** Told of the events that were taken. */
  onDelivered(events: readonly Pending[]): void;
  now(): Instant;
}

const WAITING_AT_ONCE = 8;
const REPLAY_LANES = 2;
/** A peer that refuses a probe is asked about so many devices. */
const PROBED_AT_ONCE = 8;

export function createDelivery(
  { db, feed, sink, signal, random, onDelivered, now }: DeliveryDeps,
  destination: Destination,
  progress: Progress,
): Delivery {
  const select = createFilter(destination);
  const { waiting } = progress;
  const changed = new Map<string, Waiting | null>();
  let deadLetters: DeadLetter[] = [];
  let moved = false;
  let turn = 0;
  /** Events beyond the position that were taken as probes. */
  const probed = new Set<string>();
  const pages = createPages(feed);
  const standing = createStanding({ progress, random, onDelivered, onBack: tryWaiting, now });

  const isHeld = (): boolean =>
    signal.aborted || standing.disabledFor !== undefined || progress.nextAt > now();

  /** A probe has succeeded: what waits is tried at once, which is no attempt of its schedule: else, a circuit that opens often would use that up. */
  function tryWaiting(): void {
    for (const device of waiting.values())
      keep({
        ...device,
        attempts: device.attempts > 1 ? device.attempts - 1 : device.attempts,
        nextAt: 0,
      });
  }

  function keep(device: Waiting): void {
    waiting.set(device.subject, device);
    changed.set(device.subject, device);
  }

  function letGo(subject: string): void {
    waiting.delete(subject);
    changed.set(subject, null);
  }

  const attempt = (events: readonly Pending[], options: SendOptions = {}): Promise<Attempted> =>
    attemptAll(
      {
        db,
        sink,
        destination,
        signal,
        now,
        isHeld,
        note: (outcome, sent) => standing.note(outcome, sent, options),
      },
      events,
      options,
    );

  /** Those events of entries that the destination has asked for and may have. Undefined if it is not to be served any more. */
  async function wanted(
    entries: readonly Entry[],
  ): Promise<
    { readonly selected: readonly Pending[]; readonly permission: Permission } | undefined
  > {
    const selected = select(entries);
    const permission = await readPermission(
      db,
      destination,
      plantsOf(selected.map(({ entry }) => entry)),
      now(),
    );
    return (
      permission && {
        selected: selected.filter(({ entry }) => permission.sinceOf(entry) !== undefined),
        permission,
      }
    );
  }

  function wait(
    { event, entry }: Pending,
    outcome: { readonly reason: string; readonly excerpt?: string },
    attempts: number,
  ): Waiting {
    const { reason, excerpt = null } = outcome;
    return {
      subject: event.subject,
      position: before(entry),
      sequence: event.sequence,
      attempts,
      nextAt: now() + (pauseAfter(attempts, random) ?? 0),
      reason,
      excerpt,
    };
  }

  /** The live stream: the next entries of the log, but for devices whose events wait. */
  async function goOn(entries: readonly Entry[]): Promise<Round> {
    const found = await wanted(entries);
    if (!found) return 'ended';
    const { selected, permission } = found;
    const live = selected.filter(
      ({ event }) => !waiting.has(event.subject) && !probed.has(event.id),
    );
    if (progress.probes > 0 && live.length > 0) {
      await probe(live);
      return 'more';
    }
    const attempted = attempt(live, { permission });
    pages.readAhead(entries);
    const { failed, untried } = await attempted;
    // What was not tried is read again, with all that comes after it.
    const stop = untried.reduce<Entry | undefined>(
      (first, { entry }) => (first && isAfter(entry, first) ? first : entry),
      undefined,
    );
    for (const { pending, outcome } of failed.values()) {
      if (!stop || !isAfter(pending.entry, stop)) keep(wait(pending, outcome, 1));
    }
    progress.position = stop ? before(stop) : { key: entries.at(-1)!.key, no: entries.at(-1)!.no };
    if (!stop) probed.clear();
    moved = true;
    return 'more';
  }

  /** Shows only whether the destination is back. A peer that refuses an event is there, and may take those of other devices: not all probes ask about the same. */
  async function probe(live: readonly Pending[]): Promise<void> {
    const subjects = new Set<string>();
    const firsts = live.filter(
      ({ event: { subject } }) => !subjects.has(subject) && subjects.add(subject),
    );
    const from = (((progress.probes - 1) >> 1) * PROBED_AT_ONCE) % firsts.length;
    for (const first of [...firsts.slice(from), ...firsts.slice(0, from)].slice(
      0,
      PROBED_AT_ONCE,
    )) {
      const { delivered } = await attempt([first], { isProbe: true });
      for (const { event } of delivered) probed.add(event.id);
      if (progress.probes === 0 || isHeld()) return;
    }
    standing.leaveAlone();
  }

  /** Events of a device that wait, up to where the live stream is; the one that has failed may be in the entry after that. */
  async function catchUp(device: Waiting): Promise<boolean> {
    const failedIn = (entry: Entry): boolean =>
      device.attempts > 0 && entry.no === device.position.no + 1;
    const entries = (await entriesOf(device)).filter(
      (entry) => !isAfter(entry, progress.position) || failedIn(entry),
    );
    const [first] = entries;
    if (!first) {
      letGo(device.subject);
      return true;
    }
    const found = await wanted(entries);
    if (!found) return false;
    const its = found.selected.filter(
      ({ entry, event }) =>
        event.subject === device.subject &&
        (entry.no !== device.position.no + 1 || event.sequence >= device.sequence),
    );
    // The one that has failed goes alone: if it fails again, it is known which it was.
    const [head, ...others] = its;
    const { failed, untried } = head
      ? await attempt([head], { atMost: 1, isRetry: device.attempts > 0 })
      : { failed: new Map(), untried: [] };
    const problem = failed.get(device.subject) as
      | { pending: Pending; outcome: { reason: string; excerpt?: string } }
      | undefined;
    if (problem) return (fail(device, problem.pending, problem.outcome), true);
    if (untried.length > 0) return true;
    const rest =
      progress.probes > 0 ? { failed: new Map(), untried: others } : await attempt(others);
    const next = rest.untried[0] ?? rest.failed.get(device.subject)?.pending;
    const { key, no } = entries.at(-1)!;
    if (!next) keep({ ...device, position: { key, no }, sequence: 0, attempts: 0, nextAt: 0 });
    else if (rest.failed.size > 0) keep(wait(next, rest.failed.get(device.subject)!.outcome, 1));
    else
      keep({
        ...device,
        position: before(next.entry),
        sequence: next.event.sequence,
        attempts: 0,
        nextAt: 0,
      });
    return true;
  }

  function fail(
    device: Waiting,
    pending: Pending,
    outcome: { readonly reason: string; readonly excerpt?: string },
  ): void {
    const next = wait(pending, outcome, device.attempts + 1);
    // A probe is no attempt of the event's own schedule.
    if (device.nextAt > now())
      return keep({ ...next, attempts: device.attempts, nextAt: device.nextAt });
    if (pauseAfter(next.attempts, random) !== undefined) return keep(next);
    deadLetters.push({ pending, reason: next.reason, excerpt: next.excerpt, at: now() });
    keep({ ...next, sequence: pending.event.sequence + 1, attempts: 0, nextAt: 0 });
  }

  async function entriesOf({ subject, position }: Waiting): Promise<Entry[]> {
    const bindings = await db
      .selectFrom('binding')
      .select('plantId')
      .distinct()
      .where('deviceId', '=', subject)
      .execute();
    if (bindings.length > 0) {
      const plantIds = bindings.map(({ plantId }) => plantId);
      return readEntriesOfPlants(db, position, plantIds, ENTRIES_AT_ONCE);
    }
    const plant = await db
      .selectFrom('plant')
      .select('id')
      .where('id', '=', subject)
      .executeTakeFirst();
    return plant
      ? readEntriesOfPlants(db, position, [subject], ENTRIES_AT_ONCE)
      : readEntriesOfAuthorizations(db, position, destination.applicationId, ENTRIES_AT_ONCE);
  }

  const byTime = (): Waiting[] => [...waiting.values()].toSorted((a, b) => a.nextAt - b.nextAt);

  return {
    destination,
    get position() {
      return progress.position;
    },
    get disabledFor() {
      return standing.disabledFor;
    },
    isHeld,
    get heldUntil() {
      return progress.nextAt;
    },
    get failingSince() {
      return progress.failingSince;
    },
    get awaitsSnapshot() {
      return progress.awaitsSnapshot;
    },
    goOnWithStream() {
      progress.awaitsSnapshot = false;
    },
    async round() {
      if (standing.disabledFor !== undefined || signal.aborted) return 'ended';
      if (progress.nextAt > now()) return { until: progress.nextAt };
      if (progress.awaitsSnapshot) return { until: null };
      const probing = progress.probes > 0;
      const due = byTime().filter(({ nextAt }) => probing || nextAt <= now());
      // In turns, so that devices which wait do not delay the live stream. Of probes, each may be of another run.
      if (due.length > 0 && (probing ? progress.probes : ++turn) % 2 === 1) {
        const caughtUp = await Promise.all(
          due.slice(0, probing ? 1 : WAITING_AT_ONCE).map(catchUp),
        );
        return caughtUp.every(Boolean) ? 'more' : 'ended';
      }
      const entries = await pages.after(progress.position);
      if (entries.length > 0) return goOn(entries);
      if (due.length > 0 && probing) return (await catchUp(due[0]!)) ? 'more' : 'ended';
      if (due.length > 0) return 'more';
      return { until: byTime()[0]?.nextAt ?? null };
    },
    again: async (events, options = { lanes: REPLAY_LANES }) => {
      const { length } = events;
      return length === 0
        ? { failed: new Map(), untried: [], delivered: [], withheld: [] }
        : attempt(events, { ...options, isBeside: true });
    },
    takeChanges(all) {
      if (!standing.hasNews && changed.size === 0 && !(all && moved)) return undefined;
      const { position, probes, nextAt, failingSince, outcomes } = progress;
      const changes: Changes = {
        destinationId: destination.id,
        progress: { position, probes, nextAt, failingSince, outcomes },
        ...standing.takeNews(),
        waiting: new Map(changed),
        deadLetters,
      };
      deadLetters = [];
      moved = false;
      changed.clear();
      return changes;
    },
  };
}
