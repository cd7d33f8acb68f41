import { quantities, type QuantityName } from '@helioport/contract';
import { mirrorSpansOf, spansOf, type Profile, type Table } from '@helioport/devices';
import { findProfile } from '../../packages/devices/src/profiles/profiles.ts';
import type { Registers } from '../bus/modbus-server.ts';
import { ascii, low } from '../devices/registers/image.ts';
import { place, rows, type Row } from './tables.ts';

/** A type of device, with the least by which it is recognized; everything else comes from the tables. */
export interface DeviceType {
  readonly family: string;
  readonly tables: readonly string[];
  readonly phases?: number;
  /** Words by function and address, for a serial number. */
  readonly identity: (sn: string) => readonly (readonly [number, number, readonly number[]])[];
  readonly sn: (unit: number) => string;
  /** Whether it does not tell its serial number. */
  readonly isNameless?: boolean;
  /** What a step is worth, compared with the table. */
  readonly times?: (row: Row) => number;
  /** Decides which of its parameters there are. */
  readonly displayVersion?: number;
  /** Whether its firmware fills the high words that lie elsewhere. */
  readonly hasHighWords?: boolean;
}

const digits = (unit: number): string => `10310512345678${String(unit).padStart(2, '0')}`;
const letters = (prefix: string, length: number) => (unit: number) =>
  `${prefix}${String(unit).padStart(length - prefix.length, '0')}`;
/** Four words, of which each byte has its two digits swapped. */
const swapped = (sn: string): number[] =>
  [0, 4, 8, 12].map((at) => Number.parseInt([1, 0, 3, 2].map((i) => sn[at + i]!).join(''), 16));

const solis =
  (code: number, displayVersion: number) =>
  (sn: string): [number, number, number[]][] => [
    [4, 33_000, [code, 0x21, displayVersion]],
    [4, 33_004, ascii(sn, 16)],
    [4, 35_000, [0x2031]],
  ];
const solisString =
  (phases: number) =>
  (sn: string): [number, number, number[]][] => [
    [4, 2999, [0x00f1, 0x12, 0x34, phases === 1 ? 0 : 1, 3]],
    [4, 3060, swapped(sn)],
    [4, 35_000, [0x1010]],
  ];
const deye =
  (kind: number, ratingAt: number, rating: number, inputs: number) =>
  (sn: string): [number, number, number[]][] => [
    [3, 0, [kind, 0, 0, ...ascii(sn, 5)]],
    [3, ratingAt, [...low(rating * 10), inputs]],
  ];

/** Three-phase types of high voltage count these in tens of watts and tenths of a volt. */
const HIGH_VOLTAGE = new Set([
  'batteryVoltageV',
  'batteryPowerW',
  ...[1, 2, 3, 4].map((i) => `dcPower${i}W`),
]);

export const deviceTypes: readonly DeviceType[] = [
  {
    family: 'solis-storage',
    tables: ['solis-hybrid-input', 'solis-hybrid-holding'],
    identity: solis(0x2031, 0x4b00),
    displayVersion: 0x4b00,
    sn: digits,
  },
  {
    family: 'solis-storage-hundreds',
    tables: ['solis-hybrid-input', 'solis-hybrid-holding'],
    identity: solis(0x3105, 0x4a00),
    displayVersion: 0x4a00,
    sn: digits,
  },
  ...[1, 3].map((phases) => ({
    family: 'solis-string',
    tables: ['solis-string-input', 'solis-string-holding'],
    phases,
    identity: solisString(phases),
    sn: digits,
  })),
  {
    family: 'deye-hybrid-1p',
    tables: ['deye-hybrid-1p'],
    identity: deye(3, 16, 8000, 0x0201),
    sn: letters('22', 10),
  },
  {
    family: 'deye-hybrid-3p',
    tables: ['deye-hybrid-3p'],
    identity: deye(5, 20, 12_000, 0x0203),
    sn: letters('23', 10),
  },
  {
    family: 'deye-hybrid-3p-high',
    tables: ['deye-hybrid-3p'],
    identity: deye(6, 20, 50_000, 0x0203),
    sn: letters('24', 10),
    times: ({ quantity }) => (HIGH_VOLTAGE.has(quantity) ? 10 : 1),
    hasHighWords: true,
  },
  {
    family: 'deye-string',
    tables: ['deye-string'],
    identity: deye(2, 16, 6000, 0x0201),
    sn: letters('25', 10),
  },
  {
    family: 'sofar-g3',
    tables: ['sofar-g3'],
    identity: (sn) => [[3, 1093, ascii(sn, 8)]],
    sn: letters('SP1ES120N', 14),
  },
  {
    family: 'sofar-hyd-es',
    tables: ['sofar-hyd-es'],
    identity: (sn) => [[3, 8193, ascii(sn, 7)]],
    sn: letters('SE1ES3BC', 14),
  },
  {
    family: 'sofar-string',
    tables: ['sofar-string'],
    identity: () => [],
    sn: letters('SA1ES', 12),
    isNameless: true,
  },
];

