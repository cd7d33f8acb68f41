/** Prices over a period: `prices[i]` applies from `fromAts[i]` to the next. The first price also applies before its instant, and the last one has no end. */
export interface PriceSteps {
  readonly fromAts: readonly number[];
  readonly prices: readonly number[];
}

/** The time-weighted mean price from one instant to another; if they are equal, the price at that instant. */
export function meanPrice({ fromAts, prices }: PriceSteps, fromAt: number, toAt: number): number {
  let i = 0;
  while (i + 1 < fromAts.length && fromAts[i + 1]! <= fromAt) i += 1;
  if (i + 1 === fromAts.length || fromAts[i + 1]! >= toAt) return prices[i]!;
  let sum = 0;
  for (let at = fromAt; at < toAt; i += 1) {
    const end = i + 1 < fromAts.length ? Math.min(fromAts[i + 1]!, toAt) : toAt;
    sum += prices[i]! * (end - at);
    at = end;
  }
  return sum / (toAt - fromAt);
}
