import type { Page } from 'playwright-core';

/** A virtual authenticator of Chromium (CDP, domain WebAuthn), which verifies its user. */
export interface Authenticator {
  /** Whether its user confirms what it is asked. */
  setPresent(present: boolean): Promise<void>;
  /** What it holds, to be put into another one: a copied authenticator. */
  credentials(): Promise<readonly object[]>;
  add(credential: object): Promise<void>;
}

export async function addAuthenticator(page: Page): Promise<Authenticator> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    setPresent: async (enabled) =>
      void (await session.send('WebAuthn.setAutomaticPresenceSimulation', {
        authenticatorId,
        enabled,
      })),
    credentials: async () =>
      (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
    add: async (credential) =>
      void (await session.send('WebAuthn.addCredential', {
        authenticatorId,
        credential: credential as never,
      })),
  };
}
