import { numberText, plainNumber, rounded, shownNumber } from '../parameters/numbers.ts';
import { startMinutes, startTimesText } from '../parameters/start-times.ts';
import { IDLE } from '../parameters/time-slots.ts';
import type { Parameter } from '../profiles/profile.ts';
import type { Encoding } from './register-map.ts';
import { powerOfTen, wordsAt, type WordAt } from './words.ts';

const LARGEST_WORD = 0xffff;
const TIME = /^(\d\d):(\d\d)-(\d\d):(\d\d)$/;

/** The text of a parameter whose words are known, in the spelling in which requests have it; undefined if a word is missing or stands for no value. */
export function decodeParameter(
  { form }: Parameter,
  encoding: Encoding,
  at: WordAt,
): string | undefined {
  switch (encoding.as) {
    case 'slots':
      return slotsText(encoding, at);
    case 'clock':
      return clockText(encoding, at);
    case 'slot':
      return slotTextAt(encoding.address, at);
    case 'times':
      return timesText(encoding, at);
    default:
  }
  const word = at(encoding.address);
  if (word === undefined) return undefined;
  switch (encoding.as) {
    case 'bits':
      return String(word);
    case 'bit':
      return ((word >> encoding.bit) & 1) === (encoding.inverted ? 0 : 1) ? '1' : '0';
    case 'forced':
      return forcedText(encoding, word, at);
    case 'choice':
      if (encoding.map === null) return String(word);
      return Object.entries(encoding.map).find(([, raw]) => raw === word)?.[0];
    case 'number': {
      const raw = encoding.signed && word > LARGEST_WORD >> 1 ? word - LARGEST_WORD - 1 : word;
      const factor = factorOf(encoding.scaleFactor, at);
      if (factor === undefined) return undefined;
      const value = rounded((raw + encoding.offset) * encoding.scale * factor);
      return numberText(value * (form.type === 'number' ? form.scale : 1));
    }
  }
}

/**
 * The words that hold a value, by address. `at` gives the words that are there, which matter for single bits.
 * Undefined if the value does not fit, or a word that has to be kept is not known.
 */
export function wordsOfParameter(
  { form }: Parameter,
  encoding: Encoding,
  text: string,
  at: WordAt,
): ReadonlyMap<number, number> | undefined {
  switch (encoding.as) {
    case 'slots':
      return slotsWords(encoding, text);
    case 'clock':
      return clockWords(encoding, text);
    case 'slot': {
      const words = slotWords(text);
      return words && mapOf(encoding.address, words);
    }
    case 'forced':
      return forcedWords(encoding, text);
    case 'times': {
      const minutes = form.type === 'times' ? startMinutes(form, text) : undefined;
      return (
        minutes &&
        mapOf(
          encoding.address,
          minutes.map((one) => Math.floor(one / 60) * 100 + (one % 60)),
        )
      );
    }
    case 'bits':
      return single(encoding.address, shownNumber(text));
    case 'choice': {
      const raw = encoding.map === null ? shownNumber(text) : encoding.map[text];
      return single(encoding.address, raw);
    }
    case 'bit': {
      const word = at(encoding.address);
      if (word === undefined || (text !== '0' && text !== '1')) return undefined;
      const mask = 1 << encoding.bit;
      const isOn = (text === '1') !== encoding.inverted;
      return single(encoding.address, isOn ? word | mask : word & ~mask);
    }
    case 'number': {
      const number = plainNumber(text);
      if (number === undefined) return undefined;
      const value = number / (form.type === 'number' ? form.scale : 1);
      const factor = factorOf(encoding.scaleFactor, at);
      if (factor === undefined) return undefined;
      const raw = rounded(value / (encoding.scale * factor) - encoding.offset);
      const isNegative = encoding.signed && raw < 0 && raw >= -(LARGEST_WORD >> 1) - 1;
      if (encoding.signed && raw > LARGEST_WORD >> 1) return undefined;
      return single(encoding.address, isNegative ? raw + LARGEST_WORD + 1 : raw);
    }
  }
}

const factorOf = (address: number | null, at: WordAt): number | undefined =>
  address === null ? 1 : powerOfTen(at(address));

const mapOf = (address: number, words: readonly number[]): Map<number, number> =>
  new Map(words.map((word, i) => [address + i, word]));

const single = (address: number, word: number | undefined): Map<number, number> | undefined =>
  word !== undefined && Number.isInteger(word) && word >= 0 && word <= LARGEST_WORD
    ? mapOf(address, [word])
    : undefined;

const two = (number: number): string => String(number).padStart(2, '0');

function clockText(
  { address, fieldsPerWord }: Extract<Encoding, { readonly as: 'clock' }>,
  at: WordAt,
): string | undefined {
  const words = wordsAt(
    at,
    Array.from({ length: 6 / fieldsPerWord }, (_, i) => address + i),
  );
  if (!words) return undefined;
  const fields = fieldsPerWord === 1 ? words : words.flatMap((word) => [word >> 8, word & 0xff]);
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = fields;
  if (year > 99 || month < 1 || month > 12 || day < 1 || day > 31) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  return `20${two(year)}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}:${two(second)}`;
}

