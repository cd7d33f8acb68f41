import { baseUrl } from './base-url.ts';
import type { Clock, Pause } from './clock.ts';
import { exchange } from './exchange.ts';
import { pauseBeforeRetry, skewOf } from './retry.ts';

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, including its pauses; the call then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Time limit of each attempt; default 30,000. */
  timeoutMs?: number;
}

/** How a client reaches its server, independent of the kind of credentials. */
export interface Line {
  baseUrl: string;
  /** Maximum number of attempts after the first one. */
  retries: number;
  clock: Clock;
  pause: Pause;
  fetch: typeof fetch;
  /** Makes the headers of one attempt. `at` is the best estimate of the server's time. */
  authorize(request: { path: string; body: string; at: number }): Promise<Authorized> | Authorized;
}

interface Authorized {
  headers: Record<string, string>;
  stringToSign?: string;
  /** Called when the server has refused these credentials (401); resolves to whether there are new ones. */
  renew?(this: void): Promise<boolean>;
}

/** One call, with the properties of its operation. */
export interface CallRequest extends CallOptions {
  operation: string;
  path: string;
  write: boolean;
  request: object;
}

/** Returns a function that makes calls over a line. It resolves to the envelope's data, or rejects with HelioportError. */
export function createCaller(line: Line): (call: CallRequest) => Promise<unknown> {
  // Server time minus own time, learnt from a refusal and kept for later calls.
  let skewMs = 0;
  if (!URL.canParse(line.baseUrl)) throw new TypeError(`not a URL: ${line.baseUrl}`);
  const origin = baseUrl(line.baseUrl);

  return async ({ operation, path, write, request, signal, timeoutMs = 30_000 }) => {
    const body = JSON.stringify(request);
    let corrected = false;
    let renewed = false;
    for (let failures = 0; ;) {
      const { headers, stringToSign, renew } = await line.authorize({
        path,
        body,
        at: line.clock.now() + skewMs,
      });
      const outcome = await exchange({
        operation,
        url: origin + path,
        headers,
        body,
        timeoutMs,
        signal,
        fetch: line.fetch,
        stringToSign,
      });
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
      const pauseMs =
        failures < line.retries
          ? pauseBeforeRetry({ ...outcome, failures, write, now })
          : undefined;
      if (pauseMs === undefined) throw error;
      failures += 1;
      await line.pause(pauseMs, signal);
    }
  };
}
