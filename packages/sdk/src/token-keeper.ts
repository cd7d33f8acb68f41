import type { Clock } from './clock.ts';
import { HelioportError } from './error.ts';
import type { OAuth, Tokens } from './oauth.ts';

/** Where an application keeps an owner's tokens, usually its database. */
export interface TokenStore {
  load(): Promise<Tokens>;
  /** Must be durable when it resolves: the previous pair is already invalid. */
  save(tokens: Tokens): Promise<void>;
}

/** Keeps one owner's tokens fresh. */
export interface TokenKeeper {
  /** The current pair, renewed if it is about to expire. */
  current(): Promise<Tokens>;
  /** Called when the server has refused the access token of `refused`; resolves to whether there is another pair now. */
  replace(refused: Tokens): Promise<boolean>;
}

/** An access token that expires within this time is renewed before it is used. */
const MARGIN_MS = 60_000;

/** However many calls find the token expired, it is renewed once: they all wait for the same renewal. */
export function createTokenKeeper({
  oauth,
  store,
  clock,
}: {
  oauth: OAuth;
  store: TokenStore;
  clock: Clock;
}): TokenKeeper {
  let renewal: Promise<Tokens> | undefined;

  const renew = (tokens: Tokens): Promise<Tokens> =>
    (renewal ??= renewed(tokens).finally(() => {
      renewal = undefined;
    }));

  async function renewed(tokens: Tokens): Promise<Tokens> {
    // Another call, or another process of the application, may have renewed it in the meantime.
    const stored = await store.load();
    if (stored.refreshToken !== tokens.refreshToken) return stored;
    try {
      const fresh = await oauth.refresh(stored.refreshToken);
      await store.save(fresh);
      return fresh;
    } catch (error) {
      const winner = await store.load();
      if (winner.refreshToken !== stored.refreshToken) return winner;
      throw error;
    }
  }

  return {
    async current() {
      const tokens = await (renewal ?? store.load());
      return tokens.expiresAt - clock.now() > MARGIN_MS ? tokens : renew(tokens);
    },
    async replace(refused) {
      try {
        return (await renew(refused)).accessToken !== refused.accessToken;
      } catch (error) {
        if (error instanceof HelioportError && error.code === 'invalid_grant') return false;
        throw error;
      }
    },
  };
}
