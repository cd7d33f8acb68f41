import { networksOf } from './networks.ts';
import { Failure } from '../failure.ts';
import { createPlaces, type Places } from '../places.ts';

/** Connections of which nobody knows yet whose they are, by the networks they come from: one peer must not take all places from others. */
export interface Strangers {
  /** Whether there is a place for another one, which it keeps until `known`. */
  admit(address: string, known: AbortSignal): boolean;
}

/** `ofNetwork`: places of the narrowest network that an address belongs to; a wider one has a multiple. */
export function createStrangers(ofNetwork: number): Strangers {
  const tiers: Places[] = [];
  const placesOf = (tier: number): Places =>
    (tiers[tier] ??= createPlaces({
      each: ofNetwork * (tier + 1),
      refusal: () => new Failure('tooManyRequests'),
    }));
  return {
    admit(address, known) {
      const networks = networksOf(address);
      const isFull = networks.some(
        (network, tier) => placesOf(tier).taken(network) >= ofNetwork * (tier + 1),
      );
      if (isFull) return false;
      for (const [tier, network] of networks.entries()) placesOf(tier).until(network, known);
      return true;
    },
  };
}

/** Places that all networks share. */
export interface SharedPlaces {
  /**
   * Takes a place until a signal. If none is free, the oldest holder in the network with the most has to give way, if that has more than the network of
   * the address; otherwise there is none.
   */
  take(address: string, until: AbortSignal, giveWay: () => void): boolean;
}

export function createSharedPlaces(most: number): SharedPlaces {
  /** By the widest network, the oldest first. */
  const holders = new Map<string, Set<() => void>>();
  let taken = 0;
  const remove = (network: string, holder: () => void): void => {
    const ofNetwork = holders.get(network);
    if (!ofNetwork?.delete(holder)) return;
    taken -= 1;
    if (ofNetwork.size === 0) holders.delete(network);
  };
  const makeRoom = (own: number): boolean => {
    let fullest: [network: string, Set<() => void>] | undefined;
    for (const one of holders) if (!fullest || one[1].size > fullest[1].size) fullest = one;
    if (!fullest || fullest[1].size <= own) return false;
    const [oldest] = fullest[1] as Set<() => void>;
    remove(fullest[0], oldest!);
    oldest!();
    return true;
  };
  return {
    take(address, until, giveWay) {
      if (until.aborted) return true;
      const network = networksOf(address).at(-1)!;
      if (taken >= most && !makeRoom(holders.get(network)?.size ?? 0)) return false;
      const holder = (): void => giveWay();
      const ofNetwork = holders.get(network);
      if (ofNetwork) ofNetwork.add(holder);
      else holders.set(network, new Set([holder]));
      taken += 1;
      until.addEventListener('abort', () => remove(network, holder), { once: true });
      return true;
    },
  };
}
