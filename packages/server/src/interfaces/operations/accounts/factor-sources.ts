import type { FactorSources } from '../../../identity/accounts/factors/factor-sources.ts';
import type { OperationDependencies } from '../dependencies.ts';

/** What second factors are checked with. */
export const factorSourcesOf = async ({
  credentials,
}: Pick<OperationDependencies, 'credentials'>): Promise<FactorSources> => ({
  secretBox: await credentials.secretBox(),
  passkeys: credentials.passkeys,
});
