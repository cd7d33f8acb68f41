/** The last outcomes that are looked at. */
const OUTCOMES = 10;
/** So many failures among them open the circuit. */
const FAILURES = 7;

/** The recent outcomes at a destination with one more: `+` delivered, `-` failed, the newest last. */
export const withOutcome = (outcomes: string, delivered: boolean): string =>
  `${outcomes}${delivered ? '+' : '-'}`.slice(-OUTCOMES);

/** Whether so many attempts have failed that a destination is left alone. */
export const isFailing = (outcomes: string): boolean =>
  outcomes.length === OUTCOMES && outcomes.replaceAll('+', '').length >= FAILURES;
