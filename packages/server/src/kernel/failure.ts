import { errors, type ErrorCode } from '@helioport/contract';

/** What a caller may read of a failure. */
export interface FailureData {
  readonly [key: string]: unknown;
}

interface FailureOptions {
  /** Public: goes into the answer. */
  data?: FailureData;
  /** Public text instead of the registry's. */
  message?: string;
  /** For the log alone. */
  detail?: string;
  cause?: unknown;
}

/** A refusal with a code of the contract's registry. Thrown anywhere, rendered once per edge. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly data: FailureData | null;
  readonly detail: string | undefined;

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.data = options.data ?? null;
    this.detail = options.detail;
  }
}

/** The refusal of a value that cannot be; `expected` says what the field takes. */
export const invalidValue = (field: string, expected: string): Failure =>
  new Failure('invalidValue', { data: { field, expected }, message: `${errors.invalidValue.message}: ${field}, expected ${expected}` });
