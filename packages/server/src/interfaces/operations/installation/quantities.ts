import { quantities } from '@helioport/contract';
import type { HandlersOf } from '../dependencies.ts';

/** The quantities that collectors may report. */
export const createQuantityOperations = (): HandlersOf<'quantity/list'> => ({
  'quantity/list': async () =>
    [...quantities.values()].map(({ bounds, ...described }) => {
      return bounds === 'power'
        ? described
        : { ...described, atLeast: bounds[0], atMost: bounds[1] };
    }),
});
