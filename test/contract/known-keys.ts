import { readFileSync } from 'node:fs';

/** JSON type of a key, as examples, recordings and tables of the existing service show it. */
export type JsonType = 'string' | 'number' | 'object' | 'array' | 'boolean';

type Listing = Readonly<Record<string, string>>;

const listings = JSON.parse(
  readFileSync(new URL('./known-keys.json', import.meta.url), 'utf8'),
) as Record<string, Listing>;

/** The keys of an operation's record with their types; where only a table names a key, 3.1 of the facts decides on ids and times. */
export function knownKeys(operation: string): ReadonlyMap<string, JsonType> {
  const { as: base, ...own } = listings[operation] ?? {};
  const keys = new Map<string, JsonType>(base === undefined ? [] : knownKeys(base));
  const tabled: [string, JsonType][] = [];
  for (const [kind, names] of Object.entries(own)) {
    const [type, table] = kind.startsWith('table ') ? [kind.slice(6), true] : [kind, false];
    for (const name of names.split(',').flatMap(members)) {
      if (table) tabled.push([name, typeOfTable(name, type as JsonType)]);
      else keys.set(name, type as JsonType);
    }
  }
  for (const [name, type] of tabled) if (!keys.has(name)) keys.set(name, type);
  return keys;
}

/** Keys that this service adds to the existing ones, with their types; the reference says so beside each. */
export const additions = [
  'peakPower: number',
  'peakPowerTime: number',
  'estimated: number',
  'clockOffset: number',
  'connection: string',
  'measuredTime: number',
  'dayWorth: number',
  'monthWorth: number',
  'yearWorth: number',
  'allWorth: number',
  'worthOf: string',
  'worthSince: string',
  'saved: number',
  'worth: number',
  'timeZoneId: string',
  'deviceId: string',
  'processedTime: number',
  'processedBy: string',
  'processedByEmail: string',
  'note: string',
  'noteTime: number',
];

/** Keys of any operation with their types, our additions among them. */
export const anyKnownKeys = (): ReadonlySet<string> =>
  new Set([
    ...Object.keys(listings).flatMap((id) =>
      [...knownKeys(id)].map(([name, type]) => `${name}: ${type}`),
    ),
    ...additions,
  ]);

/** `uPv{1..32}` stands for 32 keys. */
const members = (name: string): string[] => {
  const [, stem, from, to, rest] = /^(.*)\{(\d+)\.\.(\d+)\}(.*)$/.exec(name) ?? [];
  if (stem === undefined) return [name];
  return Array.from(
    { length: Number(to) - Number(from) + 1 },
    (_, i) => `${stem}${Number(from) + i}${rest}`,
  );
};

// The tables of the existing documents call ids numbers, plant names numbers, multipliers numbers and a power text; examples show otherwise.
const textual = /^(id|sn|\w*Id|\w*Pec|dataTimestamp|stationName|installerMobile)$/;
const numeric = /^inverterPower$/;
const typeOfTable = (name: string, type: JsonType): JsonType =>
  textual.test(name) ? 'string' : numeric.test(name) ? 'number' : type;
