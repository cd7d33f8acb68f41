/** What roll-ups should be, worked out the plain way from all readings at once. */

const HOUR = 3_600_000;

export type Readings = ReadonlyMap<number, Readonly<Record<string, number>>>;

/** To make one takes a thousand times as long as to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The local date that a zone's wall shows, by another way than the product's. */
export function localDate(timeZone: string, at: number): number {
  let format = formats.get(timeZone);
  if (!format)
    formats.set(
      timeZone,
      (format = new Intl.DateTimeFormat('en-CA', {
        timeZone,
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
      })),
    );
  return Number(format.format(at).replaceAll('-', ''));
}

interface Point {
  at: number;
  value: number;
}

const pointsOf = (readings: Readings, quantity: string): Point[] =>
  [...readings]
    .filter(([, values]) => quantity in values)
    .map(([at, values]) => ({ at, value: values[quantity]! }))
    .toSorted((a, b) => a.at - b.at);

/** The instant between two others at which the local date changes, to the millisecond. */
function midnightBetween(timeZone: string, before: number, after: number): number {
  let [low, high] = [before, after];
  const date = localDate(timeZone, before);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (localDate(timeZone, middle) === date) low = middle;
    else high = middle;
  }
  return high;
}

/** The parts of a time that lie in one local day each. */
export function localParts(
  timeZone: string,
  from: number,
  to: number,
): { day: number; from: number; to: number }[] {
  const parts: { day: number; from: number; to: number }[] = [];
  let at = from;
  while (localDate(timeZone, at) !== localDate(timeZone, to)) {
    let within = at;
    while (localDate(timeZone, within + HOUR) === localDate(timeZone, at) && within + HOUR < to)
      within += HOUR;
    const midnight = midnightBetween(timeZone, within, Math.min(within + HOUR, to));
    parts.push({ day: localDate(timeZone, at), from: at, to: midnight });
    at = midnight;
  }
  return [...parts, { day: localDate(timeZone, to), from: at, to }];
}

/** kWh by local day of a power in W: trapezoids over gaps up to an hour, negatives as 0, cut at midnight. One reading alone tells nothing. */
export function energyFromPower(
  readings: Readings,
  quantity: string,
  sign: number,
  timeZone: string,
): Map<number, number> {
  const days = new Map<number, number>();
  const add = (day: number, wattMs: number): void =>
    void days.set(day, (days.get(day) ?? 0) + wattMs / 3.6e9);
  const points = pointsOf(readings, quantity).map(({ at, value }) => ({
    at,
    value: Math.max(0, value * sign),
  }));
  for (const [i, point] of points.entries()) {
    const day = localDate(timeZone, point.at);
    const before = points[i - 1];
    if (!before) continue;
    add(day, 0);
    if (point.at - before.at > HOUR) continue;
    const dayBefore = localDate(timeZone, before.at);
    if (day === dayBefore) {
      add(day, ((before.value + point.value) / 2) * (point.at - before.at));
      continue;
    }
    const midnight = midnightBetween(timeZone, before.at, point.at);
    const there =
      before.value +
      ((point.value - before.value) * (midnight - before.at)) / (point.at - before.at);
    // What is nothing tells the day before nothing either.
    if (before.value + there > 0)
      add(dayBefore, ((before.value + there) / 2) * (midnight - before.at));
    add(day, ((there + point.value) / 2) * (point.at - midnight));
  }
  return days;
}

/** What a counter tells of a local day. */
export interface CounterDay {
  kwh: number;
  /** Its growth was divided among days without anybody having read it on them. */
  estimated: boolean;
}

/** By local day, of a counter that never falls and does not depend on the sun: its growth, divided by time. */
export function energyFromCounter(
  readings: Readings,
  quantity: string,
  timeZone: string,
): Map<number, CounterDay> {
  const days = new Map<number, CounterDay>();
  const add = (day: number, kwh: number, estimated: boolean): void => {
    const known = days.get(day) ?? { kwh: 0, estimated: false };
    days.set(day, { kwh: known.kwh + kwh, estimated: known.estimated || estimated });
  };
  const points = pointsOf(readings, quantity);
  for (const [i, point] of points.entries()) {
    const before = points[i - 1];
    if (!before) continue;
    add(localDate(timeZone, point.at), 0, false);
    const growth = point.value - before.value;
    const shares = localParts(timeZone, before.at, point.at).map(({ day, from, to }) => ({
      day,
      kwh: (growth * (to - from)) / (point.at - before.at),
    }));
    const parts = shares.filter(({ kwh }) => kwh > 0);
    const estimated = parts.length > 1 && point.at - before.at > HOUR;
    for (const { day, kwh } of parts) add(day, kwh, estimated);
  }
  return days;
}

/** Newest values: those of the newest reading, and of the hour before it the newest of each quantity. */
export function latestValues(readings: Readings): { at: number; values: Record<string, number> } {
  const at = Math.max(...readings.keys());
  const values: Record<string, number> = {};
  for (const time of [...readings.keys()]
    .filter((other) => at - other <= HOUR)
    .toSorted((a, b) => a - b))
    Object.assign(values, readings.get(time));
  return { at, values };
}
