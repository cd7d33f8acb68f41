import { errorCodes, type ErrorCode } from '@helioport/contract/error-codes';

/** A call that the server refused. */
export class CallFailure extends Error {
  /** `code` of the envelope. */
  readonly code: string;
  readonly status: number;
  /** Further facts, such as `field` and `expected` of an invalid parameter. */
  readonly data: Readonly<Record<string, unknown>>;
  constructor({
    code,
    message,
    status,
    data,
  }: {
    code: string;
    message: string;
    status: number;
    data: unknown;
  }) {
    super(message);
    this.code = code;
    this.status = status;
    this.data = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
  }

  /** Whether it is one of these refusals. */
  is(...names: readonly ErrorCode[]): boolean {
    return names.some((name) => errorCodes[name] === this.code);
  }
}

/** The server could not be reached, or could not answer at the moment. */
export class Unreachable extends Error {}

/** The answer to a write did not arrive. The message says what came out, in the language of the page. */
export class LostAnswer extends Error {
  /** Whether the write was carried out; undefined = that could not be found out. */
  readonly carriedOut: boolean | undefined;
  constructor(message: string, carriedOut: boolean | undefined) {
    super(message);
    this.carriedOut = carriedOut;
  }
}

/** Whether the cause is that the caller has no right to something, or that it does not exist. */
export const isNoPermission = (error: unknown): boolean =>
  error instanceof CallFailure && error.is('noPermission');

/** Whether the server refused the value of a field. */
export const isAbout = (error: unknown, field: string): boolean =>
  error instanceof CallFailure && error.data['field'] === field;
