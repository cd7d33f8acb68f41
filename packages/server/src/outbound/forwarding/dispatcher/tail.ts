import type { ForwardedEvent, Tail } from '@helioport/contract';
import { settledPosition, type Position } from '../../../platform/events/position.ts';
import { readEntries } from '../../../platform/events/read.ts';
import { invalidValue } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import type { Destination } from '../destinations/destinations.ts';
import { createFilter } from './filter.ts';
import { outgoingOf } from './outgoing.ts';
import { plantsOf, readPermission } from './permission.ts';

/** Entries of the log that one call looks at. */
const ENTRIES_AT_ONCE = 50;

/**
 * What a destination gets of the log after a cursor, in the order in which it is sent, whether it has arrived or not; without a cursor, where the log ends
 * now. Looking disturbs no delivery. Nothing is shown that it may not get at this moment, nor of one that is paused. Throws invalidValue.
 */
export async function readTail(
  db: Db,
  destination: Destination,
  after: string | undefined,
  now: Instant,
): Promise<Tail> {
  const from = after === undefined ? await settledPosition(db) : positionOf(after);
  const entries = after === undefined ? [] : await readEntries(db, from, ENTRIES_AT_ONCE);
  const selected = createFilter(destination)(entries);
  const permission = await readPermission(
    db,
    destination,
    plantsOf(selected.map(({ entry }) => entry)),
    now,
  );
  const events = selected.flatMap((pending): ForwardedEvent[] => {
    const since = permission?.sinceOf(pending.entry);
    return since === undefined
      ? []
      : [JSON.parse(outgoingOf(pending, since).body) as ForwardedEvent];
  });
  return { cursor: textOf(entries.at(-1) ?? from), events };
}

const textOf = ({ key, no }: Position): string => `${key}-${no}`;

function positionOf(cursor: string): Position {
  const [, key, no] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (key === undefined || no === undefined)
    throw invalidValue('after', 'the cursor of an earlier answer');
  return { key: Number(key), no: Number(no) };
}
