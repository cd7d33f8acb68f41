/** A value of a reading that was not stored, while the others were. */
export interface Dropped {
  /** Index of the reading in the list that was provided. */
  readonly index: number;
  readonly sn: string;
  readonly quantity: string;
  readonly reason: string;
}

/** Values that were dropped. */
export interface DroppedValues {
  readonly count: number;
  /** The first ones, ascending by index. */
  readonly first: readonly Dropped[];
}

export const NOTHING_DROPPED: DroppedValues = { count: 0, first: [] };

/** How many are named: a report of nothing but such values would have an answer longer than itself. */
export const NAMED_AT_MOST = 1_000;

/** Adds a dropped value to a list, or counts it if the list is full. */
export function drop(to: { count: number; first: Dropped[] }, one: Dropped): void {
  to.count += 1;
  if (to.first.length < NAMED_AT_MOST) to.first.push(one);
}

/** All that was dropped in parts of a report. */
export function droppedTogether(parts: readonly DroppedValues[]): DroppedValues {
  const some = parts.filter(({ count }) => count > 0);
  if (some.length <= 1) return some[0] ?? NOTHING_DROPPED;
  return {
    count: some.reduce((sum, { count }) => sum + count, 0),
    first: some
      .flatMap(({ first }) => first)
      .toSorted((a, b) => a.index - b.index)
      .slice(0, NAMED_AT_MOST),
  };
}

/** Why values that were dropped are remembered for a collector. */
export const asRefusals = ({
  first,
}: DroppedValues): { readonly sn: string; readonly reason: string }[] =>
  first.map(({ sn, quantity, reason }) => ({ sn, reason: `${quantity} was dropped: ${reason}` }));

/** What an answer says of dropped values: nothing if there are none. */
export const droppedAnswerOf = ({
  count,
  first,
}: DroppedValues): {
  dropped?: readonly Omit<Dropped, 'sn'>[];
  droppedCount?: number;
} => ({
  ...(count > 0 && {
    dropped: first.map(({ index, quantity, reason }) => ({ index, quantity, reason })),
  }),
  ...(count > first.length && { droppedCount: count }),
});
