import type { DataOfOperation, OperationId } from '@helioport/contract';

/** What a caller sends: the names of the reference. */
export type WireRequest<Id extends OperationId> = Id extends OperationId ? Readonly<Record<string, unknown>> : never;

/** The envelope's data. */
export type WireData<Id extends OperationId> = DataOfOperation<Id>;
