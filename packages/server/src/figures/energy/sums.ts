/** An energy and what it was worth; undefined where no price is known. */
export interface Sum {
  readonly kwh: number;
  readonly amount: number | undefined;
}

/** Two energies added up; an amount that is not known adds nothing. */
export const added = (a: Sum | undefined, b: Sum): Sum => ({
  kwh: (a?.kwh ?? 0) + b.kwh,
  amount: b.amount === undefined ? a?.amount : (a?.amount ?? 0) + b.amount,
});
