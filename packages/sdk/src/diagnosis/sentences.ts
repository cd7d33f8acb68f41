import type { Cause, Fault } from './fault.ts';
import { visibly } from './visible.ts';

/** How faults are worded in one language: what is wrong, and what to change. */
export type FaultSentences = Readonly<Record<Cause, (fault: Fault) => string>>;

/** The sentence for a fault. */
export const sentenceOf = (sentences: FaultSentences, fault: Fault): string =>
  sentences[fault.cause](fault);

/** The facts of a fault as they stand in sentences. */
export const wordsOf = ({ was = '', should = '', part = '', seconds = 0, place = 0 }: Fault) => ({
  was: visibly(was),
  should: visibly(should),
  part,
  place,
  /** As hours, minutes and seconds without a sign, for example `5:30:00`. */
  time: timeOf(Math.abs(seconds)),
  isAhead: seconds > 0,
});

const two = (n: number): string => String(n).padStart(2, '0');
const timeOf = (seconds: number): string =>
  `${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;

/** A sentence that is made of the words of a fault. */
export const worded =
  (write: (words: ReturnType<typeof wordsOf>, fault: Fault) => string) => (fault: Fault) =>
    write(wordsOf(fault), fault);
