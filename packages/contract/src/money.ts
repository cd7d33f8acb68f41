import { round } from './compat/field-kinds/scales.ts';

/** An amount of money to the hundredth, as records have it below 100,000: what is added up or shown beside them is rounded with this. */
export const roundMoney = (amount: number): number => round(amount, 2);
