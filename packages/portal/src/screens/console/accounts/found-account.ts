import type { WireData } from '@helioport/contract';

/** An account as the console finds it. */
export type AccountRow = WireData<'service/accounts'>['records'][number];
