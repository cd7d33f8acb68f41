import { CallFailure } from '../wire/failure.ts';

/** Which second factors may be given, as the server said after the password was right. */
export interface FactorRequest {
  readonly methods: readonly ('totp' | 'passkey' | 'recoveryCode')[];
  /** What the browser needs to ask for a passkey. */
  readonly passkey?: object;
  /** Leads to the second step of a log-in. */
  readonly ticket?: string;
}

/** The request for a second factor in a refusal; undefined for any other error. */
export const factorRequestOf = (error: unknown): FactorRequest | undefined =>
  error instanceof CallFailure && error.is('secondFactorRequired')
    ? (error.data as unknown as FactorRequest)
    : undefined;
