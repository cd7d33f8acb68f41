import { operations, SIGNED_CONTENT_TYPE, type OperationIdBy } from '@helioport/contract';
import { createCaller } from './caller.ts';
import { clientOf, type Client } from './client.ts';
import { systemClock, timerPause, type Clock, type Pause } from './clock.ts';
import { HelioportError } from './error.ts';
import type { OAuth } from './oauth.ts';
import { createTokenKeeper, type TokenStore } from './token-keeper.ts';

export interface BearerClientOptions {
  /** Address of the OAuth interface, for example `https://solar.example:8081`. */
  oauthUrl: string;
  oauth: OAuth;
  /** Where the application keeps this owner's tokens. */
  store: TokenStore;
  /** Maximum number of further attempts, where repeating does no harm; default 3. */
  retries?: number;
  clock?: Clock;
  pause?: Pause;
  fetch?: typeof fetch;
}

/** A client that calls on behalf of an owner. Tokens are renewed when needed, and only once, however many calls are waiting. */
export function createBearerClient(options: BearerClientOptions): Client<OperationIdBy<'oauth'>> {
  const {
    oauthUrl,
    oauth,
    store,
    retries = 3,
    clock = systemClock,
    pause = timerPause,
    fetch = globalThis.fetch,
  } = options;
  const keeper = createTokenKeeper({ oauth, store, clock });
  const send = createCaller({
    baseUrl: oauthUrl,
    retries,
    clock,
    pause,
    fetch,
    async authorize() {
      const tokens = await keeper.current();
      const headers = {
        'Content-Type': SIGNED_CONTENT_TYPE,
        Authorization: `Bearer ${tokens.accessToken}`,
      };
      return { headers, renew: () => keeper.replace(tokens) };
    },
  });
  return clientOf((operation, request, callOptions) => {
    const { scope, write } = operations[operation] as { scope?: string; write: boolean };
    const refused = new HelioportError({
      operation,
      status: 0,
      code: 'no_such_path',
      message: 'this operation is not available with tokens',
    });
    return scope === undefined
      ? Promise.reject(refused)
      : send({ operation, path: `/api/${scope}/${operation}`, write, request, ...callOptions });
  }, pause);
}
