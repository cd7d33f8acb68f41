import type { Instant } from '../storage/database.ts';
import type { StoredEvent } from './append.ts';

/** A sample as the series has it. */
export interface EventSample {
  /** Epoch ms. */
  readonly at: Instant;
  readonly fields: { readonly names: readonly string[] };
  /** One value per field; NaN = none. */
  readonly values: Float64Array;
}

/** Samples of one device, in the order of their sequence. */
export interface NewSamples {
  /** Id of the device. */
  readonly subject: string;
  /** Short number of the device (`device.series`). */
  readonly seriesId: number;
  readonly sn: string;
  readonly samples: readonly EventSample[];
  /** Whether they came late or replace what was stored. */
  readonly amended: boolean;
}

/** Samples as an entry of the log has them. Instants and values are binary: as JSON they would be three times as long, and ingest would have to write it. */
export interface PackedSamples {
  /** JSON: shape `Head`. */
  readonly head: string;
  /** As the head says, in the machine's byte order. */
  readonly bytes: Uint8Array;
  /** The device of each run, by its short number. */
  readonly seriesIds: readonly number[];
}

/** Of each run: the last number of its device that was given out with it, and `previousAt` of the first one. */
export type SampleNumbers = readonly (readonly [last: number, previousAt: Instant])[];

// As tuples, since an entry that fits on a page is stored faster.
interface Head {
  /** Lists of quantities. */
  readonly fields: readonly (readonly string[])[];
  /** Of each sample its instant, then its values: float64. */
  readonly runs?: readonly Run[];
  /**
   * All instants as float64, then all values as int32, in thousandths. Not a mark beside `runs`: an instance of an earlier version, if one was left running,
   * must not misread them.
   */
  readonly thousandths?: readonly Run[];
}

/** No value, in thousandths. */
const NONE = -(2 ** 31);
const THOUSANDTHS_AT_MOST = 2 ** 31 - 1;

/**
 * Samples of one device with the same quantities; `fields` is an index. `left`: how many numbers of the device were given out for these and later
 * samples of its transaction.
 */
type Run = [
  subject: string,
  sn: string,
  fields: number,
  count: number,
  left: number,
  flags: number,
];

/** The transaction has no earlier samples of the device. */
const FIRST = 1;
const AMENDED = 2;

/** Packs samples of one plant, at most `atMost` in a pack. `totals`: how many numbers of each device are given out for them. */
export function packSamples(
  all: readonly NewSamples[],
  totals: ReadonlyMap<number, number>,
  atMost: number,
): PackedSamples[] {
  const left = new Map<number, number>();
  const packs = [new Pack()];
  for (const device of all) {
    const { seriesId, samples } = device;
    const before = left.get(seriesId);
    let remaining = before ?? totals.get(seriesId)!;
    let flags = (before === undefined ? FIRST : 0) + (device.amended ? AMENDED : 0);
    for (let from = 0; from < samples.length;) {
      if (packs.at(-1)!.count === atMost) packs.push(new Pack());
      const end = endOfRun(samples, from, atMost - packs.at(-1)!.count);
      packs.at(-1)!.add(device, from, end, remaining, flags);
      remaining -= end - from;
      flags &= ~FIRST;
      from = end;
    }
    if (samples.length > 0) left.set(seriesId, remaining);
  }
  return packs.map((pack) => pack.close());
}

/** Where the quantities change, or after `room` samples. */
function endOfRun(samples: readonly EventSample[], from: number, room: number): number {
  const { names } = samples[from]!.fields;
  const last = Math.min(samples.length, from + room);
  let end = from + 1;
  while (end < last && samples[end]!.fields.names === names) end += 1;
  return end;
}

/** Samples of one device with the same quantities. */
interface Stretch {
  readonly samples: readonly EventSample[];
  readonly from: number;
  readonly end: number;
}

class Pack {
  readonly #fields: (readonly string[])[] = [];
  readonly #runs: Run[] = [];
  readonly #seriesIds: number[] = [];
  readonly #stretches: Stretch[] = [];
  #values = 0;
  count = 0;

  add(
    { subject, seriesId, sn, samples }: NewSamples,
    from: number,
    end: number,
    left: number,
    flags: number,
  ): void {
    const { names } = samples[from]!.fields;
    let fields = this.#fields.indexOf(names);
    if (fields < 0) fields = this.#fields.push(names) - 1;
    this.#runs.push([subject, sn, fields, end - from, left, flags]);
    this.#seriesIds.push(seriesId);
    this.#stretches.push({ samples, from, end });
    this.count += end - from;
    this.#values += (end - from) * names.length;
  }

