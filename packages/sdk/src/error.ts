/** Everything that is known of a call that did not work. */
export interface ErrorFacts {
  operation: string;
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** The envelope's code; `network`, `timeout` or `protocol` when there was no envelope. */
  code: string;
  message: string;
  data?: unknown;
  requestId?: string | undefined;
  /** What to do about it, when something can be said. */
  hint?: string | undefined;
  cause?: unknown;
}

/** A call that did not work. `code` is what programs should look at, `hint` what people should read. */
export class HelioportError extends Error {
  readonly operation: string;
  readonly status: number;
  readonly code: string;
  readonly data: unknown;
  readonly requestId: string | undefined;
  readonly hint: string | undefined;

  constructor({ operation, status, code, message, data, requestId, hint, cause }: ErrorFacts) {
    super(`${operation}: ${message} (${status === 0 ? code : `HTTP ${status}, code ${code}`})${hint === undefined ? '' : `. ${hint}`}`, { cause });
    this.name = 'HelioportError';
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.data = data ?? null;
    this.requestId = requestId;
    this.hint = hint;
  }
}
