import type { SecretBox } from '../../../platform/kernel/secrets.ts';

/** Where passkeys are valid. */
export interface PasskeySite {
  readonly domain: string;
  /** The origins of the pages that may use them. */
  readonly origins: readonly string[];
}

/** What second factors are checked with. */
export interface FactorSources {
  readonly secretBox: SecretBox;
  /** Undefined where passkeys are impossible: the portal's address has no name. */
  readonly passkeys: PasskeySite | undefined;
}

/**
 * Where passkeys are valid: at the pages of the portal and of the authorization server whose host is the domain or below it. Browsers know no
 * passkeys of addresses without a name, so the loopback address counts as `localhost`.
 */
export function passkeySiteOf({
  passkeyDomain,
  portalUrl,
  oauthUrl,
}: {
  passkeyDomain: string;
  portalUrl: string;
  oauthUrl: string;
}): PasskeySite | undefined {
  if (/^[\d.]+$|:/.test(passkeyDomain)) return undefined;
  const origins = [portalUrl, oauthUrl].flatMap((address) => {
    const url = new URL(address);
    if (passkeyDomain === 'localhost' && isLoopback(url.hostname)) url.hostname = 'localhost';
    return url.hostname === passkeyDomain || url.hostname.endsWith(`.${passkeyDomain}`)
      ? [url.origin]
      : [];
  });
  return { domain: passkeyDomain, origins };
}

const isLoopback = (name: string): boolean => name === '[::1]' || name.startsWith('127.');
