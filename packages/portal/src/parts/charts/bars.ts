/** A kind of energy, in kWh; every period has a bar for it. */
export interface BarSeries {
  readonly key: string;
  readonly label: string;
  readonly colour: string;
}

/** Something of a period that is read beside its bars, such as what it earned. */
export interface BarFact {
  readonly label: string;
  readonly text: string;
  /** What the text says, for machines: an amount and its unit, such as a currency. */
  readonly amount: number;
  readonly unit: string;
}

/** How an energy divides into what was one's own, of which the label is the share, and what the grid gave or took. */
export interface BarSplit {
  readonly label: string;
  readonly wholeKwh: number;
  readonly gridKwh: number;
  readonly ownPercent: number;
  readonly own: readonly [label: string, colour: string];
  readonly grid: readonly [label: string, colour: string];
}

/** What is known of a period. */
export interface Figures {
  readonly kwh: Readonly<Record<string, number | undefined>>;
  readonly facts: readonly BarFact[];
  readonly splits: readonly BarSplit[];
}

/** The figures of a period, with its name. */
export interface Named extends Figures {
  readonly label: string;
}

export interface ChartBar extends Named {
  /** `2026-11-06`, `2026-11` or `2026`. */
  readonly key: string;
  /** The name that fits below a bar. */
  readonly short: string;
  /** The energies of what it is compared with. */
  readonly before?: Figures['kwh'] | undefined;
}

/** The series of which a period has something: what others stand for is not there. */
export const partsOf = ({ kwh }: Figures, series: readonly BarSeries[]): readonly BarSeries[] =>
  series.filter(({ key }) => kwh[key] !== undefined);
