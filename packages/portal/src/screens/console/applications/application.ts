import type { WireData } from '@helioport/contract';

/** An application as the console lists it. */
export type Application = WireData<'application/list'>[number];

export type Decision = 'approve' | 'reject' | 'disable' | 'enable';
