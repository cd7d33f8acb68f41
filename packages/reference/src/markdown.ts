import { html, table, type Content, type Html } from './html.ts';
import { pre } from './program.ts';

/** A page of docs/. */
export interface MarkdownPage {
  readonly title: string;
  readonly body: Html;
  /** Its sections, with the anchors that other pages link to. */
  readonly headings: readonly { readonly id: string; readonly text: string }[];
}

/** Where a link leads; undefined makes it plain text. */
type AddressOf = (target: string) => string | undefined;

/**
 * Reads the Markdown that docs/ is written in: headings, paragraphs, lists, tables, fenced code, and code, bold and links within lines.
 * test/reference/guides.test.ts finds whatever else somebody begins to use.
 */
export function markdown(text: string, addressOf: AddressOf): MarkdownPage {
  const lines = text.split('\n');
  const blocks: Content[] = [];
  const headings: { id: string; text: string }[] = [];
  const inline = (line: string): Content => spans(line, addressOf);
  let title = '';
  for (let i = 0; i < lines.length;) {
    const line = lines[i]!;
    const take = (isPart: (line: string) => boolean): string[] => {
      const end = lines.findIndex((next, at) => at > i && !isPart(next));
      return lines.slice(i, (i = end < 0 ? lines.length : end));
    };
    const [, level, words] = /^(#{1,4}) (.+)$/.exec(line) ?? [];
    if (line.trim() === '') i++;
    else if (words !== undefined) {
      i++;
      if (level === '#') title = plain(words);
      else blocks.push(heading(level!.length, words, inline, headings));
    } else if (line.startsWith('```')) {
      const end = lines.indexOf('```', i + 1);
      blocks.push(pre(lines.slice(i + 1, end).join('\n'), line.slice(3).split(' ')[0]));
      i = end + 1;
    } else if (line.startsWith('|')) {
      const [head, , ...rows] = take((next) => next.startsWith('|')).map(cellsOf);
      blocks.push(
        table(
          head!.map(plain),
          rows.map((row) => row.map(inline)),
        ),
      );
    } else if (ITEM.test(line))
      blocks.push(
        list(
          take((next) => ITEM.test(next) || /^\s+\S/.test(next)),
          inline,
        ),
      );
    else
      blocks.push(
        html`<p>
          ${inline(take((next) => next.trim() !== '' && !/^(?:#|\||```)/.test(next) && !ITEM.test(next)).join('\n'))}
        </p>`,
      );
  }
  return { title, body: html`${blocks}`, headings };
}

const ITEM = /^(?:-|\d+\.) /;

function heading(
  level: number,
  words: string,
  inline: (line: string) => Content,
  headings: { id: string; text: string }[],
): Html {
  const [id, text] = [slugOf(words), plain(words)];
  if (level === 2) headings.push({ id, text });
  const content = html`<a href="#${id}">${inline(words)}</a>`;
  return level === 2 ? html`<h2 id="${id}">${content}</h2>` : html`<h3 id="${id}">${content}</h3>`;
}

function list(lines: readonly string[], inline: (line: string) => Content): Html {
  const items: string[] = [];
  for (const line of lines) {
    if (ITEM.test(line)) items.push(line.replace(ITEM, ''));
    else items.push(`${items.pop()}\n${line.trim()}`);
  }
  const content = items.map((item) => html`<li>${inline(item)}</li>`);
  return lines[0]!.startsWith('-')
    ? html`<ul>
        ${content}
      </ul>`
    : html`<ol>
        ${content}
      </ol>`;
}

/** The cells of a line of a table. A stroke within a cell has a backslash before it. */
const cellsOf = (line: string): string[] =>
  line
    .replace(/^\||\|\s*$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

const SPAN = /`([^`]+)`|\*\*(.+?)\*\*|\[([^\]]+)\]\(([^)]+)\)/gs;

function spans(line: string, addressOf: AddressOf): Content {
  const parts: Content[] = [];
  let end = 0;
  for (const match of line.matchAll(SPAN)) {
    const [whole, code, bold, words, target] = match;
    parts.push(line.slice(end, match.index));
    end = match.index + whole.length;
    const address = target === undefined ? undefined : addressOf(target);
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (bold !== undefined) parts.push(html`<strong>${spans(bold, addressOf)}</strong>`);
    else
      parts.push(
        address === undefined
          ? spans(words!, addressOf)
          : html`<a href="${address}">${spans(words!, addressOf)}</a>`,
      );
  }
  return [...parts, line.slice(end)];
}

const plain = (line: string): string => line.replaceAll('`', '').replaceAll('**', '');

/** The anchor of a heading, made as code hosts make it, since the pages of docs/ link to each other by it. */
const slugOf = (words: string): string =>
  plain(words)
    .toLowerCase()
    .replace(/[^\p{Letter}\p{Number}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
