import type { JsonSchema } from '../json-schema.ts';

/** What the explorer needs to know of an operation: `data` of GET /portal/operations is a list of these. */
export interface ExplorerOperation {
  readonly id: string;
  /** The path of a signed request. */
  readonly path: string;
  /** Its family's id, and that in words. */
  readonly family: string;
  readonly familyTitle: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether it changes something. */
  readonly write: boolean;
  /** The body of a request, as in the OpenAPI document: an object with `properties` and `required`. */
  readonly request: JsonSchema;
}
