/** An energy and what it was worth; undefined where no price is known. */
export interface Sum {
  readonly kwh: number;
  readonly amount: number | undefined;
  /** Part of it was integrated from power or is the share of a longer time. */
  readonly estimated: boolean;
}

/** Two energies added up; an amount that is not known adds nothing. */
export const added = (a: Sum | undefined, b: Sum): Sum => ({
  kwh: (a?.kwh ?? 0) + b.kwh,
  amount: b.amount === undefined ? a?.amount : (a?.amount ?? 0) + b.amount,
  estimated: (a?.estimated ?? false) || b.estimated,
});
