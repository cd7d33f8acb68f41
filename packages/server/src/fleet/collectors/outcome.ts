/** The outcome for the elements of one list of a report. */
export interface CollectorOutcome {
  /** Number of elements that were new or changed something. */
  readonly accepted: number;
  /** Number of elements already known. */
  readonly duplicate: number;
  /** Elements that were not stored, by index. */
  readonly refused: readonly { readonly index: number; readonly reason: string }[];
}

/** The outcome for the readings of a report. */
export interface ReadingsOutcome extends CollectorOutcome {
  /** Values that were not stored, of readings that were, by the reading's index; the first ones, if there are very many. Absent if there are none. */
  readonly dropped?: readonly {
    readonly index: number;
    readonly quantity: string;
    readonly reason: string;
  }[];
  /** How many values were dropped, where `dropped` does not name all. */
  readonly droppedCount?: number;
}
