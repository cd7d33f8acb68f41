import { readMailbox } from '../../platform/kernel/addresses/mailbox.ts';

/**
 * What an e-mail says, as plain texts in its reader's language. Texts may contain anything; they are never interpreted, nor do mail programs find
 * links in them: other people name plants and applications, and what they write must not look like our invitation to follow a link.
 */
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

// Marks that turn the direction of writing, which could make a name read as something else in front of our words.
const TURNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

// Breaks of a line or paragraph that are no control characters, so that names may hold them.
const LINE_BREAKS = /[\u2028\u2029]/gu;

/** A text in which mail programs find no link: an invisible break follows the dots of domains and the colon of a scheme. Addresses stay as they are. */
const plain = (text: string): string =>
  text
    .replace(TURNS, '')
    .replace(LINE_BREAKS, ' ')
    .replace(/(?<!\S)\S*[.:]\S*/gu, (word) =>
      readMailbox(word) === undefined
        ? word.replace(/(?<=[\p{L}\p{N}-])(?:[.。．｡](?=[\p{L}])|:(?=\/\/))/gu, '$&\u200b')
        : word,
    );

/** The subject, on one line. */
export const letterSubjectOf = ({ subject }: Letter): string =>
  plain(subject).replaceAll(/\p{Cc}+/gu, ' ');

/** The letter as plain text. */
export function letterTextOf({ paragraphs, rows = [], link, footer, stop }: Letter): string {
  const table = rows.map(([name, ...cells]) => plain(`${name}: ${cells.join(', ')}`)).join('\n');
  return (
    [
      ...paragraphs.map(plain),
      table,
      link && `${link.text}:\n${link.url}`,
      `-- \nHelioport\n${plain(footer)}${stop ? `\n${stop.text}: ${stop.url}` : ''}`,
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
const shown = (text: string): string => escaped(plain(text));

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
      ? `<th scope="row" style="padding:4px 16px 4px 0;text-align:left;font-weight:normal;color:#555">${shown(text)}</th>`
      : `<td style="padding:4px 16px 4px 0">${shown(text)}</td>`;
  const table = rows.map((cells) => `<tr>${cells.map(cell).join('')}</tr>`).join('');
  return [
    `<!doctype html><html lang="${escaped(language)}"><head><meta charset="utf-8"><title>${shown(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#fff;color:#1c1c1c;${FONT}"><div style="max-width:560px">`,
    `<p style="color:#8a6100;font-weight:600">&#9728; Helioport</p>`,
    ...paragraphs.map((text) => `<p>${shown(text).replaceAll('\n', '<br>')}</p>`),
    ...(table === '' ? [] : [`<table style="border-collapse:collapse">${table}</table>`]),
    ...(link
      ? [
          `<p><a href="${escaped(link.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#8a6100;color:#fff">${escaped(link.text)}</a></p>`,
          `<p style="font-size:13px;color:#555;word-break:break-all">${escaped(link.url)}</p>`,
        ]
      : []),
    `<p style="font-size:13px;color:#555">${shown(footer)}`,
    ...(stop
      ? [`<br><a href="${escaped(stop.url)}" style="color:#555">${escaped(stop.text)}</a>`]
      : []),
    `</p></div></body></html>`,
  ].join('\n');
}
