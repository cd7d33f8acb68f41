import type { Socket } from 'node:net';
import {
  createSharedPlaces,
  createStrangers,
} from '../../../platform/kernel/addresses/strangers.ts';

interface StrangerLimits {
  /** Of all networks. */
  readonly strangers: number;
  readonly strangersOfNetwork: number;
}

/** Bounds connections of which nobody knows yet whose they are. Returns what to abort once that is known; ends one that has no place. */
export function createStrangerGate({
  strangers,
  strangersOfNetwork,
}: StrangerLimits): (socket: Socket) => AbortController | undefined {
  const networks = createStrangers(strangersOfNetwork);
  const places = createSharedPlaces(strangers);
  return (socket) => {
    const { remoteAddress: address = '' } = socket;
    const known = new AbortController();
    const end = (): void => void socket.destroy();
    if (networks.admit(address, known.signal) && places.take(address, known.signal, end))
      return known;
    known.abort();
    end();
    return undefined;
  };
}
