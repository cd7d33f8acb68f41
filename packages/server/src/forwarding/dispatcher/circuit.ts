/** The last outcomes that are looked at. */
const OUTCOMES = 10;
/** So many failures among them open the circuit. */
const FAILURES = 7;

/** The recent outcomes at one destination. */
export interface Circuit {
  /** Notes an outcome; returns whether too many have failed. */
  note(delivered: boolean): boolean;
  /** Forgets the outcomes, after a probe has succeeded. */
  reset(): void;
}

export function createCircuit(): Circuit {
  let outcomes: boolean[] = [];
  return {
    note(delivered) {
      outcomes = [...outcomes.slice(1 - OUTCOMES), delivered];
      return outcomes.length === OUTCOMES && outcomes.filter((one) => !one).length >= FAILURES;
    },
    reset() {
      outcomes = [];
    },
  };
}
