/** Markup with escaped text. */
export interface PageHtml {
  readonly markup: string;
}

type Part = PageHtml | readonly PageHtml[] | string | number | false | undefined;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const markupOf = (part: Part): string => {
  if (part === false || part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number')
    return String(part).replace(/[&<>"']/g, (character) => ESCAPES[character]!);
  return 'markup' in part ? part.markup : part.map(markupOf).join('');
};

/** A template that escapes its values, except for results of this function. */
export const pageHtml = (texts: TemplateStringsArray, ...parts: Part[]): PageHtml => ({
  markup: texts.reduce((markup, text, i) => markup + markupOf(parts[i - 1]) + text),
});
