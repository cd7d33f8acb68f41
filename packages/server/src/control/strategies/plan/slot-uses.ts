import type { PlanInterval } from '@helioport/contract';
import type { OwnerLimits } from './owner-limits.ts';
import {
  ampsOf,
  MODE,
  mostAmpsOf,
  NO_SLOTS,
  PARAMETERS,
  SLOTS,
  THREE_SLOTS,
  type PlannedDevice,
  type SlotScheme,
} from './planned-device.ts';
import {
  DAY_MINUTES,
  firstOverlap,
  modulo,
  outside,
  WEEK_MINUTES,
  weekSpans,
  type Hours,
  type WeekSpan,
} from './week-spans.ts';

/** The values of parameters before a strategy, by id. */
export type FormerSettings = ReadonlyMap<string, string>;

export type SlotKind = keyof typeof SLOTS;

/** Hours of the day for which a device needs a time slot. */
export interface SlotUse {
  readonly kind: SlotKind;
  /** Position of the interval in the plan; null for a slot that the owner had set. */
  readonly index: number | null;
  readonly amps: number;
  readonly socPercent: number;
  /** Minutes of the day; the end may be on the next one. Never a whole day, which slots cannot express. */
  readonly fromMinute: number;
  readonly toMinute: number;
  /** On which days it is due. */
  readonly spans: readonly WeekSpan[];
}

/** What an interval or a slot of the owner's asks of the battery. */
type Order = Pick<SlotUse, 'kind' | 'index' | 'amps' | 'socPercent'>;

/** When the plan applies, without the hours in which the owner allows no strategy. */
export const allowedSpans = (
  intervals: readonly PlanInterval[],
  { quietHours }: OwnerLimits,
): WeekSpan[] => outside(weekSpans(intervals), weekSpans(quietHours));

/**
 * Everything for which a device needs time slots: the plan's intervals, in the order of their hours, and then the slots that the owner had set, as far
 * as the plan leaves their hours alone. Undefined if the slots may stay as they are.
 */
export function slotUses(
  intervals: readonly PlanInterval[],
  limits: OwnerLimits,
  device: PlannedDevice,
  scheme: SlotScheme,
  former: FormerSettings,
): SlotUse[] | undefined {
  const spans = allowedSpans(intervals, limits);
  const orders = intervals.map((interval, index) => orderOf(interval, index, limits, device));
  const planned = usesOf(
    spans.filter(({ index }) => orders[index]),
    (index) => orders[index]!,
  );
  const own = ownSlots(intervals, scheme, former);
  const ownSpans = weekSpans(own.map(({ hours }) => hours));
  const changing = spans.filter(({ index }) => intervals[index]!.payload.type !== 'off');
  if (planned.length === 0 && !firstOverlap(ownSpans, changing)) return undefined;
  return [...planned, ...usesOf(outside(ownSpans, changing), (index) => own[index]!.order)];
}

function orderOf(
  { payload }: PlanInterval,
  index: number,
  { reserveSocPercent }: OwnerLimits,
  device: PlannedDevice,
): Order | undefined {
  // Currents are whole amperes. Rounding down keeps to the power that was asked for; what is added allows for binary fractions. What was possible at the
  // nominal voltage may take more than the highest current at a lower one.
  const amps =
    'powerKw' in payload
      ? Math.min(mostAmpsOf(device), Math.floor(ampsOf(payload.powerKw * 1000, device) + 1e-6))
      : 0;
  switch (payload.type) {
    case 'charge':
      return { kind: 'charge', index, amps, socPercent: payload.socPercent };
    case 'discharge':
      return {
        kind: 'discharge',
        index,
        amps,
        socPercent: Math.max(payload.socPercent, Math.ceil(reserveSocPercent ?? 0)),
      };
    // A slot without a current: the battery is charged with nothing, and serves nothing else.
    case 'hold':
      return { kind: 'charge', index, amps: 0, socPercent: 100 };
    default:
      return undefined;
  }
}

