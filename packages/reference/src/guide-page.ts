import { brand } from './brand.ts';
import { readFileSync } from 'node:fs';
import { documentOf } from './document.ts';
import { guides } from './guides.ts';
import { html, type Html } from './html.ts';
import { markdown } from './markdown.ts';
import { guideScript, referenceStyle, type ReferencePage } from './page.ts';

/** A guide of docs/ as a page that looks like the reference. `name`: one of `guides`. */
export function guidePage(name: string): ReferencePage {
  const { title, body, headings } = markdown(
    readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8'),
    addressOf,
  );
  const contents = html`<b><a href="../../reference">Reference</a></b>
    <b>Guides</b>
    <ul>
      ${guides.map((guide) => html`<li><a href="${guide.name}" ${guide.name === name && html` aria-current="page"`}>${guide.title}</a></li>`)}
    </ul>
    <b>On this page</b>
    <ul>
      ${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
    </ul>`;
  const whole: Html = html`<a class="skip" href="#main">Skip to the content</a>
    <header>
      ${brand('../..')}
      <h1>${title}</h1>
      <p>A guide of the <a href="../../reference">reference</a>.</p>
    </header>
    <div class="frame">
      <nav class="side" aria-label="Contents">${contents}</nav>
      <main id="main" class="guide">
        <nav class="contents" aria-label="Contents">
          <details>
            <summary>Contents</summary>
            ${contents}
          </details>
        </nav>
        ${body}
      </main>
    </div>`;
  return {
    html: documentOf({
      title: `${title} · Helioport`,
      style: referenceStyle,
      body: whole,
      script: guideScript,
    }),
    style: referenceStyle,
    script: guideScript,
  };
}

/** Where a link of docs/ leads on these pages; undefined if its target is not on them. */
function addressOf(target: string): string | undefined {
  if (/^(?:https?:|#)/.test(target)) return target;
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(target) ?? [];
  if (guides.some((guide) => guide.name === name)) return `${name}${anchor}`;
  if (name === 'errors') return '../../reference#errors';
  return target.startsWith('openapi-') ? '../../reference' : undefined;
}
