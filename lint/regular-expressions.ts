import { parseSync } from 'oxc-parser';
import type { Sources } from './sources.ts';

/** A regular expression in the sources. */
export interface Expression {
  /** `path: /pattern/flags`. */
  readonly place: string;
  readonly pattern: string;
  readonly flags: string;
}

/** The literals of regular expressions, each once a file. Those put together at run time are not seen. */
export function expressionsIn(sources: Sources): Expression[] {
  const found = new Map<string, Expression>();
  const walk = (path: string, node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { regex } = node as { regex?: { pattern: string; flags: string } };
    if (regex) {
      const place = `${path}: /${regex.pattern}/${regex.flags}`;
      found.set(place, { place, ...regex });
    } else for (const child of Object.values(node)) walk(path, child);
  };
  for (const [path, text] of sources) walk(path, parseSync(path, text).program);
  return [...found.values()];
}

/** Ever longer, so that what takes cubic or exponential time is found before it takes minutes. */
const LENGTHS = [16, 20, 24, 28, 32, 40, 50, 65, 80, 100, 400, 1_500];
/** No linear expression needs as long for the longest of them, even on a slow machine, in milliseconds. */
const MUCH_MS = 5;
/** Every linear expression needs less than this, or time in proportion to the text. */
const SUSPECT_MS = 0.05;
const MANY = 6_000;

/**
 * A text for which the time grows faster than its length; undefined if none of those tried is. Most expressions that have one have many: with `oneIn`,
 * only so many of them are tried.
 */
export function hostileText(
  { pattern, flags }: Pick<Expression, 'pattern' | 'flags'>,
  oneIn = 1,
): string | undefined {
  if (!/[^\\][+*]|,\}/.test(pattern)) return undefined;
  const expression = new RegExp(pattern, flags.includes('y') ? flags : flags.replace('g', ''));
  const msOf = (text: string): number => {
    expression.lastIndex = 0;
    const from = performance.now();
    expression.test(text);
    return performance.now() - from;
  };
  const least = (text: string, times: number): number =>
    Math.min(...Array.from({ length: times }, () => msOf(text)));
  let tried = 0;
  for (const { before, pump, after } of attacksOn(pattern)) {
    // Scattered, since their ends take turns.
    if ((Math.imul(tried++, 0x9e3779b1) >>> 16) % oneIn !== 0) continue;
    const text = (length: number): string =>
      before + pump.repeat(Math.ceil(length / pump.length)) + after;
    const attack = `${before}(${pump})*${after}`;
    const isMuch = (length: number, times: number): boolean => least(text(length), times) > MUCH_MS;
    if (LENGTHS.some((length) => isMuch(length, 1) && isMuch(length, 10))) return attack;
    const few = LENGTHS.at(-1)!;
    if (msOf(text(few)) < SUSPECT_MS || least(text(few), 3) < SUSPECT_MS) continue;
    // Four times the length takes four times as long, or sixteen times and more. Measured again and again, since other processes take their time in between.
    const grows = (times: number): boolean =>
      least(text(MANY), times) > (least(text(few), times) * MANY * 2) / few;
    if ([2, 5, 10, 20].every(grows)) return attack;
  }
  return undefined;
}

interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly after: string;
}

/** Texts made of what the pattern asks for: a beginning, much of the same, and an end that does not fit. */
function* attacksOn(pattern: string): Generator<Attack> {
  const { characters, words } = samplesOf(pattern);
  const beginnings = ['', ...words, ...characters];
  for (const before of beginnings)
    for (const pump of [...words, ...pairsOf(characters)])
      for (const after of UNFIT) yield { before, pump, after };
  for (const before of [...beginnings, ...pairsOf(characters.slice(0, 6))])
    for (const pump of characters)
      for (const after of [...UNFIT, ...characters]) yield { before, pump, after };
}

const UNFIT = ['\0', '\n\0', '!'];

const CLASSES: Readonly<Record<string, string>> = {
  s: ' ',
  S: '~',
  d: '0',
  w: 'a',
  W: '~',
  D: '~',
  p: '\0',
  P: '~',
};
const ANY = 'x';

function samplesOf(pattern: string): { characters: string[]; words: string[] } {
  const characters = new Set([ANY]);
  const plain = pattern
    .replace(/\(\?<?[=!:]|\(\?<\w+>|\{\d+,?\d*\}/g, ' ')
    .replace(/\\([sSdwWDpP])(?:\{[^}]*\})?/g, (_, name: string) => {
      characters.add(CLASSES[name]!);
      return ' ';
    })
    .replace(/\\(?:[bBnrt]|u\w{4})/g, ' ');
  for (const [character] of plain.matchAll(/[^\\^$.*+?|\s]/g))
    if (characters.size < MOST) characters.add(character);
  for (const [, escaped] of plain.matchAll(/\\([^\w\s])/g)) characters.add(escaped!);
  const words = [...plain.matchAll(/(?:\w|\\[^\w\s]){2,}/g)].map(([word]) =>
    word.replaceAll('\\', ''),
  );
  return { characters: [...characters], words: words.slice(0, MOST) };
}

const MOST = 9;

const pairsOf = (characters: readonly string[]): string[] =>
  characters.flatMap((one) =>
    characters.filter((other) => other !== one).map((other) => one + other),
  );
