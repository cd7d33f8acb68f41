/** One curve of a chart. */
export interface ChartSeries {
  readonly key: string;
  readonly label: string;
  /** Its name in tables and files, where that says more. */
  readonly name?: string;
  /** The unit of the values: W and kWh are scaled for people, others are shown as they are. */
  readonly unit: string;
  /** A colour of the theme, such as `--hp-production`. */
  readonly colour: string;
  /** Lengths of the dashes and the gaps between them, px; a solid line without any. */
  readonly dash?: readonly number[] | undefined;
  /** Width of the line, px; 2 by default. */
  readonly width?: number;
  /** What is wrong with it, in few words. */
  readonly warning?: string | undefined;
  /** Keys of values around it, lower and upper, between which the area is filled. */
  readonly band?: readonly [low: string, high: string] | undefined;
  /** Whether the area under the curve is filled. */
  readonly filled?: boolean;
  /** Whether it is shown at first; true by default. */
  readonly shown?: boolean;
}

/** Values of curves at instants in ms since 1970 UTC, in order. */
export interface ChartData {
  readonly times: readonly number[];
  /** By key of the series, as long as `times`. */
  readonly values: Readonly<Record<string, readonly (number | null | undefined)[]>>;
}

/** A curve is interrupted where readings are missing for this long; devices report every five minutes. */
const GAP_MS = 16 * 60_000;

/** Adds a point without values in the middle of each gap, so that no line is drawn across it. */
export function withGaps({ times, values }: ChartData): ChartData {
  const keys = Object.keys(values);
  const filled: { times: number[]; values: Record<string, (number | null)[]> } = {
    times: [],
    values: Object.fromEntries(keys.map((key) => [key, []])),
  };
  const add = (at: number, valueOf: (key: string) => number | null): void => {
    filled.times.push(at);
    for (const key of keys) filled.values[key]!.push(valueOf(key));
  };
  for (const [i, at] of times.entries()) {
    const before = times[i - 1];
    if (before !== undefined && at - before > GAP_MS) add((at + before) / 2, () => null);
    add(at, (key) => values[key]![i] ?? null);
  }
  return filled;
}

/** Where the latest value of a curve is; if it has none, at the end. */
export function latestOf({ times, values }: ChartData, one: ChartSeries | undefined): number {
  const latest =
    (one && values[one.key])?.findLastIndex((value) => typeof value === 'number') ?? -1;
  return latest < 0 ? times.length - 1 : latest;
}

/** Two sets of curves on one axis of time. Keys of the second get a suffix; what one of them does not have at an instant is left open. */
export function beside(first: ChartData, second: ChartData, suffix: string): ChartData {
  const times = [...new Set([...first.times, ...second.times])].toSorted((a, b) => a - b);
  const spread = (
    { times: own, values }: ChartData,
    ending: string,
  ): [string, (number | null | undefined)[]][] => {
    const places = new Map(own.map((at, i) => [at, i]));
    return Object.entries(values).map(([key, list]) => [
      key + ending,
      // undefined: no point of this curve; null: a gap in it.
      times.map((at) => {
        const place = places.get(at);
        return place === undefined ? undefined : (list[place] ?? null);
      }),
    ]);
  };
  return { times, values: Object.fromEntries([...spread(first, ''), ...spread(second, suffix)]) };
}
