/** What became of some parts of a report. */
export interface Outcome {
  /** What was new or changed something. */
  readonly accepted: number;
  /** What was known. */
  readonly duplicate: number;
  /** What was not stored, by its place in the report. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}
