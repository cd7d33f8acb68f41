import { BusFault, ModbusException } from '../../packages/collector/src/bus/faults.ts';
import { openBus, type KnownAddress } from '../../packages/collector/src/bus/open-bus.ts';
import { systemClock, timerPause } from '../../packages/collector/src/clock.ts';
import { startHostilePeer, STICK, wordAt, type Trick, type Wire } from './hostile-peer.ts';

const TRICKS: readonly Trick[] = [
  'late',
  'doubled',
  'doubledLater',
  'crossed',
  'broken',
  'truncated',
  'silent',
  'garbage',
  'sliced',
  'otherUnit',
  'hangUp',
  'heartbeat',
  'exception',
];

export interface Tally {
  readonly reads: number;
  readonly answered: number;
  readonly wrong: readonly string[];
  readonly tricks: ReadonlySet<Trick>;
}

/** The address of a peer on loopback. */
export const addressOf = (wire: Wire, port: number): KnownAddress =>
  wire === 'v5'
    ? { kind: 'v5', host: '127.0.0.1', port, serial: STICK }
    : { kind: wire, host: '127.0.0.1', port };

/** Reads registers, mostly alike, from a peer that plays a trick on every third answer. */
export async function readHostile(wire: Wire, reads: number, seed: number): Promise<Tally> {
  const random = randomFrom(seed);
  const tricks = new Set<Trick>();
  const peer = await startHostilePeer(
    wire,
    () => {
      if (random() < 0.66) return 'honest';
      const trick = TRICKS[Math.floor(random() * TRICKS.length)]!;
      tricks.add(trick);
      return trick;
    },
    30,
  );
  const surroundings = { clock: systemClock, pause: quick, random };
  const bus = openBus(addressOf(wire, peer.port), { ...surroundings, timeoutMs: 20 });
  const wrong: string[] = [];
  let answered = 0;
  try {
    for (let read = 0; read < reads; read++) {
      const fn = random() < 0.5 ? 3 : 4;
      const address = Math.floor(random() * 60_000);
      const count = random() < 0.7 ? 2 : 1 + Math.floor(random() * 8);
      try {
        const words = await bus.hold(
          (line) => line.request({ unit: 1, fn, address, count }),
          'poll',
        );
        answered++;
        const expected = Array.from({ length: count }, (_, i) => wordAt(fn, address + i));
        if (words.join() !== expected.join())
          wrong.push(`${fn}/${address}/${count}: ${words.join()}`);
      } catch (error) {
        if (!(error instanceof BusFault || error instanceof ModbusException)) throw error;
      }
    }
  } finally {
    bus.close();
    await peer.stop();
  }
  return { reads, answered, wrong, tricks };
}

/** No gaps between requests: that is the harder case. */
const quick: typeof timerPause = (ms, signal) => timerPause(ms > 20 ? 20 : ms, signal);

/** Numbers from 0 to 1 that are the same each time. Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
