import { operationsBy, type Operation, type OperationIdBy } from '@helioport/contract';

/** Operations for signed requests about plants and what stands in them; test/doors asks all others. */
export type PlantOperation = Exclude<OperationIdBy<'signed'>, `invitation/${string}`>;

export const plantOperations = operationsBy('signed').filter(({ family }) => family !== 'invitations') as (Operation & { readonly id: PlantOperation })[];
