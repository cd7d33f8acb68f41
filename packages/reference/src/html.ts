/** Markup that is safe to output as it is. */
export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | undefined | false | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);

function markupOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'object')
    return 'markup' in content ? content.markup : content.map(markupOf).join('');
  return escape(String(content));
}

/** Markup with values inserted. Text is escaped, so that no input becomes markup. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Html => ({
  markup: parts.reduce((whole, part, i) => whole + markupOf(values[i - 1]) + part),
});

/** Text in which parts between backquotes become `code`. */
export const prose = (text: string): Content =>
  text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));

/** Parts with commas between them. */
export const list = (parts: readonly Content[]): Content =>
  parts.map((part, i) => (i === 0 ? part : [', ', part]));

/** A table with a heading for each column. */
export const table = (headings: readonly string[], rows: readonly (readonly Content[])[]): Html =>
  tableOf(
    headings,
    rows.map((cells) => ({ cells })),
    false,
  );

interface Row {
  /** The anchor of the row, for links. */
  readonly id?: string;
  readonly cells: readonly Content[];
}

/** A table whose rows the search narrows down to those that match. */
export const rowTable = (headings: readonly string[], rows: readonly Row[]): Html =>
  tableOf(headings, rows, true);

const tableOf = (headings: readonly string[], rows: readonly Row[], searched: boolean): Html =>
  html`<div class="scroll"><table${searched && html` data-rows`}>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map(({ id, cells }) => html`<tr${id !== undefined && html` id="${id}"`}>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody></table></div>`;
