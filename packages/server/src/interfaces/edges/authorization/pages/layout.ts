import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { languages, type Language } from '@helioport/contract';
import type { FastifyReply } from 'fastify';
import { pageHtml, type PageHtml } from './html.ts';
import { withLanguage } from './languages.ts';
import { style } from './style.ts';
import { texts } from './texts/texts.ts';

// The content security policy contains the hash of exactly these characters.
const styleElement: PageHtml = { markup: `<style>${style}</style>` };
const styleHash = createHash('sha256').update(style).digest('base64');

/** Name of the script, which is served in the same folder as the pages. */
export const SCRIPT_NAME = 'pages.js';
const script = readFileSync(new URL('./pages.js', import.meta.url), 'utf8');

/** Sends the script, which adds conveniences where scripts are enabled. */
export const sendScript = (reply: FastifyReply): FastifyReply =>
  reply
    .header('Content-Type', 'text/javascript; charset=utf-8')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .header('Cache-Control', 'max-age=600')
    .send(script);

const policy = (forms: 'own' | 'any'): string =>
  [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "script-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(forms === 'own' ? ["form-action 'self'"] : []),
  ].join('; ');

/** Sends a page with no scripts but ours, nothing loaded from elsewhere, no framing, no caching and no Referer. interface O19 */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: PageHtml,
  { forms }: { forms: 'own' | 'any' },
): FastifyReply {
  return reply
    .code(status)
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Content-Security-Policy', policy(forms))
    .header('X-Frame-Options', 'DENY')
    .header('X-Content-Type-Options', 'nosniff')
    .header('Referrer-Policy', 'no-referrer')
    .header('Cache-Control', 'no-store')
    .header('Pragma', 'no-cache')
    .send(page.markup);
}

interface Frame {
  readonly language: Language;
  readonly rawQuery: string;
  readonly title: string;
}

const sun = pageHtml`<svg viewBox="0 0 24 24" aria-hidden="true">
  <circle cx="12" cy="12" r="5" fill="#f2a900" />
  <path
    d="M12 1v4M12 19v4M1 12h4M19 12h4M4.2 4.2l2.9 2.9M16.9 16.9l2.9 2.9M4.2 19.8l2.9-2.9M16.9 7.1l2.9-2.9"
    stroke="#f2a900"
    stroke-width="2"
    stroke-linecap="round"
  />
</svg>`;

/** The frame around every page's content. Links are relative, so that they work behind a proxy's prefix. */
export const layout = ({ language, rawQuery, title }: Frame, content: PageHtml): PageHtml =>
  pageHtml`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} – Helioport</title>
        <link rel="icon" href="data:," />
        ${styleElement}
        <script src="${SCRIPT_NAME}" defer></script>
      </head>
      <body>
        <main>
          <p class="brand">${sun}Helioport</p>
          ${content}
        </main>
        <nav aria-label="${texts[language].language}">
          ${(Object.keys(languages) as Language[]).map((other) =>
            other === language
              ? pageHtml`<span lang="${other}" aria-current="true">${languages[other]}</span> `
              : pageHtml`<a
                  lang="${other}"
                  hreflang="${other}"
                  href="authorize?${withLanguage(rawQuery, other)}"
                  >${languages[other]}</a
                > `,
          )}
        </nav>
      </body>
    </html> `;
