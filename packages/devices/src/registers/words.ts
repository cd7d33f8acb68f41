import type { WordType } from './register-map.ts';

/** The words of a device as far as they have been read; undefined for a hole. */
export type WordAt = (address: number) => number | undefined;

const SIGN_16 = 0x8000;
const ALL_16 = 0xffff;
const ALL_32 = 0xffff_ffff;
const SIGN_32 = 0x8000_0000;

/** Raw values that devices show for what they could not measure. */
const notMeasured: { readonly [Type in WordType]?: readonly number[] } = {
  u16: [ALL_16],
  s16: [-SIGN_16, SIGN_16 - 1],
  u32: [ALL_32],
  s32: [-SIGN_32, SIGN_32 - 1],
  // All bits set, as near as a number comes to it.
  u64: [2 ** 64],
};

export const isNotMeasured = (type: WordType, raw: number): boolean =>
  Number.isNaN(raw) || (notMeasured[type]?.includes(raw) ?? false);

/** Reads words, the high word first, as a number; undefined for text. */
export function rawNumber(type: WordType, words: readonly number[]): number | undefined {
  const [high = 0, low = 0] = words;
  switch (type) {
    case 'u16':
      return high;
    case 's16':
      return high >= SIGN_16 ? high - ALL_16 - 1 : high;
    case 'u32':
      return high * (ALL_16 + 1) + low;
    case 's32':
      return (high << 16) | low;
    case 'u64':
      return words.reduce((sum, word) => sum * (ALL_16 + 1) + word, 0);
    case 'float32': {
      const view = new DataView(new ArrayBuffer(4));
      view.setUint16(0, high);
      view.setUint16(2, low);
      return view.getFloat32(0);
    }
    default:
      return undefined;
  }
}

/** Reads words as text: ASCII, two characters a word, without blanks and NUL around it; hexadecimal digits; or swapped decimal digits. */
export function rawText(type: WordType, words: readonly number[]): string | undefined {
  switch (type) {
    case 'text': {
      const text = words
        .flatMap((word) => [word >> 8, word & 0xff])
        .map((code) => String.fromCodePoint(code))
        .join('')
        .replace(/\0[\s\S]*$/, '')
        .trim();
      return /^[\x20-\x7e]+$/.test(text) ? text : undefined;
    }
    case 'hex':
      return words.map((word) => word.toString(16).padStart(4, '0')).join('');
    case 'bcd': {
      const digits = words
        .flatMap((word) => [word >> 8, word & 0xff])
        .map((byte) => `${(byte & 0xf).toString(16)}${(byte >> 4).toString(16)}`)
        .join('');
      return /^\d+$/.test(digits) ? digits : undefined;
    }
    default:
      return undefined;
  }
}

/** The words at the addresses; undefined if one is missing. */
export function wordsAt(at: WordAt, addresses: readonly number[]): number[] | undefined {
  const words = addresses.map(at);
  return words.every((word) => word !== undefined) ? words : undefined;
}

const LARGEST_POWER = 10;

/** What a scale factor multiplies by: a power of ten from -10 to 10. Undefined if the word stands for none, or was not read. */
export function powerOfTen(word: number | undefined): number | undefined {
  const exponent = word === undefined ? undefined : rawNumber('s16', [word]);
  return exponent === undefined || Math.abs(exponent) > LARGEST_POWER ? undefined : 10 ** exponent;
}
