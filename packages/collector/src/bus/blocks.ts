import { DAY_MS } from '@helioport/contract/durations';
import type { Clock } from '../clock.ts';
import { ModbusException } from './faults.ts';
import type { Channel } from './master.ts';
import { WORDS_AT_MOST, type ReadFunction } from './modbus-pdu.ts';

/** Registers that are never read apart: a value's words, a sign and its size. */
export interface RegisterGroup {
  readonly address: number;
  readonly count: number;
}

export interface ReadBlock {
  readonly unit: number;
  readonly fn: ReadFunction;
  /** By address, without overlaps. */
  readonly groups: readonly RegisterGroup[];
  /** Most words in one request, where a device takes fewer than the standard allows. */
  readonly wordsAtMost?: number;
}

/** Registers that a device refuses, remembered for a day. */
export interface Holes {
  has(unit: number, fn: number, address: number): boolean;
  add(unit: number, fn: number, address: number): void;
}

export function createHoles(clock: Clock): Holes {
  const until = new Map<string, number>();
  return {
    has: (unit, fn, address) => (until.get(`${unit}/${fn}/${address}`) ?? 0) > clock.now(),
    add: (unit, fn, address) => void until.set(`${unit}/${fn}/${address}`, clock.now() + DAY_MS),
  };
}

/** Exceptions 2 and 3: the device has no such registers, or not so many in one request. */
const isRefusal = (error: unknown): boolean =>
  error instanceof ModbusException && (error.code === 2 || error.code === 3);

/** Words by address. A block that is refused is read in halves, down to its groups; a refused group is left out. */
export async function readBlock(
  channel: Channel,
  { unit, fn, groups, wordsAtMost = WORDS_AT_MOST }: ReadBlock,
  holes: Holes,
): Promise<Map<number, number>> {
  const words = new Map<number, number>();

  async function read(part: readonly RegisterGroup[]): Promise<void> {
    const address = part[0]!.address;
    const count = endOf(part.at(-1)!) - address;
    const ask = async (): Promise<void> => {
      const answer = await channel.request({ unit, fn, address, count });
      for (const [i, word] of answer.entries()) words.set(address + i, word);
    };
    try {
      return await ask();
    } catch (error) {
      if (!isRefusal(error)) throw error;
    }
    if (part.length > 1) {
      const middle = part.length >> 1;
      await read(part.slice(0, middle));
      return read(part.slice(middle));
    }
    // A hole stays for a day, so it is asked twice.
    try {
      await ask();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      holes.add(unit, fn, address);
    }
  }

  const isHole = ({ address }: RegisterGroup): boolean => holes.has(unit, fn, address);
  for (const part of partsOf(groups, wordsAtMost, isHole)) await read(part);
  return words;
}

const endOf = ({ address, count }: RegisterGroup): number => address + count;

/** Runs of groups that fit into one request and have no hole between them. */
function partsOf(
  groups: readonly RegisterGroup[],
  wordsAtMost: number,
  isHole: (group: RegisterGroup) => boolean,
): RegisterGroup[][] {
  const parts: RegisterGroup[][] = [];
  let part: RegisterGroup[] | undefined;
  for (const group of groups) {
    if (isHole(group)) part = undefined;
    else if (part && endOf(group) - part[0]!.address <= wordsAtMost) part.push(group);
    else parts.push((part = [group]));
  }
  return parts;
}
