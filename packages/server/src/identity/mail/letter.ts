/** What an e-mail says, as plain texts in its reader's language. Texts may contain anything; they are never interpreted. */
export interface Letter {
  readonly language: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Rows of a table, each with the same number of cells; the first cell names the row. */
  readonly rows?: readonly (readonly string[])[];
  /** The link to follow. */
  readonly link?: { readonly text: string; readonly url: string };
  /** Why the reader gets this, and what to do if it was not asked for. */
  readonly footer: string;
  /** The link that stops such e-mails, if nobody needs them. RFC 8058 */
  readonly stop?: { readonly text: string; readonly url: string };
}

/** The letter as plain text. */
export function textOf({ paragraphs, rows = [], link, footer, stop }: Letter): string {
  const table = rows.map(([name, ...cells]) => `${name}: ${cells.join(', ')}`).join('\n');
  return (
    [
      ...paragraphs,
      table,
      link && `${link.text}:\n${link.url}`,
      `-- \nHelioport\n${footer}${stop ? `\n${stop.text}: ${stop.url}` : ''}`,
    ]
      .filter((part) => part)
      .join('\n\n') + '\n'
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};
const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character]!);

const FONT = "font:16px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif";

/** The letter as HTML that mail programs without style sheets, scripts and images show in full. */
export function htmlOf({
  language,
  subject,
  paragraphs,
  rows = [],
  link,
  footer,
  stop,
}: Letter): string {
  const cell = (text: string, i: number): string =>
    i === 0
      ? `<th scope="row" style="padding:4px 16px 4px 0;text-align:left;font-weight:normal;color:#555">${escaped(text)}</th>`
      : `<td style="padding:4px 16px 4px 0">${escaped(text)}</td>`;
  const table = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('');
  return [
    `<!doctype html><html lang="${escaped(language)}"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#fff;color:#1c1c1c;${FONT}"><div style="max-width:560px">`,
    `<p style="color:#8a6100;font-weight:600">&#9728; Helioport</p>`,
    ...paragraphs.map((text) => `<p>${escaped(text).replaceAll('\n', '<br>')}</p>`),
    ...(table === '' ? [] : [`<table style="border-collapse:collapse">${table}</table>`]),
    ...(link
      ? [
          `<p><a href="${escaped(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#8a6100;color:#fff">${escaped(link.text)}</a></p>`,
          `<p style="font-size:13px;color:#555;word-break:break-all">${escaped(link.url)}</p>`,
        ]
      : []),
    `<p style="font-size:13px;color:#555">${escaped(footer)}`,
    ...(stop
      ? [`<br><a href="${escaped(stop.url)}" style="color:#555">${escaped(stop.text)}</a>`]
      : []),
    `</p></div></body></html>`,
  ].join('\n');
}
