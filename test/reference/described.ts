import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, unknown>> }>>
    >
  >;
}

/** An answer as a client got it. */
interface Given {
  readonly path: string;
  readonly method?: 'post' | 'get';
  readonly status: number;
  readonly body: unknown;
}

/** The OpenAPI document that a server gives, and what its answers hold beyond it. */
export async function describedAt(url: string) {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as Described;
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { uri: true } });
  ajv.addSchema(closed(document) as object, 'document');
  const at = (pointer: readonly string[]): string =>
    `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  const find = (pointer: readonly string[]): any =>
    pointer.reduce<any>((node, part) => node?.[part], document);

  /** Where an answer is described. */
  function place({ path, method = 'post', status }: Given): readonly string[] {
    const pointer = ['paths', path, method, 'responses', String(status)];
    const reference: string | undefined = find(pointer)?.$ref;
    return reference === undefined ? pointer : reference.slice(2).split('/');
  }

  return {
    /** What an answer has that is not described, or lacks; keys that no schema names count. */
    faultsOf(given: Given): unknown[] {
      const pointer = [...place(given), 'content', 'application/json'];
      const media = find(pointer);
      if (media === undefined) return [`status ${given.status} of ${given.path} is not described`];
      // The branch that the answer claims, so that faults are named and not only "neither".
      const branch = media.schema.anyOf
        ? ['anyOf', (given.body as { success: boolean }).success ? '0' : '1']
        : [];
      const fits = ajv.getSchema(at([...pointer, 'schema', ...branch]))!;
      return fits(given.body) ? [] : (fits.errors ?? []).map(faultText);
    },
    /** Codes of refusals that are described for an answer. */
    codesOf(given: Given): string[] {
      const examples: Record<string, { value: { success: boolean; code: string } }> =
        find([...place(given), 'content', 'application/json'])?.examples ?? {};
      return Object.values(examples).flatMap(({ value }) => (value.success ? [] : [value.code]));
    },
    /** Headers that are described for an answer. */
    headersOf: (given: Given): string[] => Object.keys(find(place(given))?.headers ?? {}),
  };
}

const faultText = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath} ${message} ${JSON.stringify(params)}`;

/** Every object with named properties takes no others. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]));
  return copy['type'] === 'object' && copy['properties'] !== undefined
    ? { ...copy, additionalProperties: false }
    : copy;
}
