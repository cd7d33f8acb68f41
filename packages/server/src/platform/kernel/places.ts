import type { Failure } from './failure.ts';

/** Places of which each holder has a limited number. Nobody gives one back by hand: it ends with the work, or with the signal, for which it was taken. */
export interface Places {
  /** Does work that takes a place. Throws the refusal if the holder has none left. */
  during<T>(holder: string, work: () => Promise<T>): Promise<T>;
  /** Takes a place until a signal; none if it was given already. Throws the refusal if the holder has none left. */
  until(holder: string, end: AbortSignal): void;
  /** How many a holder has taken. */
  taken(holder: string): number;
}

interface PlacesOptions {
  /** Places of each holder. */
  readonly each: number;
  readonly refusal: () => Failure;
}

export function createPlaces({ each, refusal }: PlacesOptions): Places {
  const holders = new Map<string, number>();
  const taken = (holder: string): number => holders.get(holder) ?? 0;

  const take = (holder: string): void => {
    if (taken(holder) >= each) throw refusal();
    holders.set(holder, taken(holder) + 1);
  };
  const giveBack = (holder: string): void => {
    const left = taken(holder) - 1;
    if (left > 0) holders.set(holder, left);
    else holders.delete(holder);
  };

  return {
    taken,
    async during(holder, work) {
      take(holder);
      try {
        return await work();
      } finally {
        giveBack(holder);
      }
    },
    until(holder, end) {
      if (end.aborted) return;
      take(holder);
      end.addEventListener('abort', () => giveBack(holder), { once: true });
    },
  };
}
