import { consentAgain } from '../../../identity/oauth/consent/consent-again.ts';
import type { DemoCredentials } from './demo-file.ts';
import { application, fleet } from './demo-fleet.ts';

/** Lets the demo's application in. Resolves to a code for its tokens; undefined if the owner has ended that, or if an earlier version created the demo. */
export async function consentToDemo(
  deps: Parameters<typeof consentAgain>[0],
  {
    people,
    plants,
    application: known,
  }: Pick<DemoCredentials, 'people' | 'plants' | 'application'>,
): Promise<string | undefined> {
  if (known === undefined) return undefined;
  const { email } = people.find(({ role }) => role === 'owner')!;
  const names = fleet
    .filter(({ collectorSn }) => application.collectors.includes(collectorSn))
    .map(({ name }) => name);
  const plantIds = plants.flatMap(({ name, plantId }) =>
    plantId !== undefined && names.includes(name) ? [plantId] : [],
  );
  return consentAgain(deps, { email, clientId: known.clientId, plantIds });
}