function clockWords(
  { address, fieldsPerWord }: Extract<Encoding, { readonly as: 'clock' }>,
  text: string,
): Map<number, number> | undefined {
  const fields = /^20(\d\d)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)$/.exec(text)?.slice(1).map(Number);
  if (!fields) return undefined;
  return mapOf(
    address,
    fieldsPerWord === 1
      ? fields
      : [0, 2, 4].map((i) => ((fields[i] ?? 0) << 8) | (fields[i + 1] ?? 0)),
  );
}

function slotTextAt(address: number, at: WordAt): string | undefined {
  const words = wordsAt(at, [address, address + 1, address + 2, address + 3]);
  if (!words) return undefined;
  const [fromHour = 0, fromMinute = 0, toHour = 0, toMinute = 0] = words;
  if (Math.max(fromHour, toHour) > 23 || Math.max(fromMinute, toMinute) > 59) return undefined;
  return `${two(fromHour)}:${two(fromMinute)}-${two(toHour)}:${two(toMinute)}`;
}

const slotWords = (text: string): number[] | undefined => TIME.exec(text)?.slice(1).map(Number);

/** Whatever the device has, in order or not, so that it can be seen. */
function timesText(
  { address, count }: Extract<Encoding, { readonly as: 'times' }>,
  at: WordAt,
): string | undefined {
  const words = wordsAt(
    at,
    Array.from({ length: count }, (_, i) => address + i),
  );
  return words?.every((word) => word % 100 < 60 && word < 2400)
    ? startTimesText(words.map((word) => Math.floor(word / 100) * 60 + (word % 100)))
    : undefined;
}

type Forced = Extract<Encoding, { readonly as: 'forced' }>;
const [NONE, CHARGE, DISCHARGE] = [0, 1, 2] as const;

function forcedText({ charge, discharge, scale }: Forced, direction: number, at: WordAt) {
  if (direction === NONE) return '0';
  if (direction !== CHARGE && direction !== DISCHARGE) return undefined;
  const size = at(direction === CHARGE ? charge : discharge);
  return size === undefined
    ? undefined
    : numberText(size * scale * (direction === CHARGE ? 1 : -1));
}

function forcedWords(
  { address, charge, discharge, scale }: Forced,
  text: string,
): Map<number, number> | undefined {
  const power = plainNumber(text);
  if (power === undefined) return undefined;
  if (power === 0) return single(address, NONE);
  const size = single(power > 0 ? charge : discharge, rounded(Math.abs(power) / scale));
  return size && new Map([[address, power > 0 ? CHARGE : DISCHARGE], ...size]);
}

type Slots = Extract<Encoding, { readonly as: 'slots' }>;

function slotsText({ currents, scale, slots }: Slots, at: WordAt): string | undefined {
  const shared = wordsAt(at, currents)?.map((word) => numberText(word * scale));
  if (!shared) return undefined;
  const all = slots.map((address) => {
    const [charge, discharge] = [slotTextAt(address, at), slotTextAt(address + 4, at)];
    return charge && discharge ? [...shared, charge, discharge].join(',') : undefined;
  });
  return all.every((slot) => slot !== undefined) ? all.join(',') : undefined;
}

/** The currents of the three slots are the same two registers, so those of the slots that begin must be equal. */
function slotsWords(
  { currents, scale, slots }: Slots,
  text: string,
): Map<number, number> | undefined {
  const fields = text.split(',');
  const width = fields.length / slots.length;
  if (width !== 4 && width !== 6) return undefined;
  const words = new Map<number, number>();
  const used = new Map<number, number>();
  for (const [i, address] of slots.entries()) {
    const [charge = '', discharge = '', ...times] = fields.slice(i * width, (i + 1) * width);
    const pairs = width === 4 ? times : [`${times[0]}-${times[1]}`, `${times[2]}-${times[3]}`];
    const isIdle = pairs.every((pair) => pair === IDLE);
    for (const [n, current] of [charge, discharge].entries()) {
      const raw = rounded((plainNumber(current) ?? Number.NaN) / scale);
      const known = used.get(currents[n]!);
      if (!Number.isInteger(raw) || raw < 0 || raw > LARGEST_WORD) return undefined;
      if (isIdle) continue;
      if (known !== undefined && known !== raw) return undefined;
      used.set(currents[n]!, raw);
    }
    for (const [n, pair] of pairs.entries()) {
      const slot = slotWords(pair);
      if (!slot) return undefined;
      for (const [k, word] of slot.entries()) words.set(address + 4 * n + k, word);
    }
  }
  return new Map([...used, ...words]);
}
