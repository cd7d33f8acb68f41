import type { Block, ReadWords, Span, Table } from '@helioport/devices';
import type { RegisterGroup } from '../../bus/blocks.ts';
import { BusFault, ModbusException } from '../../bus/faults.ts';
import type { Channel, Master } from '../../bus/master.ts';
import type { ReadFunction } from '../../bus/modbus-pdu.ts';

/** The function that reads a table. */
export const READ_FUNCTIONS: Readonly<Record<Table, ReadFunction>> = {
  coil: 1,
  discrete: 2,
  holding: 3,
  input: 4,
};

/** Exceptions that mean that a device has not got what was asked for. */
const REFUSALS = new Set([1, 2, 3, 4]);
/** With so many requests in a row unanswered, nobody is there. */
const SILENT_AT_MOST = 2;

/** Reads words for an identification. Rejects with BusFault if nobody answers, without trying each register. */
export function wordReader(bus: Master, unit: number): ReadWords {
  let [silent, hasAnswered] = [0, false];
  let lastFault: unknown;
  const ask = async (table: Table, address: number, count: number) => {
    try {
      const fn = READ_FUNCTIONS[table];
      const words = await bus.hold((line) => line.request({ unit, fn, address, count }), 'poll');
      hasAnswered = true;
      return words;
    } catch (error) {
      if (!(error instanceof ModbusException)) throw error;
      // A gateway refuses in the name of a unit that is not there.
      if (!REFUSALS.has(error.code))
        throw new BusFault('silent', `unit ${unit}: ${error.message}`, { cause: error });
      hasAnswered = true;
      return null;
    }
  };
  return async (table, address, count) => {
    if (!hasAnswered && silent >= SILENT_AT_MOST) throw lastFault;
    try {
      return await ask(table, address, count);
    } catch (error) {
      lastFault = error;
      silent++;
      // One that has answered is asked once more.
      if (hasAnswered) return ask(table, address, count);
      throw error;
    }
  };
}

/** The words of a block that may be read apart: those of each value stay together. */
export function groupsOf({ address, count, values }: Block): RegisterGroup[] {
  const ends = Array.from({ length: count }, (_, i) => i + 1);
  for (const { words, direction, high, plus } of values) {
    const all = [...words, ...plus, ...[direction, high].filter((one) => one !== null)];
    const inside = all.map((one) => one - address).filter((one) => one >= 0 && one < count);
    if (inside.length === 0) continue;
    const [first, last] = [Math.min(...inside), Math.max(...inside) + 1];
    for (let i = first; i < last; i++) ends[i] = Math.max(ends[i]!, last);
  }
  const groups: RegisterGroup[] = [];
  for (let start = 0; start < count;) {
    let end = ends[start]!;
    for (let i = start; i < end; i++) end = Math.max(end, ends[i]!);
    groups.push({ address: address + start, count: end - start });
    start = end;
  }
  return groups;
}

/** The words of spans, by address; they are of one table. */
export async function readSpans(
  line: Channel,
  unit: number,
  spans: readonly Span[],
): Promise<(address: number) => number | undefined> {
  const words = new Map<number, number>();
  for (const { table, address, count } of spans) {
    const answer = await line.request({ unit, fn: READ_FUNCTIONS[table], address, count });
    for (const [i, word] of answer.entries()) words.set(address + i, word);
  }
  return (address) => words.get(address);
}
