import { coloured } from './colours.ts';
import { html, type Html } from './html.ts';

/** Text to copy, in the colours of its language. */
export const pre = (text: string, language?: string): Html =>
  html`<pre${language !== undefined && html` data-language="${language}"`}><code>${coloured(text, language)}</code></pre>`;
