import { brand } from './brand.ts';
import { families as familyTexts, type JsonSchema, type Operation } from '@helioport/contract';
import { readFileSync } from 'node:fs';
import { anchorOf } from './anchor.ts';
import { documentOf } from './document.ts';
import { guides } from './guides.ts';
import { html, type Html } from './html.ts';
import { operationSection, type Offer } from './operation-section.ts';
import { topicSection, type Topic } from './topics.ts';

/** A page, and its exact inline parts: the content security policy allows only these, by their digests. */
export interface ReferencePage {
  readonly html: string;
  readonly style: string;
  readonly script: string;
}

/** The content of a reference page. */
export interface PageContent {
  readonly title: string;
  readonly url: string;
  readonly version: string;
  readonly topics: readonly Topic[];
  readonly operations: readonly Operation[];
  readonly offer: (operation: Operation) => Offer;
}

const textOf = (file: string): string => readFileSync(new URL(file, import.meta.url), 'utf8');

// In order of precedence: later rules win.
/** The style sheet of the reference and its guides. */
export const referenceStyle = ['theme', 'frame', 'text', 'blocks', 'colours', 'media']
  .map((name) => textOf(`./style/${name}.css`))
  .join('');
/** What guides need of the script: buttons that copy programs. */
export const guideScript = textOf('./copy.js');
const script = `${textOf('./page.js')}${guideScript}`;

/** The reference of an interface as one page without external resources. */
export function referencePage(content: PageContent): ReferencePage {
  const { title, url, version, topics, operations, offer } = content;
  const families = [...new Set(operations.map(({ family }) => family))].map(
    (family) => [family, operations.filter((one) => one.family === family)] as const,
  );
  const described = new Map<JsonSchema, string>();
  const contents = html`<b data-group="start">Start</b>
    <ul>
      ${topics.map(({ id, title: name }) => html`<li><a href="#${id}">${name}</a></li>`)}
    </ul>
    <b data-group="guides">Guides</b>
    <ul data-group="guides">
      ${guides.map(({ name, title: words }) => html`<li><a href="reference/guides/${name}">${words}</a></li>`)}
    </ul>
    ${families.map(
      ([family, members]) =>
        html`<b data-group="${family}">${familyTexts[family].title}</b>
          <ul>
            ${members.map(({ id }) => html`<li><a href="#${anchorOf(id)}">${id}</a></li>`)}
          </ul> `,
    )}`;
  const body: Html = html`<a class="skip" href="#main">Skip to the content</a>
    <header>
      ${brand('.')}
      <h1>${title}</h1>
      <p>
        Version ${version} at <code>${url}</code>. Also as
        <a href="${new URL(url).pathname.replace(/\/$/, '')}/openapi.json">OpenAPI 3.1</a>.
      </p>
    </header>
    <search class="find">
      <div hidden>
        <input
          id="search"
          type="search"
          placeholder="Search operations, fields, errors"
          aria-label="Search"
          aria-keyshortcuts="/"
          autocomplete="off"
          spellcheck="false"
        /><output id="found" for="search"></output>
      </div>
    </search>
    <div class="frame">
      <nav class="side" aria-label="Contents">${contents}</nav>
      <main id="main">
        <nav class="contents" aria-label="Contents">
          <details>
            <summary>Contents</summary>
            ${contents}
          </details>
        </nav>
        ${topics.map(topicSection)}
        ${families.map(
          ([family, members]) =>
            html`<h2 class="family" data-group="${family}">${familyTexts[family].title}</h2>
              ${members.map((operation) => operationSection(operation, offer(operation), described))}`,
        )}
        <p id="nothing" hidden></p>
        <footer>
          Generated from the declarations that the server itself checks requests with. Press
          <kbd>/</kbd> to search, <kbd>Enter</kbd> for the best match, <kbd>Esc</kbd> to see all
          again.
        </footer>
      </main>
    </div>`;
  return {
    html: documentOf({ title, style: referenceStyle, body, script }),
    style: referenceStyle,
    script,
  };
}
