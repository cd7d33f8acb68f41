import { oauthErrors, type OauthErrorName } from '@helioport/contract';

/** A refusal with a name of the authorization endpoints' registry. Thrown anywhere below them, rendered once. */
export class OauthRefusal extends Error {
  readonly reason: OauthErrorName;
  /** Seconds after which to try again. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: OauthErrorName, options: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(oauthErrors[reason].description, { cause: options.cause });
    this.name = 'OauthRefusal';
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
