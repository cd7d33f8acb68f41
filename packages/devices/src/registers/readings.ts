import type { QuantityName, Values } from '@helioport/contract';
import type { DecodedBlock } from './decode.ts';
import type { RegisterMap, RegisterValue } from './register-map.ts';

/** Decides between registers and answers for one device; one per device, for as long as it is polled. */
export interface Readings {
  /** What may be reported of a block. */
  take(decoded: DecodedBlock): Values;
}

/**
 * Several registers can stand for a quantity. That which comes first in the profile counts as soon as it has had a value once, so
 * that a counter never changes between two registers. A state of charge of 0 counts when it is read a second time, since it is what
 * a device shows for a moment when it has lost its battery's management.
 */
export function createReadings(map: RegisterMap): Readings {
  const ranks = new Map<RegisterValue, number>(
    map.blocks.flatMap(({ values }) => values).map((register, i) => [register, i]),
  );
  const best = new Map<QuantityName, number>();
  let isEmpty = false;
  return {
    take({ values, origins }) {
      const taken: { [Name in QuantityName]?: number } = {};
      for (const [quantity, register] of origins) {
        const rank = ranks.get(register)!;
        const known = best.get(quantity);
        if (known !== undefined && known < rank) continue;
        best.set(quantity, rank);
        const value = values[quantity]!;
        if (quantity === 'batterySocPercent') {
          const wasEmpty = isEmpty;
          isEmpty = value === 0;
          if (isEmpty && !wasEmpty) continue;
        }
        taken[quantity] = value;
      }
      return taken;
    },
  };
}
