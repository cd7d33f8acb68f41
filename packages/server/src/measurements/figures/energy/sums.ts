/** An energy and its value; `amount` is undefined if no price is known. */
export interface Sum {
  readonly kwh: number;
  readonly amount: number | undefined;
  /** Whether part of the energy is estimated. */
  readonly estimated: boolean;
}

/** Adds two energies; an unknown amount counts as 0. */
export const added = (a: Sum | undefined, b: Sum): Sum => ({
  kwh: (a?.kwh ?? 0) + b.kwh,
  amount: b.amount === undefined ? a?.amount : (a?.amount ?? 0) + b.amount,
  estimated: (a?.estimated ?? false) || b.estimated,
});
