import {
  INTERVALS_AT_MOST,
  payloadTypes,
  weekDays,
  type PayloadType,
  type PlanInterval,
  type StrategyPayload,
  type WeekDay,
} from '@helioport/contract';
import { planFault, hoursText, inInterval, type PlanFault } from './plan-fault.ts';
import { firstOverlap, weekSpans } from './week-spans.ts';

/** The intervals of a day plan as an application sent them; without faults, all of them. */
export interface ReadPlan {
  readonly intervals: readonly PlanInterval[];
  readonly faults: readonly PlanFault[];
}

/** Parameters of each kind of payload. */
const PAYLOADS: { readonly [Type in PayloadType]: readonly ('socPercent' | 'powerKw')[] } = {
  charge: ['socPercent', 'powerKw'],
  discharge: ['socPercent', 'powerKw'],
  selfUse: [],
  hold: [],
  exportLimit: ['powerKw'],
  off: [],
};
const POWER_AT_MOST_KW = 1_000;

/** Reads the intervals of a day plan, and finds everything that is wrong with them on any device. */
export function readPlan(given: unknown): ReadPlan {
  if (!Array.isArray(given) || given.length === 0 || given.length > INTERVALS_AT_MOST)
    return {
      intervals: [],
      faults: [planFault(null, 'intervals', `a list of 1 to ${INTERVALS_AT_MOST} intervals`)],
    };
  const read = given.map((interval: unknown, i) => readInterval(interval, i));
  const faults = read.flatMap((one) => one.faults);
  const intervals = read.map((one) => one.interval);
  if (faults.length > 0) return { intervals: [], faults };
  const overlap = firstOverlap(weekSpans(intervals));
  if (!overlap) return { intervals, faults: [] };
  const { span, other } = overlap;
  return {
    intervals: [],
    faults: [
      planFault(
        span.index,
        'start',
        `hours outside of those of interval ${other.index} (${hoursText(intervals[other.index]!)})`,
        intervals,
      ),
    ],
  };
}

interface ReadInterval {
  readonly interval: PlanInterval;
  readonly faults: readonly PlanFault[];
}

function readInterval(given: unknown, i: number): ReadInterval {
  const faults: PlanFault[] = [];
  let hours = '';
  const refuse = (field: string, expected: string): void =>
    void faults.push(planFault(i, field, expected + hours));
  const { days, start, end, payload } = fieldsOf(
    given,
    ['days', 'start', 'end', 'payload'],
    (expected) => refuse('', expected),
  );
  const isStart = isClock(start, '23:59');
  const isEnd = isClock(end, '24:00');
  if (isStart && isEnd) hours = inInterval({ start: start as string, end: end as string });
  if (!isStart) refuse('start', 'a time of day from 00:00 to 23:59');
  if (!isEnd) refuse('end', 'a time of day from 00:00 to 24:00');
  if (isStart && start === end)
    refuse('end', 'a time other than the start; for the whole day, 00:00 to 24:00');
  if (days !== undefined && !isDays(days))
    refuse('days', `a list of ${weekDays.join(', ')}, each once`);
  const read = readPayload(payload, refuse);
  return {
    interval: {
      ...(days !== undefined && { days: days as WeekDay[] }),
      start: start as string,
      end: end as string,
      payload: read,
    },
    faults: isObject(given) ? faults : faults.slice(0, 1),
  };
}

function readPayload(
  given: unknown,
  refuse: (field: string, expected: string) => void,
): StrategyPayload {
  const { type, ...parameters } = fieldsOf(given, ['type', 'socPercent', 'powerKw'], (expected) =>
    refuse('payload', expected),
  );
  const known = payloadTypes.find((one) => one === type);
  if (known === undefined) {
    if (isObject(given)) refuse('payload.type', `one of ${payloadTypes.join(', ')}`);
    return { type: 'selfUse' };
  }
  const { socPercent, powerKw } = parameters;
  for (const name of ['socPercent', 'powerKw'] as const) {
    if (!PAYLOADS[known].includes(name) && parameters[name] !== undefined)
      refuse(`payload.${name}`, `nothing: ${known} has none`);
  }
  // Devices keep whole percent.
  if (
    PAYLOADS[known].includes('socPercent') &&
    !(Number.isInteger(socPercent) && isBetween(1, 100, socPercent))
  )
    refuse('payload.socPercent', 'a whole number from 1 to 100');
  if (known === 'exportLimit' && !isBetween(0, POWER_AT_MOST_KW, powerKw))
    refuse('payload.powerKw', `a power in kW from 0 to ${POWER_AT_MOST_KW}`);
  if (
    (known === 'charge' || known === 'discharge') &&
    !(isBetween(0, POWER_AT_MOST_KW, powerKw) && powerKw !== 0)
  )
    refuse(
      'payload.powerKw',
      `a power in kW above 0, at most ${POWER_AT_MOST_KW}; hold keeps the battery still`,
    );
  return {
    type: known,
    ...Object.fromEntries(PAYLOADS[known].map((name) => [name, parameters[name]])),
  } as StrategyPayload;
}

/** The fields of an object; whatever else it has is a misspelt name, and refused. */
function fieldsOf<Name extends string>(
  given: unknown,
  names: readonly Name[],
  refuse: (expected: string) => void,
): { readonly [N in Name]?: unknown } {
  if (!isObject(given)) {
    refuse(`an object of ${names.join(', ')}`);
    return {};
  }
  if (Object.keys(given).some((name) => !(names as readonly string[]).includes(name)))
    refuse(`nothing but ${names.join(', ')}`);
  return given;
}

const isObject = (given: unknown): given is object =>
  typeof given === 'object' && given !== null && !Array.isArray(given);
const isClock = (given: unknown, last: string): boolean =>
  typeof given === 'string' && /^([01]\d|2[0-4]):[0-5]\d$/.test(given) && given <= last;
const isBetween = (least: number, most: number, given: unknown): boolean =>
  typeof given === 'number' && given >= least && given <= most;
const isDays = (given: unknown): boolean =>
  Array.isArray(given) &&
  given.length > 0 &&
  given.every((day) => weekDays.includes(day as WeekDay)) &&
  new Set(given).size === given.length;
