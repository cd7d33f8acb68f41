import type { JsonSchema, Operation } from '../../packages/contract/src/index.ts';
import { operations } from '../../packages/contract/src/index.ts';

/** Every declaration. */
export const everyOperation: readonly Operation[] = Object.values(operations);

export const operationOf = (id: string): Operation =>
  everyOperation.find((operation) => operation.id === id)!;

/** An operation's data for an output in our own words. */
export const projected = (id: string, output: unknown): unknown =>
  (operationOf(id).response.project as (output: unknown) => unknown)(output);

/** The records within an operation's data, whatever its container. */
export function recordsOf(data: unknown): Record<string, unknown>[] {
  if (Array.isArray(data)) return data as Record<string, unknown>[];
  const { page, records } = data as {
    page?: { records: Record<string, unknown>[] };
    records?: Record<string, unknown>[];
  };
  return page?.records ?? records ?? [data as Record<string, unknown>];
}

/** The schema of a record, whatever its container. */
export function recordSchemaOf(id: string): JsonSchema {
  const { schema } = operationOf(id).response;
  const page = schema.properties?.['page'] ?? schema;
  return page.properties?.['records']?.items ?? schema.items ?? schema;
}
