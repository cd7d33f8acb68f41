import type { ErrorCode } from './errors.ts';
import type { JsonSchema } from './json-schema.ts';
import { readParameters, type InputOf, type ParameterFault, type ParameterTable } from './parameters.ts';

/** Scopes an owner can grant. interface O15 */
export type Scope = 'access_data' | 'control_device';

/** Families of operations. interface W2 */
export type Family = 'plants' | 'inverters' | 'collectors' | 'epm' | 'weather' | 'ammeters' | 'alarms' | 'control' | 'strategies' | 'management';

/** What a caller needs beside the right to see the plant. */
export type Permission = 'read' | 'control' | 'manage';

/** How an operation's output looks on the wire. */
export interface Response<Output, Data = unknown> {
  readonly schema: JsonSchema;
  /** The envelope's `data`. */
  project(output: Output): Data;
  /** `project(output)` as JSON, where that can be written in one pass. */
  text?(output: Output): string;
}

export interface Operation<Parameters extends ParameterTable = ParameterTable, Output = never, Data = unknown> {
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
  /** Our own addition: the existing interface has no such operation. */
  readonly own?: true;
  readonly summary: string;
  readonly description?: string;
  readonly request: Parameters;
  /** Of these parameters (our own names) at least one must be sent. */
  readonly needsOneOf?: readonly (keyof Parameters & string)[];
  /** Of these parameters (our own names) at most one may be sent. */
  readonly atMostOneOf?: readonly (keyof Parameters & string)[];
  readonly response: Response<Output, Data>;
  readonly errors: readonly ErrorCode[];
  /** Shown in the reference and run against the server in a test. */
  readonly example: { readonly request: Record<string, unknown>; readonly data: unknown };
}

/** Input and output of an operation in the product's own words. */
export type OperationInput<O> = O extends { readonly request: infer P extends ParameterTable } ? InputOf<P> : never;
export type OperationOutput<O> = O extends { readonly response: Response<infer R, infer _> } ? R : never;

/** The envelope's `data` as it is on the wire. */
export type OperationData<O> = O extends { readonly response: Response<never, infer D> } ? D : never;

/** Declares an operation; everything else about it is derived from this. */
export const defineOperation = <const Id extends string, const Write extends boolean, P extends ParameterTable, O, D>(
  operation: Operation<P, O, D> & { readonly id: Id; readonly write: Write },
): Operation<P, O, D> & { readonly id: Id; readonly write: Write } => operation;

/** How the parameters of a request go together. */
interface RequestRules<P extends ParameterTable> {
  readonly request: P;
  readonly needsOneOf?: readonly (keyof P & string)[];
  readonly atMostOneOf?: readonly (keyof P & string)[];
}

/** Reads a request body for an operation: its parameters, then whether those that go together were sent. */
export function readRequest<P extends ParameterTable>(
  { request, needsOneOf, atMostOneOf }: RequestRules<P>,
  body: Readonly<Record<string, unknown>>,
): { input: InputOf<P> } | { fault: ParameterFault } {
  const read = readParameters(request, body);
  if ('fault' in read) return read;
  const isSent = (name: keyof P & string): boolean => read.input[name] !== undefined;
  if (needsOneOf && !needsOneOf.some(isSent)) {
    return { fault: { error: 'missingParameter', data: { field: request[needsOneOf[0]!]!.names[0], expected: namesOf(request, needsOneOf) } } };
  }
  const [, second] = atMostOneOf?.filter(isSent) ?? [];
  if (second !== undefined) return { fault: { error: 'invalidValue', data: { field: request[second]!.names[0], expected: namesOf(request, atMostOneOf!) } } };
  return read;
}

const namesOf = (table: ParameterTable, wanted: readonly string[]): string => `one of ${wanted.map((name) => table[name]!.names[0]).join(', ')}`;

/** Both prefixes are maintained and mean no version. interface S28 */
export const userPaths = (operation: { id: string; aliases?: readonly string[] }): string[] =>
  [operation.id, ...(operation.aliases ?? [])].flatMap((id) => [`/v1/api/${id}`, `/v2/api/${id}`]);

/** The paths on the OAuth interface; none without a scope. */
export const applicationPaths = (operation: { id: string; aliases?: readonly string[]; scope: Scope | null }): string[] =>
  operation.scope === null ? [] : [operation.id, ...(operation.aliases ?? [])].map((id) => `/api/${operation.scope}/${id}`);
