import type { ExplorerOperation, JsonSchema } from '@helioport/contract';

/** What was typed into the form, by wire name. */
export type Typed = Readonly<Record<string, string>>;

/** The fields of a form, in the order of the declaration. */
export const requestFieldsOf = ({
  request,
}: ExplorerOperation): readonly (readonly [name: string, schema: JsonSchema])[] =>
  Object.entries(request.properties ?? {});

export const isRequired = ({ request }: ExplorerOperation, name: string): boolean =>
  request.required?.includes(name) ?? false;

const isNumeric = ({ type }: JsonSchema): boolean => type === 'integer' || type === 'number';

/** What a field stands for on the wire: numbers as numbers, lists of objects as JSON. What cannot be read so is sent as typed, for the server to say so. */
function valueOf(schema: JsonSchema, text: string): unknown {
  if (schema.type === 'array') {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      return text;
    }
  }
  const number = Number(text);
  return isNumeric(schema) && Number.isFinite(number) ? number : text;
}

/** The body of a request: what was typed; fields that were left empty are not sent. */
export const bodyOf = (
  operation: ExplorerOperation,
  typed: Typed,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    requestFieldsOf(operation).flatMap(([name, schema]) => {
      const text = (typed[name] ?? '').trim();
      return text === '' ? [] : [[name, valueOf(schema, text)]];
    }),
  );
