import type { WireData } from '@helioport/contract';

/** What an account sees of companies. */
export type Company = WireData<'company/show'>;
