import type { JsonSchema } from './json-schema.ts';
import type { ParameterTable } from './parameters.ts';

/** What a parameter is for, which values it takes, and its other names. */
export const parameterSentence = ({
  meaning,
  schema,
  names: [, ...others],
}: ParameterTable[string]): string =>
  [
    meaning,
    schema.description,
    others.length > 0 && `also called ${others.map((name) => `\`${name}\``).join(', ')}`,
  ]
    .filter((part) => typeof part === 'string')
    .join('; ');

/**
 * The schema of the record in an answer's `data`, with two texts for the reference: `container` says what the record is in, and `having` introduces
 * its fields.
 */
export function unwrap(schema: JsonSchema): {
  container: string;
  having: string;
  record: JsonSchema;
} {
  const { page, records } = schema.properties ?? {};
  if (page?.properties?.['records']?.items) {
    const counts = Object.keys(schema.properties ?? {}).find(
      (key) => key !== 'page' && key !== 'mpptSwitch',
    );
    const beside = counts === undefined ? '' : ` and the counters \`${counts}\``;
    return {
      container: `an object with a \`page\`${beside}`,
      having: '. Each of the page’s `records` has',
      record: page.properties['records'].items,
    };
  }
  if (records?.items)
    return { container: 'a page', having: '. Each of its `records` has', record: records.items };
  if (schema.items)
    return { container: 'an array', having: '. Each of its elements has', record: schema.items };
  return {
    container: schema.type === 'null' ? 'null' : schema.type === 'string' ? 'text' : 'an object',
    having: ' with',
    record: schema,
  };
}

/** The type of a field, or the values that it takes. */
export const typeText = ({ type, enum: values }: JsonSchema): string =>
  values === undefined
    ? String(type)
    : values.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
