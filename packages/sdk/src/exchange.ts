import { HelioportError } from './error.ts';
import { hintFor, hintTextOf } from './hint.ts';

/** One HTTP request of a call. */
export interface Exchange {
  operation: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
  signal?: AbortSignal | undefined;
  fetch: typeof fetch;
  /** The text that was signed, for the hint about a refused signature. */
  stringToSign?: string | undefined;
}

/** The envelope's data, or why there is none. */
export type Outcome = { data: unknown } | { error: HelioportError; headers: Headers | null };

/** Sends a request once and reads the envelope. Rejects only if the caller's own signal aborts, with its reason. */
export async function exchange(request: Exchange): Promise<Outcome> {
  const { operation, url, headers, body, timeoutMs, signal, stringToSign } = request;
  const deadline = AbortSignal.timeout(timeoutMs);
  let response: Response;
  let text: string;
  try {
    response = await request.fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
    });
    text = await response.text();
  } catch (cause) {
    if (signal?.aborted) throw signal.reason;
    const late = deadline.aborted;
    const message = late ? `no answer within ${timeoutMs} ms` : `no answer: ${reasonOf(cause)}`;
    return {
      error: new HelioportError({
        operation,
        status: 0,
        code: late ? 'timeout' : 'network',
        message,
        cause,
      }),
      headers: null,
    };
  }
  const { status } = response;
  const envelope = readEnvelope(text);
  if (!envelope) {
    const message = `the answer does not come from this interface: ${JSON.stringify(text.slice(0, 200))}`;
    return {
      error: new HelioportError({
        operation,
        status,
        code: 'protocol',
        message,
        hint: 'Check the address',
      }),
      headers: response.headers,
    };
  }
  const { code, msg, data } = envelope;
  if (status === 200 && code === '0') return { data };
  const requestId =
    hintTextOf(data, 'requestId') ?? response.headers.get('x-request-id') ?? undefined;
  const hint = hintFor({ status, code, data, stringToSign });
  return {
    error: new HelioportError({ operation, status, code, message: msg, data, requestId, hint }),
    headers: response.headers,
  };
}

function readEnvelope(text: string): { code: string; msg: string; data: unknown } | undefined {
  try {
    const value = JSON.parse(text) as { code?: unknown; msg?: unknown; data?: unknown };
    return typeof value?.code === 'string'
      ? { code: value.code, msg: String(value.msg), data: value.data }
      : undefined;
  } catch {
    return undefined;
  }
}

/** The innermost reason: fetch wraps the socket's error. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  return inner instanceof Error && inner.message !== ''
    ? inner.message
    : cause instanceof Error
      ? cause.message
      : String(cause);
}
