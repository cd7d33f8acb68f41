import type { WireData } from '@helioport/contract';

/** An account as the console finds it. */
export type FoundAccount = WireData<'service/accounts'>['records'][number];
