import { createSecretBox } from '../../packages/server/src/kernel/secrets.ts';
import type { CredentialSources } from '../../packages/server/src/operations/dependencies.ts';

/** What operations of tests make credentials with. */
export const credentials: CredentialSources = {
  secretBox: async () => createSecretBox(Buffer.alloc(32, 7)),
  legacyLogin: false,
  defaultTimeZone: 'UTC',
};
