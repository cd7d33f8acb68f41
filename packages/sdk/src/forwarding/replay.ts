import { baseUrl } from '../base-url.ts';
import { exchange } from '../exchange.ts';
import type { Gap } from './receiver.ts';

export interface ReplayOptions {
  /** The address of the OAuth interface. */
  readonly oauthUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Id of the destination. */
  readonly destination: string;
  readonly timeoutMs?: number;
  readonly fetch?: typeof fetch;
}

const OPERATION = 'forwarding/replay';
const TIMEOUT_MS = 15_000;

/**
 * Asks for the events of a gap once more, with the application's credentials; for a receiver's `askForReplay`. Rejects with a HelioportError; a
 * `code` of `H0001` says that the server no longer has them.
 */
export function createReplay({
  oauthUrl,
  clientId,
  clientSecret,
  destination,
  timeoutMs = TIMEOUT_MS,
  fetch = globalThis.fetch,
}: ReplayOptions): (gap: Gap) => Promise<void> {
  const url = `${baseUrl(oauthUrl)}/oauth/${OPERATION}`;
  const headers = {
    Authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}`,
    'Content-Type': 'application/json',
  };
  return async ({ after, before, deviceSn }) => {
    const body = JSON.stringify({
      id: destination,
      from: after,
      until: before + 1,
      ...(deviceSn !== null && { deviceSn }),
    });
    const outcome = await exchange({ operation: OPERATION, url, headers, body, timeoutMs, fetch });
    if ('error' in outcome) throw outcome.error;
  };
}
