import { GAP_MS, energyValue, type CounterDay } from './counter.ts';
import type { ChannelState } from './day-state.ts';

/**
 * Adds a channel's power (W, 0 or more) to the day's integral. `isFirst`: the channel was never reported before.
 * @returns the part that belongs to the day before, W x ms
 */
export function stepPower(
  channel: ChannelState,
  powerW: number,
  at: number,
  { startAt, steps }: CounterDay,
  isFirst: boolean,
): number {
  const lastAt = channel.power?.lastAt ?? at;
  const areaWms = channel.power?.areaWms ?? 0;
  const share = integrate(channel, powerW, at, startAt, isFirst);
  const trace = channel.power!;
  if (steps)
    trace.amountWms += energyValue(trace.areaWms - areaWms, steps, Math.max(lastAt, startAt), at);
  return share;
}

/** The area between two powers, W x ms. A whole number, so that sums are exact in any order; a day of 2,880 samples is off by less than a milliwatt-hour. */
export const areaBetween = (fromW: number, toW: number, elapsedMs: number): number =>
  Math.round(((fromW + toW) / 2) * elapsedMs);

/** Adds the area between the last power and this one, split at midnight. Returns the part that belongs to the day before, W x ms. */
function integrate(
  channel: ChannelState,
  powerW: number,
  at: number,
  startAt: number,
  isFirst: boolean,
): number {
  const trace = channel.power;
  if (!trace) {
    channel.power = {
      lastW: powerW,
      lastAt: at,
      areaWms: 0,
      amountWms: 0,
      seen: true,
      paired: !isFirst,
    };
    return 0;
  }
  const { lastW, lastAt } = trace;
  const elapsed = at - lastAt;
  trace.seen = true;
  trace.lastW = powerW;
  trace.lastAt = at;
  trace.paired = true;
  if (elapsed > GAP_MS) return 0;
  if (lastAt >= startAt) {
    trace.areaWms += areaBetween(lastW, powerW, elapsed);
    return 0;
  }
  const midnightW = lastW + ((powerW - lastW) * (startAt - lastAt)) / elapsed;
  trace.areaWms += areaBetween(midnightW, powerW, at - startAt);
  return areaBetween(lastW, midnightW, startAt - lastAt);
}
