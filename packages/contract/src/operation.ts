import type { ErrorCode } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';
import type { InputOf, ParameterTable } from './parameters.ts';

/** Scopes an owner can grant. spec: Scopes. */
export type Scope = 'access_data' | 'control_device';

/** Families of operations. spec: Families of operations offered. */
export type Family = 'plants' | 'inverters' | 'collectors' | 'epm' | 'weather' | 'ammeters' | 'alarms' | 'control' | 'strategies' | 'management';

/** What a caller needs beside the right to see the plant. */
export type Permission = 'read' | 'control' | 'manage';

/** How an operation's output looks on the wire. */
export interface Response<Output> {
  readonly schema: JsonSchema;
  /** The envelope's `data`. */
  project(output: Output): unknown;
}

export interface Operation<Parameters extends ParameterTable = ParameterTable, Output = never> {
  /** The public path after its prefix, spelled as on the wire: `inverterDetail`, `collector/day`. */
  readonly id: string;
  /** Other spellings that callers use for the same operation. */
  readonly aliases?: readonly string[];
  readonly family: Family;
  readonly permission: Permission;
  /** Changes something: guarded against replay, never retried by the SDK. */
  readonly write: boolean;
  /** The scope that opens it on the OAuth interface, where it is also the path's prefix; null: user-level only. */
  readonly scope: Scope | null;
  readonly summary: string;
  readonly description?: string;
  readonly request: Parameters;
  readonly response: Response<Output>;
  readonly errors: readonly ErrorCode[];
  /** Shown in the reference and run against the server in a test. */
  readonly example: { readonly request: Record<string, unknown>; readonly data: unknown };
}

/** Input and output of an operation in the product's own words. */
export type OperationInput<O> = O extends Operation<infer P, infer _> ? InputOf<P> : never;
export type OperationOutput<O> = O extends Operation<infer _, infer R> ? R : never;

/** Declares an operation; everything else about it is derived from this. */
export const defineOperation = <const Id extends string, P extends ParameterTable, O>(
  operation: Operation<P, O> & { readonly id: Id },
): Operation<P, O> & { readonly id: Id } => operation;

/** Both prefixes are maintained and mean no version. spec: Versioning, rules 1 and 2. */
export const userPaths = (operation: { id: string; aliases?: readonly string[] }): string[] =>
  [operation.id, ...(operation.aliases ?? [])].flatMap((id) => [`/v1/api/${id}`, `/v2/api/${id}`]);

/** The paths on the OAuth interface; none without a scope. */
export const applicationPaths = (operation: { id: string; aliases?: readonly string[]; scope: Scope | null }): string[] =>
  operation.scope === null ? [] : [operation.id, ...(operation.aliases ?? [])].map((id) => `/api/${operation.scope}/${id}`);
