import { randomInt } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Makes 19-digit decimal ids that sort by creation time. */
export type IdSource = () => string;

// 2010-11-04T01:42:54.657Z: with 22 low bits, ids have 19 digits from 2018 to 2079.
const EPOCH = 1288834974657;
const SEQUENCE_BITS = 10n;
const NODE_BITS = 12n;
const SEQUENCE_END = 1 << Number(SEQUENCE_BITS);
const SEQUENCE_BEGIN = SEQUENCE_END / 2;

/** How many node numbers there are. */
export const NODES = 1 << Number(NODE_BITS);

// The sources of one process, whose clocks often agree to the millisecond, count on from a random number.
let nextNode = randomInt(NODES);

/**
 * Ids of one source always increase, even while the clock stands still or steps back. Ids of two sources differ by their node number, from 0 to 4095;
 * if two processes drew the same one, the random start of the sequence in each millisecond makes a collision unlikely.
 */
export function createIdSource(clock: Clock, node = nextNode++ % NODES): IdSource {
  let last = 0;
  let sequence = 0;
  return () => {
    const now = clock.now();
    if (now > last) {
      last = now;
      sequence = randomInt(SEQUENCE_BEGIN);
    } else if (++sequence === SEQUENCE_END) {
      last += 1;
      sequence = 0;
    }
    const time = BigInt(last - EPOCH) << (SEQUENCE_BITS + NODE_BITS);
    return String(time | (BigInt(node) << SEQUENCE_BITS) | BigInt(sequence)).padStart(19, '0');
  };
}

/** The smallest id that can be made at a time, for queries by age. */
export const firstIdAt = (at: number): string =>
  String(BigInt(Math.max(0, at - EPOCH)) << (SEQUENCE_BITS + NODE_BITS)).padStart(19, '0');
