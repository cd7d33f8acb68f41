import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';

/** Whether this browser has passkeys for this page: browsers know none of addresses without a name. */
export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in globalThis && !/^[\d.]+$|:/.test(location.hostname);

/** Asks the person for a passkey; the answer as JSON, or undefined if the person has closed the dialog. */
export async function askForPasskey(options: object): Promise<string | undefined> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  return startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  }).then(JSON.stringify, () => undefined);
}

/** Has the person make a passkey; the answer as JSON, or undefined if the person has closed the dialog or has one already. */
export async function makePasskey(options: object): Promise<string | undefined> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  return startRegistration({ optionsJSON: options as PublicKeyCredentialCreationOptionsJSON }).then(
    JSON.stringify,
    () => undefined,
  );
}
