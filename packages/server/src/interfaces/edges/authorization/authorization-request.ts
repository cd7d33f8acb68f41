import { oauthErrors, STATE_LENGTH_AT_MOST } from '@helioport/contract';
import {
  isActive,
  findApplication,
  type Application,
} from '../../../identity/oauth/applications.ts';
import { redirectUriFault } from '../../../identity/oauth/redirect-uri.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { readScopes, scopeText } from '../../../identity/oauth/scopes.ts';
import type { AuthorizationDeps } from './deps.ts';
import { lengthOf, readForm, type Form } from './form.ts';

/** An authorization request as far as it has been checked; the checks fill it in. */
export interface Draft {
  readonly query: Form;
  application?: Application;
  /** Whether the redirect URI is known to be the application's. */
  redirectUriKnown: boolean;
  /** The bytes of `state`, unchanged. */
  state?: string | undefined;
  /** Bits of the requested scopes. */
  scopes: number;
  /** The code challenge (S256); empty if there is none. */
  challenge: string;
}

/** An authorization request that may be shown to the owner. */
export type ReadAuthorizationRequest = Draft & { readonly application: Application };

type Check = (draft: Draft, deps: AuthorizationDeps) => void | Promise<void>;

// Until the redirect URI is known to be the application's, a refusal is a page (`answer` in the registry): a redirect
// would let a stranger send the owner anywhere. RFC 6749 4.1.2.1
const checks: readonly Check[] = [
  queryIsReadable,
  clientAndRedirectUriComeOnce,
  applicationIsApproved,
  redirectUriIsTheRegisteredOne,
  // From here on a refusal is an authorization response.
  parametersComeOnce,
  stateIsShort,
  responseTypeIsCode,
  scopesMayBeAsked,
  challengeIsUsable,
];

/** Reads and checks a query. Throws OauthRefusal; `draft` then contains the parts of the request that are already known. */
export async function checkRequest(
  draft: Draft,
  deps: AuthorizationDeps,
): Promise<ReadAuthorizationRequest> {
  for (const check of checks) await check(draft, deps);
  return draft as ReadAuthorizationRequest;
}

export const draftOf = (rawQuery: string): Draft => ({
  query: readForm(rawQuery),
  redirectUriKnown: false,
  scopes: 0,
  challenge: '',
});

/** Whether a refusal may be sent to the application. */
export const mayRedirect = (
  { reason }: OauthRefusal,
  draft: Draft,
): draft is ReadAuthorizationRequest =>
  oauthErrors[reason].answer === 'redirect' && draft.redirectUriKnown;

function queryIsReadable({ query }: Draft): void {
  if (
    ['client_id', 'redirect_uri'].some(
      (name) => query.bytes(name) !== undefined && query.get(name) === undefined,
    )
  )
    throw new OauthRefusal('queryUnreadable');
}

// interface O13
function clientAndRedirectUriComeOnce({ query }: Draft): void {
  if (query.repeats(['client_id', 'redirect_uri'])) throw new OauthRefusal('addressRepeated');
}

// interface O2, O30
async function applicationIsApproved(draft: Draft, { db }: AuthorizationDeps): Promise<void> {
  const clientId = draft.query.get('client_id');
  if (clientId === undefined) throw new OauthRefusal('applicationMissing');
  const application = await findApplication(db, clientId);
  if (!application || !isActive(application)) throw new OauthRefusal('applicationUnknown');
  draft.application = application;
}

// interface O3, O4, O6
function redirectUriIsTheRegisteredOne(draft: Draft): void {
  const sent = draft.query.get('redirect_uri');
  if (sent === undefined) throw new OauthRefusal('callbackMissing');
  const fault = redirectUriFault(draft.application!.redirectUri, sent);
  if (fault) throw new OauthRefusal(fault);
  draft.redirectUriKnown = true;
}

// interface O13, O14: unknown parameters are ignored, however often they were sent
function parametersComeOnce(draft: Draft): void {
  // With two states, nobody can tell which is the client's, so none is returned.
  if (!draft.query.repeats(['state'])) draft.state = draft.query.bytes('state');
  if (
    draft.query.repeats([
      'state',
      'response_type',
      'scope',
      'code_challenge',
      'code_challenge_method',
      'prompt',
    ])
  )
    throw new OauthRefusal('parameterRepeatedInQuery');
}

// interface O11
function stateIsShort({ state }: Draft): void {
  if (state !== undefined && lengthOf(state) > STATE_LENGTH_AT_MOST)
    throw new OauthRefusal('stateTooLong');
}

// interface O8, O9
function responseTypeIsCode({ query }: Draft): void {
  if (query.bytes('response_type') === undefined) throw new OauthRefusal('responseTypeMissing');
  if (query.get('response_type') !== 'code') throw new OauthRefusal('responseTypeUnsupported');
}

// interface O15, O16
function scopesMayBeAsked(draft: Draft): void {
  const { query, application } = draft;
  const asked = query.bytes('scope') === undefined ? 0 : readScopes(query.get('scope') ?? '\ufffd');
  if (asked === undefined) throw new OauthRefusal('scopeUnknown');
  const beyond = scopeText(asked & ~application!.scopes);
  if (beyond !== '')
    throw new OauthRefusal('scopeNotAllowed', {
      description: `the application may not ask for ${beyond}: see its registration`,
    });
  draft.scopes = asked === 0 ? application!.scopes : asked;
}

// interface O42, O43, O45. RFC 7636 4.3, RFC 9700 2.1.1
function challengeIsUsable(draft: Draft): void {
  const { query, application } = draft;
  const method = query.bytes('code_challenge_method');
  const challenge = query.bytes('code_challenge') ?? '';
  if (challenge === '') {
    if (application!.challengeRequired === 1) throw new OauthRefusal('challengeRequired');
    if (method !== undefined) throw new OauthRefusal('challengeMalformed');
    return;
  }
  if (method !== 'S256') throw new OauthRefusal('challengeMethodUnsupported');
  if (!/^[A-Za-z0-9\-_]{43}$/.test(challenge)) throw new OauthRefusal('challengeMalformed');
  draft.challenge = challenge;
}
