import {
  authenticateCollector,
  type ReportingCollector,
} from '../../../fleet/collectors/authenticate.ts';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { FailureLimit } from './failure-limit.ts';

/**
 * Finds the collector whose token somebody presents. Tokens that nobody has are counted by the network that they come from; valid ones are always served,
 * since many collectors may share a network with somebody who guesses. `tokenOf` may throw notAuthenticated itself.
 * Throws notAuthenticated, collectorRefused, tooManyRequests.
 */
export type TokenCheck = (
  address: string,
  tokenOf: () => { readonly token: string; readonly tokenId?: string | undefined },
) => Promise<ReportingCollector>;

export interface TokenCheckDeps {
  readonly db: Db;
  readonly clock: Clock;
  /** Limits the tokens that nobody has, over HTTP and MQTT together. */
  readonly unknownTokens: FailureLimit;
}

export const createTokenCheck =
  ({ db, clock, unknownTokens }: TokenCheckDeps): TokenCheck =>
  async (address, tokenOf) => {
    try {
      const { token, tokenId } = tokenOf();
      const collector = await authenticateCollector(db, token, clock.now());
      if (tokenId !== undefined && tokenId !== collector.tokenId)
        throw new Failure('notAuthenticated');
      return collector;
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'notAuthenticated') throw error;
      const retryAfterSeconds = await unknownTokens.count(address, '');
      if (retryAfterSeconds === 0) throw error;
      throw new Failure('tooManyRequests', {
        data: { retryAfterSeconds },
        message: 'too many requests from this network with a token that no collector has',
      });
    }
  };
