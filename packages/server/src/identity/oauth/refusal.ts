import { oauthErrors, type OauthErrorName } from '@helioport/contract';

/**
 * A refusal by one of the authorization endpoints, named as in the contract's
 * `oauthErrors`. Any function that serves them may throw it; one place renders it.
 */
export class OauthRefusal extends Error {
  readonly reason: OauthErrorName;
  /** Seconds after which to try again. */
  readonly retryAfterSeconds: number | undefined;

  /** `description` is sent to the application instead of the registry's, in the same characters. */
  constructor(
    reason: OauthErrorName,
    options: { description?: string; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(options.description ?? oauthErrors[reason].description, { cause: options.cause });
    this.name = 'OauthRefusal';
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
