import type { ForwardedEvent } from '@helioport/contract';
import type { Entry, LoggedEvent } from '../../events/read.ts';
import type { Instant } from '../../storage/database.ts';
import type { OutgoingEvent } from '../sinks/sink.ts';

/** An event of the log that a destination is to get. */
export interface Pending {
  readonly entry: Entry;
  readonly event: LoggedEvent;
}

/** A sequence goes on after a time without access: what came in between is none of the application's business, and no gap. */
const isResumed = ({ sequence, previousAt }: LoggedEvent, since: Instant): boolean => sequence > 1 && previousAt < since;

// Destinations that share entries share their texts. By entry, since each key of a weak map is work for the garbage collector.
const texts = new WeakMap<Entry, Map<LoggedEvent, string>>();

/** An event as it is sent. `since`: since when the destination has had access to its plant. */
export function outgoingOf({ entry, event }: Pending, since: Instant): OutgoingEvent {
  const { id, kind, version, sequence, occurredAt, sn: deviceSn } = event;
  const head = { id, sequence, kind, version, occurredAt, plantId: entry.plantId ?? '-', deviceSn };
  if (isResumed(event, since)) return { ...head, body: textOf(entry, event, true) };
  let ofEntry = texts.get(entry);
  if (!ofEntry) texts.set(entry, (ofEntry = new Map()));
  let body = ofEntry.get(event);
  if (body === undefined) ofEntry.set(event, (body = textOf(entry, event, false)));
  return { ...head, body };
}

function textOf({ recordedAt, plantId }: Entry, { id, kind, version, sequence, occurredAt, sn: deviceSn, data }: LoggedEvent, resumed: boolean): string {
  const event: ForwardedEvent = { id, kind, version, sequence, ...(resumed && { resumed }), occurredAt, recordedAt, plantId, deviceSn, data };
  return JSON.stringify(event);
}
