/** What an example holds for a field: the first value of that name, looked for from the outside in; undefined if there is none. */
export function exampleOf(data: unknown, name: string): unknown {
  let level: readonly unknown[] = [data];
  while (level.length > 0) {
    for (const one of level) if (isObject(one) && one[name] !== undefined) return one[name];
    level = level.flatMap((one) =>
      Array.isArray(one) ? one : isObject(one) ? Object.values(one) : [],
    );
  }
  return undefined;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const SHOWN_LENGTH = 60;

/** A value as it stands in an answer, cut if it is long. */
export function shownValue(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_LENGTH ? `${text.slice(0, SHOWN_LENGTH)}…` : text;
}
