import type { ErrorCode } from './error-codes.ts';
import type { JsonSchema } from './json-schema.ts';
import {
  readParameters,
  type InputOf,
  type ParameterFault,
  type ParameterTable,
} from './parameters.ts';

/** Scopes that an owner can grant. interface O15 */
export type Scope = 'access_data' | 'control_device';

/**
 * How an operation may be called: with a signed request, with a Bearer token, with an application's own credentials (HTTP Basic), by somebody signed
 * in at the portal, at the console by an account with the role operator, by such an account with an owner's permission to look, or by the operator on the
 * command line.
 */
export type Door = 'signed' | 'oauth' | 'client' | 'portal' | 'console' | 'support' | 'operator';

/** The doors of monitoring operations. */
export const QUERY_DOORS = ['signed', 'oauth', 'portal', 'support'] as const;

/** Families of operations. interface W2 */
export type Family =
  | 'plants'
  | 'inverters'
  | 'collectors'
  | 'epm'
  | 'weather'
  | 'ammeters'
  | 'alarms'
  | 'control'
  | 'strategies'
  | 'management'
  | 'discoveries'
  | 'invitations'
  | 'shares'
  | 'companies'
  | 'tariffs'
  | 'accounts'
  | 'keys'
  | 'authorizations'
  | 'applications'
  | 'forwarding'
  | 'notifications'
  | 'installation'
  | 'service';

/** The right that a caller needs: to see the plant, to control it, to install its devices, or to manage it as its owner. */
export type Permission = 'read' | 'control' | 'install' | 'manage';

/** How an operation's output looks on the wire. */
export interface Response<Output, Data = unknown> {
  readonly schema: JsonSchema;
  /** Makes the envelope's `data`. */
  project(output: Output): Data;
  /** `project(output)` as JSON text, if that can be written in one pass. */
  text?(output: Output): string;
  /** Members of the envelope beside `data`. */
  beside?(output: Output): Readonly<Record<string, string>>;
}

export interface Operation<
  Parameters extends ParameterTable = ParameterTable,
  Output = never,
  Data = unknown,
> {
  /** The public path after its prefix, spelled as on the wire: `inverterDetail`, `collector/day`. */
  readonly id: string;
  /** Other spellings that callers use for the same operation. */
  readonly aliases?: readonly string[];
  readonly family: Family;
  readonly permission: Permission;
  /** Whether it changes something: it is then guarded against replay, and the SDK does not retry it. */
  readonly write: boolean;
  /** The doors through which it may be called. Listeners with other doors do not serve the operation at all. */
  readonly doors: readonly Door[];
  /** The scope that a token needs, which is also the path's prefix on the OAuth interface. Required with the door `oauth`, not allowed without it. */
  readonly scope?: Scope;
  /**
   * Whether accounts with the role operator may call it at the portal too, about their own account. Nothing else there is open to them: they see no
   * plants.
   */
  readonly operatorsToo?: true;
  /** Whether this is an addition of ours, which the existing interface does not have. */
  readonly own?: true;
  readonly summary: string;
  readonly description?: string;
  readonly request: Parameters;
  /** At least one of these parameters (our own names) must be sent. */
  readonly needsOneOf?: readonly (keyof Parameters & string)[];
  /** At most one of these parameters (our own names) may be sent. */
  readonly atMostOneOf?: readonly (keyof Parameters & string)[];
  /** These parameters (our own names) make sense only together: all or none must be sent. */
  readonly allOrNoneOf?: readonly (keyof Parameters & string)[];
  readonly response: Response<Output, Data>;
  readonly errors: readonly ErrorCode[];
  /** Shown in the reference, and run against the server in a test. */
  readonly example: { readonly request: Record<string, unknown>; readonly data: unknown };
}

/** Input and output of an operation, under our own names. */
export type OperationInput<O> = O extends { readonly request: infer P extends ParameterTable }
  ? InputOf<P>
  : never;
export type OperationOutput<O> = O extends { readonly response: Response<infer R, infer _> }
  ? R
  : never;

