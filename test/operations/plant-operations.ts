import { operationsBy, type Operation, type OperationIdBy } from '@helioport/contract';

/** Operations for signed requests about plants and what stands in them; test/commands and test/strategies ask those that control devices, test/doors all others. */
export type PlantOperation = Exclude<
  OperationIdBy<'signed'>,
  `invitation/${string}` | `discovery/${string}` | `strategy/${string}` | ControlOperation
>;

/** Operations that read and set parameters of devices. */
export type ControlOperation =
  | 'control'
  | 'atRead'
  | 'atReadBatch'
  | 'atReadSAPN'
  | 'result'
  | 'login'
  | `command/${string}`
  | `control/${string}`;

export const plantOperations = operationsBy('signed').filter(
  ({ family }) => !['invitations', 'discoveries', 'control', 'strategies'].includes(family),
) as (Operation & {
  readonly id: PlantOperation;
})[];
