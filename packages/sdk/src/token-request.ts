import type { TokenResponse } from '@helioport/contract';
import type { Pause } from './clock.ts';
import { HelioportError } from './error.ts';

interface TokenRequest {
  operation: string;
  url: string;
  authorization: string;
  form: Record<string, string>;
  pause: Pause;
  fetch: typeof fetch;
}

const TIMEOUT_MS = 15_000;
/** Pauses between attempts: together, they are well within the minute for which the server keeps an answer. */
const PAUSES_MS = [250, 1000, 4000];

/**
 * Posts a form to the token or revocation endpoint. Codes and refresh tokens work once, so a lost answer would strand
 * the application: each request has an Idempotency-Key, and repeating it with the same key gets the same answer.
 */
export async function requestTokens(request: TokenRequest): Promise<TokenResponse> {
  const idempotencyKey = crypto.randomUUID();
  for (let failures = 0; ; failures++) {
    try {
      return await post(request, idempotencyKey);
    } catch (error) {
      const pauseMs = PAUSES_MS[failures];
      if (!(error instanceof HelioportError) || pauseMs === undefined || !mayHavePassed(error))
        throw error;
      await request.pause(pauseMs);
    }
  }
}

/** Whether a request may have been carried out: its answer was lost, or the server failed. */
const mayHavePassed = ({ status }: HelioportError): boolean => status === 0 || status >= 500;

async function post(
  { operation, url, authorization, form, fetch }: TokenRequest,
  idempotencyKey: string,
): Promise<TokenResponse> {
  const headers = {
    Authorization: authorization,
    'Content-Type': 'application/x-www-form-urlencoded',
    'Idempotency-Key': idempotencyKey,
  };
  let status = 0;
  let text: string;
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: new URLSearchParams(form).toString(),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    text = await response.text();
  } catch (cause) {
    throw new HelioportError({
      operation,
      status: 0,
      code: 'network',
      message: `no answer: ${(cause as Error).message}`,
      cause,
    });
  }
  const answer = readJson(text);
  if (status === 200 && answer) return answer as unknown as TokenResponse;
  const {
    error = 'protocol',
    error_description: message = 'the answer does not come from this interface',
  } = (answer ?? {}) as Record<string, string>;
  throw new HelioportError({ operation, status, code: error, message });
}

function readJson(text: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