const FUNCTIONS: Readonly<Record<Table, number>> = { coil: 1, discrete: 2, holding: 3, input: 4 };

export interface MadeDevice {
  readonly profile: Profile;
  readonly sn: string;
  readonly registers: Registers[number];
  /** By quantity, what its registers mean by the tables. */
  readonly expected: Readonly<Record<string, number>>;
  /** Values of the profile that no table has. */
  readonly untold: readonly string[];
}

/** The registers of a device, each with another value. @param sign that of everything that may be negative */
export function makeDevice(type: DeviceType, unit: number, sign: 1 | -1): MadeDevice {
  const profile = findProfile(type.family)!;
  const map = profile.registers!;
  const words = new Map<number, Map<number, number>>();
  const put = (fn: number, address: number, word: number): void => {
    const known = words.get(fn) ?? new Map<number, number>();
    words.set(fn, known.set(address, word & 0xffff));
  };
  for (const { table, address, count } of map.blocks)
    for (let i = 0; i < count; i++) put(FUNCTIONS[table], address + i, 0);
  for (const id of map.places.keys())
    for (const { table, address, count } of [
      ...(spansOf(profile, id) ?? []),
      ...(mirrorSpansOf(profile, id) ?? []),
    ])
      for (let i = 0; i < count; i++) put(FUNCTIONS[table], address + i, 0);

  const rowsByName = new Map<string, Row>(
    rows
      .filter(({ table }) => type.tables.includes(table))
      .map((row) => [`${row.fn} ${row.address} ${row.quantity}`, row]),
  );
  const expected: Record<string, number> = {};
  const untold: string[] = [];
  let made = 0;
  for (const { table, values } of map.blocks)
    for (const { id, quantity, words: at, phases, plus, high } of values) {
      if (quantity === null || (phases !== null && phases !== type.phases)) continue;
      const named = (name: string): Row | undefined =>
        [...at, Math.min(...at), ...plus]
          .map((address) => rowsByName.get(`${FUNCTIONS[table]} ${address} ${name}`))
          .find((row) => row !== undefined);
      // The only phase of a device is where others have their third.
      const row = named(quantity) ?? named(quantity.replace(/^(ac\w+)1([AV])$/, '$13$2'));
      if (!row) {
        untold.push(id);
        continue;
      }
      const wanted = valueFor(quantity, ++made, row, sign);
      const meant = place(row, wanted, put, type.times?.(row));
      if (high !== null && type.hasHighWords) {
        const short = words.get(FUNCTIONS[table])!.get(at[0]!)!;
        put(FUNCTIONS[table], high, short > 0x7fff ? 0xffff : 0);
      }
      expected[quantity] ??= meant;
    }
  for (const [fn, address, identity] of type.identity(type.sn(unit)))
    for (const [i, word] of identity.entries()) put(fn, address + i, word);
  return {
    profile,
    sn: type.sn(unit),
    registers: Object.fromEntries([...words].map(([fn, known]) => [fn, runsOf(known)])),
    expected,
    untold,
  };
}

const SIGNED = new Set(['W', 'Var', 'A', '°C', '']);
const AROUND: Readonly<Record<string, number>> = {
  W: 1000,
  VA: 1000,
  Var: 300,
  V: 230,
  A: 4,
  Hz: 50,
  '%': 40,
  '°C': 21,
  kΩ: 900,
  mA: 12,
};

/** A value that a device can have, another one for each register. */
function valueFor(name: QuantityName, n: number, row: Row, sign: 1 | -1): number {
  const { unit, bounds } = quantities.get(name)!;
  if (name === 'statusCode') return 2;
  if (name === 'warningCode') return 0;
  if (/powerfactor/i.test(name)) return 0.9;
  if (name.endsWith('TodayKwh')) return 5 + n;
  if (name.endsWith('TotalKwh')) return 70_000 + 17 * n;
  const size = (AROUND[unit] ?? 1) * (1 + n / 100);
  const isSigned =
    (row.type.startsWith('s') || row.transform.startsWith('direction')) &&
    SIGNED.has(unit) &&
    (bounds === 'power' || bounds[0] < -size);
  return isSigned ? sign * size : size;
}

function runsOf(known: ReadonlyMap<number, number>): Record<number, number[]> {
  const runs: Record<number, number[]> = {};
  let [run, next] = [[] as number[], -1];
  for (const [address, word] of [...known].toSorted(([a], [b]) => a - b)) {
    if (address !== next) runs[address] = run = [];
    run.push(word);
    next = address + 1;
  }
  return runs;
}