  close(): PackedSamples {
    const thousandths = this.#thousandths();
    const head = `{"fields":[${this.#fields.map(textOfNames).join(',')}],"${thousandths ? 'thousandths' : 'runs'}":${JSON.stringify(this.#runs)}}`;
    return {
      head,
      bytes: new Uint8Array(thousandths ?? this.#reals()),
      seriesIds: this.#seriesIds,
    };
  }

  /** What devices measure has no more than three decimals, and takes half the room then. Undefined if any value would not be the same. */
  #thousandths(): ArrayBuffer | undefined {
    const buffer = new ArrayBuffer(this.count * 8 + this.#values * 4);
    const instants = new Float64Array(buffer, 0, this.count);
    const cells = new Int32Array(buffer, this.count * 8);
    let [sample, next] = [0, 0];
    for (const { samples, from, end } of this.#stretches) {
      for (let i = from; i < end; i++) {
        const { at, values } = samples[i]!;
        instants[sample++] = at;
        for (let k = 0; k < values.length; k++) {
          const value = values[k]!;
          const cell = Math.round(value * 1000);
          if (cell / 1000 === value && Math.abs(cell) <= THOUSANDTHS_AT_MOST) cells[next++] = cell;
          else if (Number.isNaN(value)) cells[next++] = NONE;
          else return undefined;
        }
      }
    }
    return buffer;
  }

  #reals(): ArrayBuffer {
    const numbers = new Float64Array(this.count + this.#values);
    let next = 0;
    for (const { samples, from, end } of this.#stretches) {
      for (let i = from; i < end; i++) {
        const { at, values } = samples[i]!;
        numbers[next++] = at;
        // Faster than `set` for so few.
        for (let k = 0; k < values.length; k++) numbers[next++] = values[k]!;
      }
    }
    return numbers.buffer;
  }
}

// Devices of a model share their lists.
const texts = new WeakMap<readonly string[], string>();

function textOfNames(names: readonly string[]): string {
  let text = texts.get(names);
  if (text === undefined) texts.set(names, (text = JSON.stringify(names)));
  return text;
}

/** The samples of an entry as events. */
export function unpackSamples(
  head: string,
  bytes: Uint8Array,
  numbers: SampleNumbers,
  recordedAt: Instant,
): StoredEvent[] {
  const { fields, thousandths, runs = thousandths! } = JSON.parse(head) as Head;
  // A copy, since the bytes need not be aligned.
  const { buffer } = new Uint8Array(bytes);
  const all = thousandths ? realsOf(buffer, fields, runs) : new Float64Array(buffer);
  const keys = fields.map((names) => names.map((name) => `${JSON.stringify(name)}:`));
  const events: StoredEvent[] = [];
  let next = 0;
  for (const [run, [subject, sn, list, count, left, flags]] of runs.entries()) {
    const names = keys[list]!;
    const [last, before] = numbers[run]!;
    for (let i = 0; i < count; i++) {
      const from = next;
      next += 1 + names.length;
      const sequence = last - left + 1 + i;
      const previousAt = flags & FIRST && i === 0 ? before : recordedAt;
      const data = (): string => textOf(all, from, names, (flags & AMENDED) !== 0);
      events.push({ subject, sn, sequence, previousAt, occurredAt: all[from]!, data });
    }
  }
  return events;
}

/** Thousandths as they would be without that. */
function realsOf(buffer: ArrayBuffer, fields: Head['fields'], runs: readonly Run[]): Float64Array {
  const samples = runs.reduce((sum, [, , , count]) => sum + count, 0);
  const instants = new Float64Array(buffer, 0, samples);
  const cells = new Int32Array(buffer, samples * 8);
  const all = new Float64Array(samples + cells.length);
  let [sample, cell, next] = [0, 0, 0];
  for (const [, , list, count] of runs) {
    const { length } = fields[list]!;
    for (let i = 0; i < count; i++) {
      all[next++] = instants[sample++]!;
      for (let k = 0; k < length; k++) {
        const value = cells[cell++]!;
        all[next++] = value === NONE ? Number.NaN : value / 1000;
      }
    }
  }
  return all;
}

/** A sample as JSON; `keys` with their colons. Twice as fast as making an object for JSON.stringify, which writes numbers the same way. */
function textOf(
  numbers: Float64Array,
  from: number,
  keys: readonly string[],
  isAmended: boolean,
): string {
  let values = '';
  for (const [i, key] of keys.entries()) {
    const value = numbers[from + 1 + i]!;
    if (!Number.isNaN(value)) values += values === '' ? `${key}${value}` : `,${key}${value}`;
  }
  return `{"at":${numbers[from]},"values":{${values}}${isAmended ? ',"amended":true' : ''}}`;
}
