import type { JsonSchema } from './json-schema.ts';

/** Why the parameters of a request were refused, before the operation was called. */
export interface ParameterFault {
  readonly error: 'missingParameter' | 'invalidValue';
  readonly data: { readonly field: string; readonly expected?: string };
}

/** The value of a parameter is invalid. */
export class InvalidParameter extends Error {
  readonly expected: string;
  constructor(expected: string) {
    super(expected);
    this.expected = expected;
  }
}

/** One key of a request body. Existing clients send numbers as text and text as numbers, so every kind accepts both. */
export interface RequestParameter<T, Name extends string = string> {
  /** The wire name, then other names that some callers use. */
  readonly names: readonly [Name, ...string[]];
  readonly required: boolean;
  /** Whether the parameter takes a list. */
  readonly many?: true;
  /** What the parameter is for; `schema.description` says which values it takes. */
  readonly meaning?: string;
  readonly schema: JsonSchema;
  /** Reads what was sent, which is undefined if it was absent, null or blank. Throws InvalidParameter. */
  read(raw: unknown): T;
}

/** The request of an operation: our own name -> the parameter. */
export interface ParameterTable {
  readonly [name: string]: RequestParameter<unknown>;
}

export type InputOf<P extends ParameterTable> = {
  readonly [K in keyof P]: P[K] extends RequestParameter<infer T> ? T : never;
};

/** The values that a caller may send for a parameter. Numbers may be text, and lists may be text with commas. */
type Sent<T> =
  Exclude<T, undefined> extends number
    ? number | string
    : Exclude<T, undefined> extends boolean
      ? boolean | number | string
      : Exclude<T, undefined> extends readonly string[]
        ? string | readonly (string | number)[]
        : Exclude<T, undefined> extends readonly object[]
          ? readonly object[]
          : string | number;

/** A request as the caller writes it, under wire names. */
export type RequestOf<P extends ParameterTable> = {
  readonly [
    K in keyof P as P[K] extends { readonly required: true } ? P[K]['names'][0] : never
  ]: P[K] extends RequestParameter<infer T> ? Sent<T> : never;
} & {
  readonly [
    K in keyof P as P[K] extends { readonly required: true } ? never : P[K]['names'][0]
  ]?: P[K] extends RequestParameter<infer T> ? Sent<T> : never;
};

/** Makes a parameter required: its value is never undefined. */
export const required = <T, N extends string>(
  parameter: RequestParameter<T, N>,
): RequestParameter<Exclude<T, undefined>, N> & { readonly required: true } =>
  ({ ...parameter, required: true }) as RequestParameter<Exclude<T, undefined>, N> & {
    readonly required: true;
  };

/** Adds the meaning of a parameter, for the reference. */
export const meaning = <P extends RequestParameter<unknown>>(words: string, parameter: P): P => ({
  ...parameter,
  meaning: words,
});

/** Reads a body. Unknown keys are ignored; absent, null and blank values and empty lists count as not sent. */
export function readParameters<P extends ParameterTable>(
  table: P,
  body: Readonly<Record<string, unknown>>,
): { input: InputOf<P> } | { fault: ParameterFault } {
  const input: Record<string, unknown> = {};
  for (const name in table) {
    const parameter = table[name]!;
    const raw = sent(parameter, body);
    const field = parameter.names[0];
    if (raw === undefined && parameter.required)
      return { fault: { error: 'missingParameter', data: { field } } };
    try {
      const value = parameter.read(raw);
      if (parameter.required && value === undefined)
        return { fault: { error: 'missingParameter', data: { field } } };
      input[name] = value;
    } catch (error) {
      if (!(error instanceof InvalidParameter)) throw error;
      return { fault: { error: 'invalidValue', data: { field, expected: error.expected } } };
    }
  }
  return { input: input as InputOf<P> };
}

function sent(
  parameter: RequestParameter<unknown>,
  body: Readonly<Record<string, unknown>>,
): unknown {
  for (const name of parameter.names) {
    const raw = Object.hasOwn(body, name) ? body[name] : undefined;
    if (!isNothing(raw) && !(parameter.many && Array.isArray(raw) && raw.every(isBlank)))
      return raw;
  }
  return undefined;
}

const isBlank = (raw: unknown): boolean => typeof raw === 'string' && raw.trim() === '';
const isNothing = (raw: unknown): boolean => raw === undefined || raw === null || isBlank(raw);
