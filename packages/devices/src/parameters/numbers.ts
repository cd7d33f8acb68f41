const PLAIN = /^-?(?:0|[1-9]\d{0,8})(?:\.\d{1,3})?$/;
const SHOWN = /^\s*[+-]?\d{1,9}(?:\.\d{1,6})?\s*$/;

/** Reads a number as clients write it; undefined for anything else, such as exponents, leading zeros and blanks. */
export const plainNumber = (text: string): number | undefined =>
  PLAIN.test(text) ? Number(text) : undefined;

/** Reads a number as devices show it: leading and trailing zeros do not matter. */
export const shownNumber = (text: string): number | undefined =>
  SHOWN.test(text) ? Number(text) : undefined;

/** The text of a number with at most six decimals, never with an exponent or as `-0`. */
export const numberText = (value: number): string => String(rounded(value));

/** Rounds to six decimals, which removes the errors of binary fractions. */
export const rounded = (value: number): number => Math.round(value * 1e6) / 1e6;
