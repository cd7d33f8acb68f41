import { readFileSync } from 'node:fs';
import { html } from './html.ts';

/** What a listener says of itself at `/`. */
export interface Front {
  readonly title: string;
  readonly text: string;
  readonly links: readonly Link[];
}

/** Where something is: a path below the page, which holds behind a proxy too, or an address. */
export interface Link {
  readonly href: string;
  readonly text: string;
}

/** A page without a script, and its style sheet to the letter: a policy allows that by its digest and nothing else. */
export interface FrontPage {
  readonly html: string;
  readonly style: string;
}

const style = ['theme', 'front'].map((name) => readFileSync(new URL(`./style/${name}.css`, import.meta.url), 'utf8')).join('');

/** The page of a listener for somebody who opened its bare address. */
export function frontPage({ title, text, links }: Front): FrontPage {
  const body = html`<main>
    <h1>${title}</h1>
    <p>${text}</p>
    <ul>
      ${links.map(({ href, text: words }) => html`<li><a href="${href}">${words}</a></li> `)}
    </ul>
  </main>`;
  const markup = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html`${title}`.markup}</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
${body.markup}
</body>
</html>
`;
  return { html: markup, style };
}
