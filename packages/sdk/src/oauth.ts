import type { Scope, TokenResponse } from '@helioport/contract';
import { baseUrl } from './base-url.ts';
import { systemClock, timerPause, type Clock, type Pause } from './clock.ts';
import { HelioportError } from './error.ts';
import { requestTokens } from './token-request.ts';

/** An application's registration, and where it is registered. */
export interface OAuthOptions {
  /** Address of the OAuth interface, for example `https://solar.example:8081`. */
  oauthUrl: string;
  clientId: string;
  clientSecret: string;
  /** The callback address (redirect URI), exactly as registered. */
  redirectUri: string;
  clock?: Clock;
  pause?: Pause;
  fetch?: typeof fetch;
}

/** A token pair, as an application keeps it. */
export interface Tokens {
  accessToken: string;
  refreshToken: string;
  /** When the access token expires, epoch milliseconds. */
  expiresAt: number;
  scopes: Scope[];
}

export interface AuthorizationRequest {
  /** Returned in the authorization response, to protect against forged responses. Keep it in the owner's session. */
  state: string;
  /** Scopes to request; by default, all that the application may request. */
  scopes?: readonly Scope[];
  /** The challenge from `createPkce`. */
  codeChallenge?: string;
  /** Shows the consent page even to an owner who has consented before. */
  prompt?: 'consent';
}

/** Obtains an owner's permission: makes the authorization request, reads the response and exchanges the code; later, refreshes and revokes tokens. */
export interface OAuth {
  /** The address to which the owner's browser is sent. */
  authorizeUrl(request: AuthorizationRequest): string;
  /** The code in an authorization response, which is given as the address to which the browser came back. Throws HelioportError if the owner denied the request, or if it is not the response to this `state`. */
  codeOf(responseUrl: string, state: string): string;
  /** Exchanges a code. Rejects with HelioportError, whose code is that of RFC 6749, for example `invalid_grant`. */
  exchange(code: string, codeVerifier?: string): Promise<Tokens>;
  /** Issues a new pair; the old one becomes invalid at once. */
  refresh(refreshToken: string): Promise<Tokens>;
  /** Revokes a token; revoking a refresh token also ends its access token. */
  revoke(token: string): Promise<void>;
}

/** A client of the authorization endpoints. interface O1, O32 */
export function createOAuth(options: OAuthOptions): OAuth {
  const {
    clientId,
    redirectUri,
    clock = systemClock,
    pause = timerPause,
    fetch = globalThis.fetch,
  } = options;
  const oauthUrl = baseUrl(options.oauthUrl);
  const authorization = `Basic ${btoa(`${clientId}:${options.clientSecret}`)}`;
  const request = (operation: string, form: Record<string, string>): Promise<TokenResponse> =>
    requestTokens({
      operation,
      url: `${oauthUrl}/oauth/${operation === 'revoke' ? 'revoke' : 'token'}`,
      authorization,
      form,
      pause,
      fetch,
    });
  const tokensOf = (answer: TokenResponse): Tokens => ({
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token,
    expiresAt: clock.now() + answer.expires_in * 1000,
    scopes: answer.scope.split(' ') as Scope[],
  });

  return {
    authorizeUrl({ state, scopes, codeChallenge, prompt }) {
      const query = new URLSearchParams({
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        state,
      });
      if (scopes) query.set('scope', scopes.join(' '));
      if (codeChallenge !== undefined) {
        query.set('code_challenge', codeChallenge);
        query.set('code_challenge_method', 'S256');
      }
      if (prompt) query.set('prompt', prompt);
      // interface O16
      return `${oauthUrl}/oauth/authorize?${query.toString().replaceAll('+', '%20')}`;
    },

    codeOf(responseUrl, state) {
      const query = new URL(responseUrl, redirectUri).searchParams;
      const refuse = (code: string, message: string): never => {
        throw new HelioportError({ operation: 'authorize', status: 0, code, message });
      };
      // RFC 9207 2.4
      const issuer = query.get('iss');
      if (query.get('state') !== state)
        refuse('state_mismatch', 'the callback does not belong to this request');
      if (issuer !== null && issuer !== oauthUrl)
        refuse('issuer_mismatch', `the callback comes from ${issuer}`);
      const error = query.get('error');
      if (error !== null)
        refuse(error, query.get('error_description') ?? 'the request was refused');
      return query.get('code') ?? refuse('invalid_callback', 'the callback has no code');
    },

    exchange: async (code, codeVerifier) =>
      tokensOf(
        await request('exchange', {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          ...(codeVerifier !== undefined && { code_verifier: codeVerifier }),
        }),
      ),
    refresh: async (refreshToken) =>
      tokensOf(
        await request('refresh', { grant_type: 'refresh_token', refresh_token: refreshToken }),
      ),
    revoke: async (token) => void (await request('revoke', { token })),
  };
}

/** A verifier to keep in the owner's session, and the challenge to send with it. RFC 7636 4.1, 4.2 */
export async function createPkce(): Promise<{ verifier: string; challenge: string }> {
  const verifier = base64url(crypto.getRandomValues(new Uint8Array(32)));
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return { verifier, challenge: base64url(new Uint8Array(digest)) };
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
