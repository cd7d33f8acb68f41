import { latin1, percent, utf16, utf8 } from '../bytes.ts';
import { joined, type Parts, type Recipe, type Variant } from '../recipe.ts';

const lf = joined('\n');
const whole =
  (change: (text: string) => string): Recipe['layout'] =>
  (parts) =>
    change(lf(parts));
const list = ({
  method,
  contentMd5,
  contentType,
  date,
  path,
}: Parts): [string, string, string, string, string] => [
  method,
  contentMd5,
  contentType,
  date,
  path,
];

const PART_NAMES = ['POST', 'Content-MD5', 'Content-Type', 'Date', 'path'];

const layout = (
  cause: Variant['fault']['cause'],
  how: Recipe['layout'],
  facts: Omit<Variant['fault'], 'cause'> = {},
): Variant => ({
  fault: { cause, ...facts },
  change: { layout: how },
});

/** Mistakes in putting the five parts together. */
export const layouts: readonly Variant[] = [
  layout('crlf', joined('\r\n')),
  layout(
    'endsWithLineFeed',
    whole((text) => `${text}\n`),
  ),
  layout(
    'endsWithLineFeed',
    whole((text) => `${text}\r\n`),
  ),
  layout('crlf', (parts) => `${joined('\r\n')(parts)}\r\n`),
  layout('literalLineFeed', joined(String.raw`\n`)),
  layout('literalLineFeed', joined(String.raw`\r\n`)),
  layout('notJoined', joined('')),
  layout('cr', joined('\r')),
  ...[' ', '\t', ',', ', ', '&', '|', ':', ';', '+', '-', '.'].map((separator) =>
    layout('joinedOtherwise', joined(separator), { was: separator }),
  ),
  layout('emptyLine', joined('\n\n')),
  layout(
    'emptyLine',
    whole((text) => `\n${text}`),
  ),
  // Where other services have a line for headers of their own.
  layout('emptyLine', (parts) => list(parts).with(4, `\n${parts.path}`).join('\n')),
  ...PART_NAMES.flatMap((part, left) => [
    layout(
      'partLeftOut',
      (parts) =>
        list(parts)
          .filter((_, i) => i !== left)
          .join('\n'),
      { part },
    ),
    layout('partLeftOut', (parts) => list(parts).with(left, '').join('\n'), { part }),
  ]),
  layout(
    'quotedText',
    whole((text) => JSON.stringify(text)),
  ),
  layout(
    'quotedText',
    whole((text) => JSON.stringify(text).slice(1, -1)),
  ),
  layout(
    'quotedText',
    whole((text) => `"${text}"`),
  ),
  layout(
    'caseOfText',
    whole((text) => text.toLowerCase()),
  ),
  layout(
    'caseOfText',
    whole((text) => text.toUpperCase()),
  ),
  layout('percentText', whole(percent)),
  layout(
    'percentText',
    whole((text) => encodeURI(text.toWellFormed())),
  ),
];

/** The parts in every other order. */
export const orders: readonly Variant[] = permutations([0, 1, 2, 3, 4]).map((order) =>
  layout('order', (parts) => order.map((i) => list(parts)[i]!).join('\n'), {
    was: order.map((i) => PART_NAMES[i]!).join(', '),
  }),
);

/** Character sets other than UTF-8. */
export const charsets: readonly Variant[] = [
  { fault: { cause: 'charset', was: 'UTF-16' }, change: { charset: utf16 } },
  {
    fault: { cause: 'charset', was: 'UTF-16' },
    change: { charset: (text) => utf16(`\ufeff${text}`) },
  },
  {
    fault: { cause: 'charset', was: 'UTF-8, BOM' },
    change: { charset: (text) => utf8(`\ufeff${text}`) },
  },
  { fault: { cause: 'charset', was: 'ISO 8859-1' }, change: { charset: latin1 } },
];

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}
