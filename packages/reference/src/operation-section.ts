import {
  errors,
  hasDoor,
  parameterSentence,
  typeText,
  unwrap,
  type JsonSchema,
  type Operation,
} from '@helioport/contract';
import { anchorOf } from './anchor.ts';
import { coloured } from './colours.ts';
import { html, list, prose, rowTable, table, type Content, type Html } from './html.ts';
import { exampleOf, shownValue } from './example-fields.ts';
import { missingNote, type Request } from './requests.ts';
import type { Sample } from './samples.ts';
import { pre } from './program.ts';

/** How an interface offers an operation. */
export interface Offer {
  readonly paths: readonly string[];
  readonly samples: readonly Sample[];
  /** Placeholders in the samples that the reader has to replace. */
  readonly missing: Request['missing'];
  /** Where it can be tried with one's own plants. */
  readonly tryAt?: string;
}

/** An operation with its parameters, fields, refusals and requests to copy. `described` maps each record to the operation under which its fields are listed. */
export function operationSection(
  operation: Operation,
  { paths, samples, missing, tryAt }: Offer,
  described: Map<JsonSchema, string>,
): Html {
  const { id, family, summary, description, example } = operation;
  return html`<section id="${anchorOf(id)}" data-part data-in="${family}">
    <h3>
      <a href="#${anchorOf(id)}"><code>${id}</code></a>
    </h3>
    <p>${prose(summary)}${description !== undefined && [' ', prose(description)]}</p>
    <p>${tags(operation)}</p>
    <p class="endpoint"><span class="method">POST</span> <code>${paths[0]}</code></p>
    ${paths.length > 1 && html`<p class="also">or ${list(paths.slice(1).map((path) => html`<code>${path}</code>`))}</p>`}
    <h4>Parameters</h4>
    ${parameters(operation)}
    <h4>Request</h4>
    ${tryAt !== undefined && html`<p><a href="${tryAt}">Try it with your own plants</a>, in the portal.</p>`}
    ${missingNote(missing)} ${sampleList(samples)}
    <h4>Answer</h4>
    ${answer(operation, described)}
    <details>
      <summary>Example of <code>data</code></summary>
      ${pre(JSON.stringify(example.data, null, 2), 'json')}
    </details>
    ${refusals(operation)}
  </section> `;
}

const tags = ({ own, write, doors }: Operation): Content => [
  own === true && html`<span class="tag own">addition of this service</span>`,
  write
    ? html`<span class="tag write">write: carried out once per request</span>`
    : html`<span class="tag">reads</span>`,
  hasDoor({ doors }, 'client')
    ? html`<span class="tag">with the application’s own credentials</span>`
    : !hasDoor({ doors }, 'oauth') && html`<span class="tag">user-level only</span>`,
];

function parameters({ id, request, needsOneOf = [], allOrNoneOf = [] }: Operation): Html {
  const rows = Object.entries(request).map(([key, parameter]) => {
    const need = parameter.required
      ? 'required'
      : needsOneOf.includes(key)
        ? 'one of these'
        : allOrNoneOf.includes(key)
          ? 'together'
          : 'optional';
    return {
      id: `${anchorOf(id)}.request.${key}`,
      cells: [html`<code>${parameter.names[0]}</code>`, need, prose(parameterSentence(parameter))],
    };
  });
  return rows.length === 0
    ? html`<p>None: send <code>{}</code>.</p>`
    : rowTable(['Name', 'Needed', 'Meaning'], rows);
}

/** The samples in all three languages, the first one unfolded. */
export const sampleList = (samples: readonly Sample[]): Html =>
  html`<div class="samples">
    ${samples.map(
      ({ language, text }, i) =>
        html`<details data-language="${language}" ${i === 0 && html` open`}>
          <summary>${language}</summary>
          ${pre(text, language)}
        </details> `,
    )}
  </div>`;

function answer({ id, response, example }: Operation, described: Map<JsonSchema, string>): Html {
  const { container, having, record } = unwrap(response.schema);
  const fields = Object.entries(record.properties ?? {});
  if (fields.length === 0) return html`<p><code>data</code>: ${prose(container)}.</p>`;
  const known = described.get(record);
  if (known !== undefined)
    return html`<p>
      <code>data</code>: ${prose(container + having)} the fields of
      <a href="#${anchorOf(known)}">${known}</a>.
    </p>`;
  described.set(record, id);
  const rows = fields.map(([name, schema]) => ({
    id: `${anchorOf(id)}.${name}`,
    cells: [
      html`<a href="#${anchorOf(id)}.${name}"><code>${name}</code></a>`,
      typeText(schema).replaceAll('`', ''),
      exampleCell(example.data, name),
      schema.description ?? '',
    ],
  }));
  return html`<p><code>data</code>: ${prose(container + having)} these fields:</p>
    <details>
      <summary>${fields.length} fields</summary>
      ${rowTable(['Field', 'Type', 'Example', 'Meaning'], rows)}
    </details>`;
}

/** What the example answers in a field. */
function exampleCell(data: unknown, name: string): Content {
  const value = exampleOf(data, name);
  return value === undefined
    ? ''
    : html`<code class="value">${coloured(shownValue(value), 'json')}</code>`;
}

function refusals({ errors: names }: Operation): Content {
  if (names.length === 0) return undefined;
  const rows = names.map((name) => [
    html`<code>${errors[name].code}</code>`,
    errors[name].message,
    prose(errors[name].advice),
  ]);
  return html`<h4>Refusals</h4>
    ${table(['Code', 'Cause', 'What to do'], rows)}`;
}
