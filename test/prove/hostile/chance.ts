/** Repeatable chance: the same seed makes the same requests. */
export interface Chance {
  /** From 0 up to, not including, `end`. */
  below(end: number): number;
  /** True once in `n`. */
  oneIn(n: number): boolean;
  pick<T>(items: readonly T[]): T;
  bytes(length: number): Buffer;
}

// mulberry32
export function createChance(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    oneIn: (n) => below(n) === 0,
    pick: (items) => items[below(items.length)]!,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
