import { rewriteJson } from '@helioport/contract';
import { latin1, percent, textOf, utf16, utf8 } from './bytes.ts';

/** Ways in which programs and proxies write a body differently. */
export type Rewrite =
  | 'compact'
  | 'spaced'
  | 'indented'
  | 'sorted'
  | 'escaped'
  | 'slashes'
  | 'lineFeedAdded'
  | 'lineFeedRemoved'
  | 'crlf'
  | 'lf'
  | 'bomAdded'
  | 'bomRemoved'
  | 'latin1'
  | 'utf16'
  | 'quoted'
  | 'singleQuotes'
  | 'form'
  | 'emptyObject'
  | 'empty';

/** A body as it was written elsewhere. */
export interface BodyText {
  readonly rewrite: Rewrite;
  readonly bytes: Uint8Array;
}

const BOM = '\ufeff';

/** Requests are short; each text that is tried takes as much memory as the body. */
const BYTES_AT_MOST = 64 * 1024;

/** The texts that a body may have had elsewhere, the likeliest first; the body itself is not among them. None of a body that is too long. */
export function bodyTexts(body: Uint8Array): BodyText[] {
  const text = body.length > BYTES_AT_MOST ? undefined : textOf(body);
  if (text === undefined) return [];
  const found: BodyText[] = [];
  const add = (rewrite: Rewrite, ...texts: readonly (string | undefined)[]): void => {
    for (const one of texts)
      if (one !== undefined && one !== text) found.push({ rewrite, bytes: utf8(one) });
  };
  const plain = text.startsWith(BOM) ? text.slice(1) : text;
  add('lineFeedAdded', `${text}\n`, `${text}\r\n`);
  add('lineFeedRemoved', text.replace(/\r?\n$/, ''), text.trim());
  add('bomAdded', BOM + text);
  add('bomRemoved', plain);
  add('crlf', text.replace(/\r?\n/g, '\r\n'));
  add('lf', text.replaceAll('\r\n', '\n'), text.replaceAll('\r', ''), text.replace(/[\r\n]+/g, ''));
  const forms = jsonForms(plain.trim());
  for (const { rewrite, texts } of forms) add(rewrite, ...texts);
  // Editors and `echo` end what they write with a line feed, whatever else is different.
  for (const { rewrite, texts } of forms)
    add(
      rewrite,
      ...texts.flatMap((one) => [`${one}\n`, `${one}\r\n`, one.replaceAll('\n', '\r\n')]),
    );
  if (/[^\x00-\x7f]/.test(text)) found.push({ rewrite: 'latin1', bytes: latin1(text) });
  found.push(
    { rewrite: 'utf16', bytes: utf16(text) },
    { rewrite: 'utf16', bytes: utf16(BOM + text) },
  );
  add('emptyObject', '{}');
  add('empty', '', 'null', 'undefined');
  return found;
}

const COMPACT = { comma: ',', colon: ':' };
// The separators that Python's json.dumps writes by default.
const SPACED = { comma: ', ', colon: ': ' };

interface JsonForms {
  readonly rewrite: Rewrite;
  readonly texts: readonly string[];
}

function jsonForms(text: string): JsonForms[] {
  const value = parsed(text);
  const written = (separators: typeof COMPACT, nonAscii: 'raw' | 'escaped'): string[] => {
    const whole = value === undefined ? undefined : rewriteJson(text, separators, nonAscii);
    return whole === undefined ? [] : [whole];
  };
  if (value === undefined || isDeep(text)) return [];
  const sorted = JSON.stringify(sortKeys(value));
  const [compact, spaced] = [written(COMPACT, 'raw'), written(SPACED, 'raw')];
  return [
    { rewrite: 'compact', texts: [...compact, JSON.stringify(value)] },
    { rewrite: 'spaced', texts: spaced },
    {
      rewrite: 'indented',
      texts: [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent)),
    },
    { rewrite: 'sorted', texts: [sorted, rewriteJson(sorted, SPACED, 'raw') ?? sorted] },
    { rewrite: 'escaped', texts: [...written(COMPACT, 'escaped'), ...written(SPACED, 'escaped')] },
    { rewrite: 'slashes', texts: compact.map((whole) => whole.replaceAll('/', String.raw`\/`)) },
    {
      rewrite: 'quoted',
      texts: [JSON.stringify(text), ...compact.map((whole) => JSON.stringify(whole))],
    },
    { rewrite: 'singleQuotes', texts: spaced.map((whole) => whole.replaceAll('"', "'")) },
    { rewrite: 'form', texts: [formOf(value)] },
  ];
}

/** The value of a JSON text; undefined if it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const LEVELS_AT_MOST = 100;

/** Whether arrays and objects lie deeper within each other than functions may call themselves. Brackets in strings count too. */
function isDeep(text: string): boolean {
  let [level, deepest] = [0, 0];
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    level += bracket === '[' || bracket === '{' ? 1 : -1;
    deepest = Math.max(deepest, level);
  }
  return deepest > LEVELS_AT_MOST;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, item]) => [key, sortKeys(item)] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const formOf = (value: unknown): string =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(
          ([key, item]) =>
            `${percent(key)}=${percent(typeof item === 'string' ? item : JSON.stringify(item))}`,
        )
        .join('&')
    : '';
