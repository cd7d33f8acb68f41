import { isAfter } from '../../../platform/events/position.ts';
import type { Entry } from '../../../platform/events/read.ts';
import type { NotDelivered } from '../../delivery/machine.ts';
import type { Pending } from './outgoing.ts';
import { before } from './permission.ts';
import type { EventSending } from './sending.ts';

/** A peer that refuses a probe is asked about so many devices. */
const PROBED_AT_ONCE = 8;

/**
 * Sends the next entries of the live stream, but for devices whose events wait. `onBegun` is called once they are on their way. Resolves to false if the
 * destination is not to be served any more.
 */
export async function sendLive(
  sending: EventSending,
  entries: readonly Entry[],
  onBegun: () => void,
): Promise<boolean> {
  const { stream, wanted, attempt } = sending;
  const { waiting } = stream.state;
  const found = await wanted(entries);
  if (!found) return false;
  const live = found.selected.filter(
    ({ event }) => !waiting.has(event.subject) && !stream.probed.has(event.id),
  );
  if (stream.state.health.probes > 0 && live.length > 0) {
    await probe(sending, live);
    return true;
  }
  const attempted = attempt(live, { permission: found.permission });
  onBegun();
  const { failed, untried } = await attempted;
  // What was not tried is read again, with all that comes after it.
  const stop = untried.reduce<Entry | undefined>(
    (first, { entry }) => (first && isAfter(entry, first) ? first : entry),
    undefined,
  );
  for (const { pending, outcome } of failed.values())
    if (!stop || !isAfter(pending.entry, stop)) stream.happened(stuckAt(pending, outcome), pending);
  const last = entries.at(-1)!;
  stream.position = stop ? before(stop) : { key: last.key, no: last.no };
  if (!stop) stream.probed.clear();
  return true;
}

/** Shows only whether the destination is back. A peer that refuses an event is there, and may take those of other devices: not all probes ask about the same. */
async function probe({ stream, attempt }: EventSending, live: readonly Pending[]): Promise<void> {
  const subjects = new Set<string>();
  const firsts = live.filter(
    ({ event: { subject } }) => !subjects.has(subject) && subjects.add(subject),
  );
  const from = (((stream.state.health.probes - 1) >> 1) * PROBED_AT_ONCE) % firsts.length;
  const turn = [...firsts.slice(from), ...firsts.slice(0, from)].slice(0, PROBED_AT_ONCE);
  for (const first of turn) {
    const { delivered } = await attempt([first], { isProbe: true });
    for (const { event } of delivered) stream.probed.add(event.id);
    if (stream.state.health.probes === 0 || stream.isHeld()) return;
  }
  stream.happened({ is: 'probesRefused' });
}

/** An event that was not taken: the events of its device wait from there on. Given up, it is passed over. */
export const stuckAt = (
  { entry, event: { subject, sequence } }: Pending,
  outcome: NotDelivered,
) => {
  const head = { subject, position: before(entry), sequence };
  const beyond = { ...head, sequence: sequence + 1 };
  return { is: 'stuck', key: subject, head, beyond, outcome } as const;
};
