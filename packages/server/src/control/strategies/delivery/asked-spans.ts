import type { AskedPayload, PlanInterval } from '@helioport/contract';
import type { Zones } from '../../../platform/calendar/plant-calendar.ts';
import { occurrences } from '../plan/occurrences.ts';
import { allowedSpans } from '../plan/slot-uses.ts';
import type { OwnerLimits } from '../plan/owner-limits.ts';

/** What a device was asked from an instant on, until the next entry. */
export interface AskedSince {
  readonly fromAt: number;
  /** Nothing, a day plan, or a share of a set point, W, + is export. */
  readonly asked:
    | null
    | { readonly intervals: readonly PlanInterval[] }
    | { readonly powerW: number };
}

/** A stretch of time in which a device was asked for one thing. */
export interface AskedSpan {
  readonly fromAt: number;
  /** Excluded. */
  readonly toAt: number;
  readonly payload: AskedPayload;
  /** W, + is export; null if no power was asked for, as with self-use. */
  readonly powerW: number | null;
}

/** What a device was asked between two instants, in order. @param history ascending */
export function askedSpans(
  history: readonly AskedSince[],
  { zones, limits }: { readonly zones: Zones; readonly limits: OwnerLimits },
  fromAt: number,
  toAt: number,
): AskedSpan[] {
  return history.flatMap(({ fromAt: sinceAt, asked }, i): AskedSpan[] => {
    const [from, to] = [
      Math.max(fromAt, sinceAt),
      Math.min(toAt, history[i + 1]?.fromAt ?? Infinity),
    ];
    if (asked === null || from >= to) return [];
    if ('powerW' in asked)
      return [{ fromAt: from, toAt: to, payload: 'setPoint', powerW: asked.powerW }];
    const { intervals } = asked;
    return occurrences(zones, allowedSpans(intervals, limits), from, to).map(
      ({ index, ...span }) => ({ ...span, ...askedOf(intervals[index]!) }),
    );
  });
}

function askedOf({ payload }: PlanInterval): Pick<AskedSpan, 'payload' | 'powerW'> {
  switch (payload.type) {
    case 'charge':
      return { payload: payload.type, powerW: -1000 * payload.powerKw };
    case 'discharge':
      return { payload: payload.type, powerW: 1000 * payload.powerKw };
    case 'hold':
      return { payload: payload.type, powerW: 0 };
    default:
      return { payload: payload.type, powerW: null };
  }
}

/** Spans that follow one another without a pause, as one. @param spans ascending */
export function stretches(
  spans: readonly Pick<AskedSpan, 'fromAt' | 'toAt'>[],
): { readonly fromAt: number; readonly toAt: number }[] {
  const joined: { fromAt: number; toAt: number }[] = [];
  for (const { fromAt, toAt } of spans) {
    const last = joined.at(-1);
    if (last && last.toAt >= fromAt) last.toAt = Math.max(last.toAt, toAt);
    else joined.push({ fromAt, toAt });
  }
  return joined;
}
