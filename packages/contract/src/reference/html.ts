/** Markup that is safe to print as it is. */
export interface Html {
  readonly markup: string;
}

export type Content = Html | string | number | undefined | false | readonly Content[];

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escape = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!);

function markupOf(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'object') return 'markup' in content ? content.markup : content.map(markupOf).join('');
  return escape(String(content));
}

/** Markup with values in it; text is escaped, so that nothing that somebody wrote becomes markup. */
export const html = (parts: TemplateStringsArray, ...values: readonly Content[]): Html => ({
  markup: parts.reduce((whole, part, i) => whole + markupOf(values[i - 1]) + part),
});

/** Text with `code` between back quotes. */
export const prose = (text: string): Content => text.split('`').map((part, i) => (i % 2 === 0 ? part : html`<code>${part}</code>`));

/** A table whose columns have a heading each. */
export const table = (headings: readonly string[], rows: readonly (readonly Content[])[], search = false): Html =>
  html`<div class="scroll"><table${search && html` data-rows`}>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (cells) =>
    html`<tr>
      ${cells.map((cell) => html`<td>${cell}</td>`)}
    </tr> `,
)}</tbody></table></div>`;

/** Text to copy. */
export const pre = (text: string, language?: string): Html =>
  html`<pre${language !== undefined && html` data-language="${language}"`}><code>${text}</code></pre>`;
