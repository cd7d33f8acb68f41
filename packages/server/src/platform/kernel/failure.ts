import { errors, type ErrorCode } from '@helioport/contract';

/** The part of a failure that the caller sees. */
export interface FailureData {
  readonly [key: string]: unknown;
}

interface FailureOptions {
  /** Public: sent with the answer. */
  data?: FailureData;
  /** Public text instead of the registry's. */
  message?: string;
  /** For the log only. */
  detail?: string;
  cause?: unknown;
  isOfState?: boolean;
}

/** A refusal with a code from the contract's registry. Thrown anywhere; each edge renders it in one place. */
export class Failure extends Error {
  readonly code: ErrorCode;
  readonly data: FailureData | null;
  readonly detail: string | undefined;
  /** Whether the same request may be answered otherwise once something else is stored. */
  readonly isOfState: boolean;

  constructor(code: ErrorCode, options: FailureOptions = {}) {
    super(options.message ?? errors[code].message, { cause: options.cause });
    this.name = 'Failure';
    this.code = code;
    this.data = options.data ?? null;
    this.detail = options.detail;
    this.isOfState = options.isOfState ?? false;
  }
}

/** The refusal of an invalid value; `expected` says what the field accepts. */
export const invalidValue = (field: string, expected: string): Failure =>
  new Failure('invalidValue', {
    data: { field, expected },
    message: `${errors.invalidValue.message}: ${field}, expected ${expected}`,
  });

/** As `invalidValue`, of a value that would do if something else were stored: a name that is taken, or somebody who is unknown. */
export const refusedNow = (field: string, expected: string, message?: string): Failure =>
  new Failure('invalidValue', {
    data: { field, expected },
    message: message ?? invalidValue(field, expected).message,
    isOfState: true,
  });
