import { useEffect, useState } from 'react';

/** What an authorization request is bound to: `state`, and the challenge of PKCE with its verifier (RFC 7636). */
export interface Challenge {
  readonly state: string;
  readonly verifier: string;
  readonly challenge: string;
}

/** Where the browser makes none, because the page came without TLS. */
export const TO_REPLACE: Challenge = {
  state: 'STATE',
  verifier: 'CODE_VERIFIER',
  challenge: 'CODE_CHALLENGE',
};

/** A challenge of this visit; undefined while it is made. */
export function useChallenge(): Challenge | undefined {
  const [made, setMade] = useState<Challenge | undefined>(() =>
    isSecureContext ? undefined : TO_REPLACE,
  );
  useEffect(() => {
    if (isSecureContext) void makeChallenge().then(setMade);
  }, []);
  return made;
}

async function makeChallenge(): Promise<Challenge> {
  const verifier = random(32);
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { state: random(16), verifier, challenge: base64url(new Uint8Array(digest)) };
}

const random = (bytes: number): string => base64url(crypto.getRandomValues(new Uint8Array(bytes)));

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
