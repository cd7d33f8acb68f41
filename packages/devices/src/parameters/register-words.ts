import { numberText, shownNumber } from './numbers.ts';
import type { Parameter } from '../profiles/profile.ts';

const LARGEST_WORD = 0xffff;

/** The word that a register holds for a value; undefined if the register is not known, or the value does not fit. */
export function wordOf({ register }: Parameter, value: string): number | undefined {
  const number = shownNumber(value);
  return register !== null && number !== undefined && isWord(number) ? number : undefined;
}

/** The value that a register's word stands for; undefined if the register is not known. */
export const valueOfWord = ({ register }: Parameter, word: number): string | undefined =>
  register !== null && isWord(word) ? numberText(word) : undefined;

const isWord = (number: number): boolean =>
  Number.isInteger(number) && number >= 0 && number <= LARGEST_WORD;
