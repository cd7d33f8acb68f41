import type { Clock, Pause } from './clock.ts';
import { exchange } from './exchange.ts';
import { pauseBeforeRetry, skewOf } from './retry.ts';

/** What one call needs beside its request. */
export interface CallOptions {
  /** Ends the call and its waiting; the call rejects with the signal's reason. */
  signal?: AbortSignal;
  /** For each attempt; 30,000 when left out. */
  timeoutMs?: number;
}

/** How a client reaches its server, whatever opens the door there. */
export interface Line {
  baseUrl: string;
  /** Attempts after the first one. */
  retries: number;
  clock: Clock;
  pause: Pause;
  fetch: typeof fetch;
  /** The headers of one attempt. `at` is the server's time as far as it is known. */
  authorize(request: { path: string; body: string; at: number }): Promise<Authorized> | Authorized;
}

interface Authorized {
  headers: Record<string, string>;
  stringToSign?: string;
  /** Called when the server refused these credentials (401): true when there are others now. */
  renew?(this: void): Promise<boolean>;
}

/** One call, as the operation's declaration describes it. */
export interface CallRequest extends CallOptions {
  operation: string;
  path: string;
  write: boolean;
  request: object;
}

/** Makes calls on a line: resolves with the envelope's data, rejects with HelioportError. */
export function createCaller(line: Line): (call: CallRequest) => Promise<unknown> {
  // Server time minus own time: learnt from a refusal, kept for later calls.
  let skewMs = 0;
  if (!URL.canParse(line.baseUrl)) throw new TypeError(`no address: ${line.baseUrl}`);
  const origin = line.baseUrl.replace(/\/+$/, '');

  return async ({ operation, path, write, request, signal, timeoutMs = 30_000 }) => {
    const body = JSON.stringify(request);
    let corrected = false;
    let renewed = false;
    for (let failures = 0; ;) {
      const { headers, stringToSign, renew } = await line.authorize({ path, body, at: line.clock.now() + skewMs });
      const outcome = await exchange({ operation, url: origin + path, headers, body, timeoutMs, signal, fetch: line.fetch, stringToSign });
      if ('data' in outcome) return outcome.data;
      const { error } = outcome;
      const now = line.clock.now();
      const skew = skewOf({ ...outcome, now });
      if (skew !== undefined && !corrected) {
        corrected = true;
        skewMs = skew;
        continue;
      }
      if (error.status === 401 && !renewed && renew) {
        renewed = true;
        if (await renew()) continue;
      }
      const pauseMs = failures < line.retries ? pauseBeforeRetry({ ...outcome, failures, write, now }) : undefined;
      if (pauseMs === undefined) throw error;
      failures += 1;
      await line.pause(pauseMs, signal);
    }
  };
}
