import type { FactorSources } from '../../packages/server/src/identity/accounts/factors/factor-sources.ts';
import { createSecretBox } from '../../packages/server/src/platform/kernel/secrets.ts';
import type { CredentialSources } from '../../packages/server/src/interfaces/operations/dependencies.ts';

/** What operations of tests make credentials with. */
export const credentials: CredentialSources = {
  secretBox: async () => createSecretBox(Buffer.alloc(32, 7)),
  legacyLogin: false,
  defaultTimeZone: 'UTC',
};

/** What second factors are checked with, as `credentials`; passkeys of `localhost` for the origins that a test adds. */
export const factorSources = (...origins: string[]): FactorSources => ({
  secretBox: createSecretBox(Buffer.alloc(32, 7)),
  passkeys: { domain: 'localhost', origins },
});
