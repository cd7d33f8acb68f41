import { readFileSync } from 'node:fs';
import { documentOf } from './document.ts';
import { html } from './html.ts';

/** The content of a listener's front page, at `/`. */
export interface Front {
  readonly title: string;
  readonly text: string;
  readonly links: readonly Link[];
  /** The text of a button that sends an empty form to the page's own address. */
  readonly button?: string;
  /** Of the texts; en by default. */
  readonly language?: string;
}

/** A link, either to a path below the page, which also works behind a proxy, or to a full address. */
export interface Link {
  readonly href: string;
  readonly text: string;
}

/** A page without a script, and its exact style sheet: the content security policy allows only that, by its digest. */
export interface FrontPage {
  readonly html: string;
  readonly style: string;
}

const style = ['theme', 'front']
  .map((name) => readFileSync(new URL(`./style/${name}.css`, import.meta.url), 'utf8'))
  .join('');

/** The page that a listener shows at its root address. */
export function frontPage({ title, text, links, button, language }: Front): FrontPage {
  const body = html`<main>
    <h1>${title}</h1>
    <p>${text}</p>
    ${button === undefined ? '' : html`<form method="post"><button>${button}</button></form>`}
    <ul>
      ${links.map(({ href, text: words }) => html`<li><a href="${href}">${words}</a></li> `)}
    </ul>
  </main>`;
  return {
    html: documentOf({ title, style, body, ...(language !== undefined && { language }) }),
    style,
  };
}
