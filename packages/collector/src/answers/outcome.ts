import type { DroppedValue, Outcome, ReportOutcome } from '../report.ts';
import { isCount, membersOf, type Members } from './shapes.ts';

/** More than a report can have of anything. */
const LISTED_AT_MOST = 100_000;

/** The outcome of a report or of results; undefined if it is none, so that nobody takes them for stored. */
export function outcomeIn(value: unknown): ReportOutcome | undefined {
  const members = membersOf(value);
  const own = members && plainOutcome(members);
  if (!members || !own) return undefined;
  const { receivedAt, droppedCount, dropped, alarms, devices } = members;
  const parts = { alarms: partOf(alarms), devices: partOf(devices) };
  if (parts.alarms === false || parts.devices === false) return undefined;
  if (dropped !== undefined && !isListOf(dropped, isDropped)) return undefined;
  if (receivedAt !== undefined && !isCount(receivedAt)) return undefined;
  if (droppedCount !== undefined && !isCount(droppedCount)) return undefined;
  return {
    ...own,
    ...(dropped !== undefined && { dropped }),
    ...(droppedCount !== undefined && { droppedCount }),
    ...(receivedAt !== undefined && { receivedAt }),
    ...(parts.alarms && { alarms: parts.alarms }),
    ...(parts.devices && { devices: parts.devices }),
  };
}

function plainOutcome({ accepted, duplicate, refused }: Members): Outcome | undefined {
  return isCount(accepted) && isCount(duplicate) && isListOf(refused, isRefusal)
    ? { accepted, duplicate, refused }
    : undefined;
}

/** False if it is there, but no outcome. */
function partOf(value: unknown): Outcome | undefined | false {
  if (value === undefined) return undefined;
  const members = membersOf(value);
  return (members && plainOutcome(members)) ?? false;
}

const isListOf = <T>(list: unknown, isOne: (one: unknown) => one is T): list is readonly T[] =>
  Array.isArray(list) && list.length <= LISTED_AT_MOST && list.every(isOne);

const isRefusal = (one: unknown): one is Outcome['refused'][number] => {
  const members = membersOf(one);
  return isCount(members?.['index']) && typeof members['reason'] === 'string';
};

const isDropped = (one: unknown): one is DroppedValue =>
  isRefusal(one) && typeof membersOf(one)?.['quantity'] === 'string';
