import type { OperationId } from '@helioport/contract';
import type { HandlersOf, OperationDependencies } from './dependencies.ts';
import { createInverterOperations } from './inverters.ts';
import { createPlantOperations } from './plants.ts';

export type { OperationDependencies } from './dependencies.ts';

/** A handler for every operation of the contract; one that is missing does not type-check. */
export type Operations = HandlersOf<OperationId>;

export const createOperations = (deps: OperationDependencies): Operations => ({
  ...createPlantOperations(deps),
  ...createInverterOperations(deps),
});
