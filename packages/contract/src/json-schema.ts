/** The part of JSON Schema 2020-12 that the contract's declarations use. */
export interface JsonSchema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  default?: unknown;
  examples?: readonly unknown[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: readonly string[];
  dependentRequired?: Record<string, readonly string[]>;
  additionalProperties?: boolean | JsonSchema;
  anyOf?: readonly JsonSchema[];
  not?: JsonSchema;
  /** Unit of the value. */
  'x-unit'?: string;
  /** The sibling field that names the unit. */
  'x-unit-field'?: string;
}
