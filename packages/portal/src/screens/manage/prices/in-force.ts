import type { WireData } from '@helioport/contract';
import { serverNow } from '../../../wire/server-clock.ts';

export type Tariff = WireData<'tariff/list'>[number];

/** The price that applies now, of several for one use, ascending by their begin; undefined before the first. */
export const inForce = (versions: readonly Tariff[]): Tariff | undefined =>
  versions.findLast(({ fromAt = 0 }) => fromAt <= serverNow());
