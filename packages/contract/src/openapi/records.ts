import { unwrap } from '../describe.ts';
import type { JsonSchema } from '../json-schema.ts';
import type { Operation } from '../operation.ts';

/** The records of a document. Each is described once, under its own name. */
export interface NamedRecords {
  /** Under `#/components/schemas`. */
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** A schema in which records are replaced by references. */
  refer(schema: JsonSchema): JsonSchema;
}

/** Records are named after the first operation that returns them: `StationDetail`, or `StationDayRecord` if it returns a list. */
export function nameRecords(operations: readonly Operation[]): NamedRecords {
  const names = new Map<JsonSchema, string>();
  for (const { id, response } of operations) {
    const { record } = unwrap(response.schema);
    if (record.properties === undefined || names.has(record)) continue;
    names.set(record, pascal(id) + (record === response.schema ? '' : 'Record'));
  }
  const refer = (schema: JsonSchema): JsonSchema => {
    const name = names.get(schema);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
    const { items, properties } = schema;
    return {
      ...schema,
      ...(items && { items: refer(items) }),
      ...(properties && {
        properties: Object.fromEntries(
          Object.entries(properties).map(([key, value]) => [key, refer(value)]),
        ),
      }),
    };
  };
  return { schemas: Object.fromEntries([...names].map(([schema, name]) => [name, schema])), refer };
}

const pascal = (id: string): string =>
  id.replaceAll(/(?:^|\/)([a-z])/g, (_, letter: string) => letter.toUpperCase());
