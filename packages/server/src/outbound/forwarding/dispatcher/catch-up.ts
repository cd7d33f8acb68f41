import { isAfter } from '../../../platform/events/position.ts';
import {
  readEntriesOfAuthorizations,
  readEntriesOfPlants,
  type Entry,
} from '../../../platform/events/read.ts';
import type { DeliveryAttempt } from './attempts.ts';
import { stuckAt } from './live.ts';
import type { Pending } from './outgoing.ts';
import { ENTRIES_AT_ONCE } from './pages.ts';
import { before } from './permission.ts';
import type { StreamHead, WaitingDevice } from './progress.ts';
import type { EventSending } from './sending.ts';

/** Tries the events of a device that wait, up to where the live stream is. Resolves to false if the destination is not to be served any more. */
export async function catchUp(sending: EventSending, device: WaitingDevice): Promise<boolean> {
  const { stream, attempt } = sending;
  const { subject } = device;
  const entries = await entriesOf(sending, device);
  const last = entries.at(-1);
  if (!last) {
    stream.happened({ is: 'advanced', key: subject, head: null });
    return true;
  }
  const events = await eventsOf(sending, device, entries);
  if (!events) return false;
  // The one that has failed goes alone: if it fails again, it is known which it was.
  const [first, ...others] = events;
  const { failed, untried } = first
    ? await attempt([first], { atMost: 1, isRetry: device.attempts > 0 })
    : NONE;
  const problem = failed.get(subject);
  if (problem) stream.happened(stuckAt(problem.pending, problem.outcome), problem.pending);
  if (problem || untried.length > 0) return true;
  const rest =
    stream.state.health.probes > 0
      ? { failed: NONE.failed, untried: others }
      : await attempt(others);
  const stop = rest.failed.get(subject);
  const next = rest.untried[0] ?? stop?.pending;
  const head: StreamHead = next
    ? { subject, position: before(next.entry), sequence: next.event.sequence }
    : { subject, position: { key: last.key, no: last.no }, sequence: 0 };
  stream.happened({ is: 'advanced', key: subject, head });
  if (next && stop) stream.happened(stuckAt(next, stop.outcome), next);
  return true;
}

const NONE: Pick<DeliveryAttempt, 'failed' | 'untried'> = { failed: new Map(), untried: [] };

/** Of the entries, the device's own events that wait. */
async function eventsOf(
  { wanted }: EventSending,
  { subject, position, sequence }: WaitingDevice,
  entries: readonly Entry[],
): Promise<Pending[] | undefined> {
  const found = await wanted(entries);
  return found?.selected.filter(
    ({ entry, event }) =>
      event.subject === subject && (entry.no !== position.no + 1 || event.sequence >= sequence),
  );
}

/** Entries that may have events of a device, up to where the live stream is; the one that has failed may be in the entry after that. */
async function entriesOf(
  { db, stream }: EventSending,
  { subject, position, attempts }: WaitingDevice,
): Promise<Entry[]> {
  const bindings = await db
    .selectFrom('binding')
    .select('plantId')
    .distinct()
    .where('deviceId', '=', subject)
    .execute();
  const plantIds = bindings.map(({ plantId }) => plantId);
  const isPlant =
    plantIds.length === 0 &&
    (await db.selectFrom('plant').select('id').where('id', '=', subject).executeTakeFirst());
  const entries =
    plantIds.length > 0 || isPlant
      ? await readEntriesOfPlants(db, position, isPlant ? [subject] : plantIds, ENTRIES_AT_ONCE)
      : await readEntriesOfAuthorizations(
          db,
          position,
          stream.destination.applicationId,
          ENTRIES_AT_ONCE,
        );
  return entries.filter(
    (entry) => !isAfter(entry, stream.position) || (attempts > 0 && entry.no === position.no + 1),
  );
}
