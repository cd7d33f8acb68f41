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
