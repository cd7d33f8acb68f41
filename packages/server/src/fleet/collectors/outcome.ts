/** The outcome for the elements of one list of a report. */
export interface Outcome {
  /** Number of elements that were new or changed something. */
  readonly accepted: number;
  /** Number of elements already known. */
  readonly duplicate: number;
  /** Elements that were not stored, by index. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}
