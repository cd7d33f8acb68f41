/** Checks of what arrives from elsewhere; each answers undefined for something else than it is asked about. */
export type Members = Readonly<Record<string, unknown>>;

export const membersOf = (value: unknown): Members | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Members)
    : undefined;

export const isCount = (value: unknown, atMost = Number.MAX_SAFE_INTEGER): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= atMost;

export const isShort = (value: unknown, atMost: number): value is string =>
  typeof value === 'string' && value !== '' && value.length <= atMost;

/** Parses JSON; undefined for what is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A foreign text for people: short, and without characters that a terminal obeys. */
export const shown = (text: string, atMost = 300): string =>
  text.slice(0, atMost).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