/** The envelope's `data` on the wire. */
export type OperationData<O> = O extends { readonly response: Response<never, infer D> }
  ? D
  : never;

/** Declares an operation; everything else about it is derived from this. Throws if it has a scope without the door `oauth`, or the door without a scope. */
export function defineOperation<
  const Id extends string,
  const Write extends boolean,
  const Doors extends readonly Door[],
  P extends ParameterTable,
  O,
  D,
>(
  operation: Operation<P, O, D> & { readonly id: Id; readonly write: Write; readonly doors: Doors },
): Operation<P, O, D> & { readonly id: Id; readonly write: Write; readonly doors: Doors } {
  if (hasDoor(operation, 'oauth') !== (operation.scope !== undefined))
    throw new Error(`${operation.id}: the door oauth and a scope go together`);
  return operation;
}

/** Whether an operation may be called through a door. */
export const hasDoor = ({ doors }: { readonly doors: readonly Door[] }, door: Door): boolean =>
  doors.includes(door);

/** The parameters of a request, and which may or must be combined. */
interface RequestRules<P extends ParameterTable> {
  readonly request: P;
  readonly needsOneOf?: readonly (keyof P & string)[];
  readonly atMostOneOf?: readonly (keyof P & string)[];
  readonly allOrNoneOf?: readonly (keyof P & string)[];
}

/** Reads a request body for an operation: first each parameter, then checks how they are combined. */
export function readRequest<P extends ParameterTable>(
  { request, needsOneOf, atMostOneOf, allOrNoneOf = [] }: RequestRules<P>,
  body: Readonly<Record<string, unknown>>,
): { input: InputOf<P> } | { fault: ParameterFault } {
  const read = readParameters(request, body);
  if ('fault' in read) return read;
  const isSent = (name: keyof P & string): boolean => read.input[name] !== undefined;
  if (needsOneOf && !needsOneOf.some(isSent)) {
    return {
      fault: {
        error: 'missingParameter',
        data: { field: request[needsOneOf[0]!]!.names[0], expected: namesOf(request, needsOneOf) },
      },
    };
  }
  const [, second] = atMostOneOf?.filter(isSent) ?? [];
  if (second !== undefined)
    return {
      fault: {
        error: 'invalidValue',
        data: { field: request[second]!.names[0], expected: namesOf(request, atMostOneOf!) },
      },
    };
  const [given, missing] = [allOrNoneOf.find(isSent), allOrNoneOf.find((name) => !isSent(name))];
  if (given !== undefined && missing !== undefined) {
    return {
      fault: {
        error: 'missingParameter',
        data: {
          field: request[missing]!.names[0],
          expected: `sent together with ${request[given]!.names[0]}`,
        },
      },
    };
  }
  return read;
}

const namesOf = (table: ParameterTable, wanted: readonly string[]): string =>
  `one of ${wanted.map((name) => table[name]!.names[0]).join(', ')}`;

/** The properties of an operation that determine its paths. */
type Entered = Pick<Operation, 'id' | 'aliases' | 'doors' | 'scope'>;

const prefixes: Record<Door, (operation: Entered) => readonly string[]> = {
  // Both prefixes are supported; they do not stand for versions. interface S28
  signed: () => ['/v1/api/', '/v2/api/'],
  oauth: ({ scope }) => [`/api/${scope}/`],
  portal: () => ['/portal/api/'],
  console: () => ['/portal/console/'],
  support: () => ['/portal/support/'],
  client: () => ['/oauth/'],
  // The command line calls without a path.
  operator: () => [],
};

/** The paths of an operation through a door; none if the door is closed. */
export function pathsOf(operation: Entered, door: Door): string[] {
  if (!hasDoor(operation, door)) return [];
  const { id, aliases = [] } = operation;
  return [id, ...aliases].flatMap((name) =>
    prefixes[door](operation).map((prefix) => prefix + name),
  );
}

/** The path for signed requests that examples show: existing clients use the second prefix for control operations, and the first for everything else. */
export const signedPath = (operation: Entered & Pick<Operation, 'permission'>): string =>
  pathsOf(operation, 'signed')[operation.permission === 'control' ? 1 : 0]!;
