/** Everything that is known about a failed call. */
export interface ErrorFacts {
  operation: string;
  /** HTTP status; 0 if there was no answer. */
  status: number;
  /** The envelope's code; `network`, `timeout` or `protocol` if there was no envelope. */
  code: string;
  message: string;
  data?: unknown;
  requestId?: string | undefined;
  /** What to do about it, if that is known. */
  hint?: string | undefined;
  cause?: unknown;
}

/** A failed call. `code` is for programs, `hint` for people. */
export class HelioportError extends Error {
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly data: unknown;
  readonly requestId: string | undefined;
  readonly hint: string | undefined;

  constructor({ operation, status, code, message, data, requestId, hint, cause }: ErrorFacts) {
    super(
      `${operation}: ${message} (${status === 0 ? code : `HTTP ${status}, code ${code}`})${hint === undefined ? '' : `. ${hint}`}`,
      { cause },
    );
    this.name = 'HelioportError';
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.data = data ?? null;
    this.requestId = requestId;
    this.hint = hint;
  }
}
