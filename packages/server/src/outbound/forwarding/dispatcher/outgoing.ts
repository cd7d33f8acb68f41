import type { Entry, LoggedEvent } from '../../../platform/events/read.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { OutgoingEvent } from '../../sinks/sink.ts';

/** An event of the log that a destination is to get. */
export interface Pending {
  readonly entry: Entry;
  readonly event: LoggedEvent;
}

/** A sequence goes on after a time without access: what came in between is none of the application's business, and no gap. */
const isResumed = ({ sequence, previousAt }: LoggedEvent, since: Instant): boolean =>
  sequence > 1 && previousAt < since;

// Destinations that share entries share what is sent. By entry, since each key of a weak map is work for the garbage collector.
const shared = new WeakMap<Entry, Map<LoggedEvent, OutgoingEvent>>();

/** An event as it is sent. `since`: since when the destination has had access to its plant. */
export function outgoingOf({ entry, event }: Pending, since: Instant): OutgoingEvent {
  if (isResumed(event, since)) return made(entry, event, true);
  let ofEntry = shared.get(entry);
  if (!ofEntry) shared.set(entry, (ofEntry = new Map()));
  let outgoing = ofEntry.get(event);
  if (!outgoing) ofEntry.set(event, (outgoing = made(entry, event, false)));
  return outgoing;
}

function made(
  { recordedAt, plantId }: Entry,
  { id, kind, version, sequence, occurredAt, sn: deviceSn, data }: LoggedEvent,
  resumed: boolean,
): OutgoingEvent {
  // As ForwardedEvent, ready: half the time of JSON.stringify. Only a serial number may hold what has to be escaped.
  const head = `"id":"${id}","kind":"${kind}","version":${version},"sequence":${sequence}${resumed ? ',"resumed":true' : ''}`;
  const origin = `"plantId":${plantId === null ? 'null' : `"${plantId}"`},"deviceSn":${JSON.stringify(deviceSn)}`;
  const body = `{${head},"occurredAt":${occurredAt},"recordedAt":${recordedAt},${origin},"data":${data()}}`;
  return { id, sequence, kind, version, occurredAt, plantId: plantId ?? '-', deviceSn, body };
}