/** Spans of the same hours on different days need one slot. */
function usesOf(spans: readonly WeekSpan[], orderAt: (index: number) => Order): SlotUse[] {
  const halves = spans.flatMap((span) => {
    if (span.toMinute - span.fromMinute < DAY_MINUTES) return [span];
    const noon = span.fromMinute + DAY_MINUTES / 2;
    return [
      { ...span, toMinute: noon },
      { ...span, fromMinute: noon },
    ];
  });
  const groups = Map.groupBy(
    halves,
    ({ index, fromMinute, toMinute }) =>
      `${index} ${modulo(fromMinute, DAY_MINUTES)} ${toMinute - fromMinute}`,
  );
  return [...groups.values()]
    .map((days) => {
      const [{ index, fromMinute, toMinute }] = days as [WeekSpan];
      const from = modulo(fromMinute, DAY_MINUTES);
      return {
        ...orderAt(index),
        fromMinute: from,
        toMinute: from + toMinute - fromMinute,
        spans: days,
      };
    })
    .toSorted((a, b) => a.fromMinute - b.fromMinute);
}

interface OwnSlot {
  readonly hours: Hours;
  readonly order: Order;
}

/** The slots that were in force before the strategy. */
function ownSlots(
  intervals: readonly PlanInterval[],
  scheme: SlotScheme,
  former: FormerSettings,
): OwnSlot[] {
  const mode = Number(former.get(PARAMETERS.storageMode) ?? 0);
  if ((mode & MODE.timeOfUse) === 0) return [];
  const found = scheme === 'six' ? sixSlots(former) : threeSlots(former);
  // Devices have one switch for charging from the grid. If the plan needs it and the owner had it off, the owner's slots would charge from the grid, too.
  const wouldCharge =
    (mode & MODE.gridCharging) === 0 && intervals.some(({ payload }) => payload.type === 'charge');
  return found.filter(
    ({ hours: { start, end }, order: { kind } }) =>
      start !== end && !(wouldCharge && kind === 'charge'),
  );
}

const hoursOf = (slot: string): Hours => {
  const [start = '00:00', end = '00:00'] = slot.split('-');
  return { start, end };
};

const sixSlots = (former: FormerSettings): OwnSlot[] =>
  (['charge', 'discharge'] as const).flatMap((kind) =>
    SLOTS[kind].flatMap(({ toggle, time, amps, socPercent }) => {
      if (former.get(toggle) !== '1') return [];
      const numberOf = (parameter: string): number => Number(former.get(parameter) ?? 0);
      return [
        {
          hours: hoursOf(former.get(time) ?? ''),
          order: { kind, index: null, amps: numberOf(amps), socPercent: numberOf(socPercent) },
        },
      ];
    }),
  );

function threeSlots(former: FormerSettings): OwnSlot[] {
  const fields = (former.get(THREE_SLOTS) ?? NO_SLOTS).split(',');
  return Array.from({ length: Math.floor(fields.length / 4) }, (_, i) =>
    fields.slice(4 * i, 4 * i + 4),
  ).flatMap(([charge = '0', discharge = '0', charging = '', discharging = '']): OwnSlot[] => [
    {
      hours: hoursOf(charging),
      order: { kind: 'charge', index: null, amps: Number(charge), socPercent: 100 },
    },
    {
      hours: hoursOf(discharging),
      order: { kind: 'discharge', index: null, amps: Number(discharge), socPercent: 0 },
    },
  ]);
}

/** A use that is due within a day, and the minutes until its end. */
export interface DueUse {
  readonly use: SlotUse;
  readonly minutesLeft: number;
}

/**
 * Which uses may be in a device's slots at a minute of the week. Slots are repeated every day, so hours of some days only are put in during the 24 hours
 * before their end. Whatever is due on each day is always among them.
 */
export const dueUses = (uses: readonly SlotUse[], weekMinute: number): DueUse[] =>
  uses.flatMap((use) => {
    const ends = use.spans.map(
      ({ toMinute }) => modulo(toMinute - weekMinute, WEEK_MINUTES) || WEEK_MINUTES,
    );
    const minutesLeft = Math.min(...ends);
    return minutesLeft <= DAY_MINUTES ? [{ use, minutesLeft }] : [];
  });
