import { CallFailure, Unreachable } from './failure.ts';
import { reachability } from './reachability.ts';

/** Sends a request to the portal's listener. Throws Unreachable if there is no answer, or none that is ours. */
export async function ask(path: string, init: RequestInit): Promise<Response> {
  try {
    const response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
    // 502 to 504 also come from proxies in front of a server that is away.
    if (response.status >= 502 && response.status <= 504)
      throw new Unreachable(`status ${response.status}`);
    reachability.answered();
    return response;
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    reachability.failed();
    throw error instanceof Unreachable ? error : new Unreachable(String(error), { cause: error });
  }
}

interface PostSettings {
  readonly signal?: AbortSignal | undefined;
  /** Names the request, so that the server carries it out once even if it is sent again. */
  readonly idempotencyKey?: string;
  /** The permission with which an operator looks through an owner's eyes. */
  readonly support?: string;
}

/** Posts JSON with the session's CSRF token, and returns the envelope's `data`. Throws CallFailure if the server refuses. */
export async function post(
  path: string,
  body: unknown,
  csrf: string,
  { signal, idempotencyKey, support }: PostSettings = {},
): Promise<unknown> {
  const response = await ask(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json;charset=UTF-8',
      'X-Helioport-CSRF': csrf,
      ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      ...(support !== undefined && { 'X-Helioport-Support': support }),
    },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  return dataOf(response);
}

/** The `data` of an answer's envelope. Throws CallFailure if the server refused. */
export async function dataOf(response: Response): Promise<unknown> {
  const answer = await envelopeOf(response);
  if (answer.success) return answer.data;
  throw new CallFailure({
    code: answer.code,
    message: answer.msg,
    status: response.status,
    data: answer.data,
  });
}

interface Envelope {
  readonly success: boolean;
  readonly code: string;
  readonly msg: string;
  readonly data: unknown;
}

async function envelopeOf(response: Response): Promise<Envelope> {
  try {
    return (await response.json()) as Envelope;
  } catch {
    return { success: false, code: String(response.status), msg: response.statusText, data: null };
  }
}
