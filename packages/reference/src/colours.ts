import { html, type Content } from './html.ts';

/** What a part of a program is, as a class of the style sheet. */
type Kind = 'comment' | 'string' | 'key' | 'number' | 'word';

const STRING = String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`;
const NUMBER = String.raw`(?<![\w.])-?\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b`;
const words = (list: string): string =>
  String.raw`(?<![\w.-])(?:${list.replaceAll(' ', '|')})(?![\w-])`;

const grammar = (kinds: Partial<Record<Kind, string>>): RegExp =>
  new RegExp(
    Object.entries(kinds)
      .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
      .join('|'),
    'gm',
  );

const shell = grammar({
  comment: String.raw`(?<=^|\s)#[^\n]*`,
  string: String.raw`"(?:\\[\s\S]|[^"\\])*"|'[^']*'`,
  key: String.raw`(?<=\s)--?[A-Za-z][\w-]*|^[A-Z_]+(?==)|\$\{?[A-Za-z_]\w*\}?`,
  word: words(
    'curl openssl printf export date helioport npx npm python3 sh if then else fi for do done echo',
  ),
});

const python = grammar({
  comment: String.raw`#[^\n]*`,
  string: String.raw`[rbf]{0,2}"""[\s\S]*?"""|[rbf]{0,2}(?:${STRING})`,
  number: NUMBER,
  word: words(
    'import from as def return for in if elif else not and or is None True False raise with while try except finally class lambda yield async await pass print',
  ),
});

const typescript = grammar({
  comment: String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`,
  string: `${STRING}|${String.raw`\`(?:\\.|[^\`\\])*\``}`,
  number: NUMBER,
  word: words(
    'import from export const let function return for of in if else new async await class extends throw try catch finally type interface readonly null true false undefined while typeof',
  ),
});

const json = grammar({
  key: String.raw`"(?:\\.|[^"\\])*"(?=\s*:)`,
  string: String.raw`"(?:\\.|[^"\\])*"`,
  number: NUMBER,
  word: words('true false null'),
});

/** By the names that samples and the fences of Markdown use. */
const GRAMMARS: Readonly<Record<string, RegExp>> = {
  sh: shell,
  curl: shell,
  conf: shell,
  python,
  Python: python,
  ts: typescript,
  TypeScript: typescript,
  json,
};

/** A program with the kinds of its parts marked; one in a language that is not known stays as it is. The text itself never changes. */
export function coloured(text: string, language = ''): Content {
  const rules = GRAMMARS[language];
  if (!rules) return text;
  const parts: Content[] = [];
  let end = 0;
  for (const match of text.matchAll(rules)) {
    const kind = Object.entries(match.groups!).find(([, part]) => part !== undefined)![0];
    parts.push(text.slice(end, match.index), html`<span class="${kind}">${match[0]}</span>`);
    end = match.index + match[0].length;
  }
  return [...parts, text.slice(end)];
}
