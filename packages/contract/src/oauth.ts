import type { Scope } from './operation.ts';

/** The scopes that an owner can grant (interface O15). A scope's bit is its stored form, so that one statement can intersect scopes. */
export const scopes: Readonly<Record<Scope, { readonly bit: number; readonly meaning: string }>> = {
  access_data: { bit: 1, meaning: 'Data access' },
  control_device: { bit: 2, meaning: 'Device control' },
};

/** Longest `state` in characters. interface O11 */
export const STATE_LENGTH_AT_MOST = 180;

/** How a refusal of the authorization endpoints is answered. */
export type OauthAnswer =
  /** A page, because the redirect URI may not be the application's. RFC 6749 4.1.2.1 */
  | 'page'
  /** An authorization response with `error` and `state`. */
  | 'redirect'
  /** JSON. RFC 6749 5.2 */
  | 'json';

/** One cause of refusal at the authorization endpoints. RFC 6749 defines the form; the description says what to do. */
export interface OauthErrorEntry {
  /** `error` on the wire. */
  readonly error: string;
  /** HTTP status of a page or of JSON. */
  readonly status: number;
  readonly answer: OauthAnswer;
  /** `error_description`: printable ASCII without quote and backslash. RFC 6749 5.2 */
  readonly description: string;
}

const page = (error: string, status: number, description: string): OauthErrorEntry => ({
  error,
  status,
  answer: 'page',
  description,
});
const redirect = (error: string, description: string): OauthErrorEntry => ({
  error,
  status: 303,
  answer: 'redirect',
  description,
});
const json = (error: string, status: number, description: string): OauthErrorEntry => ({
  error,
  status,
  answer: 'json',
  description,
});

/** The registry of refusals of the authorization endpoints. docs/oauth.md lists it; a test keeps both equal. */
export const oauthErrors = {
  queryUnreadable: page(
    'invalid_request',
    400,
    'the query is not readable: every parameter must be URL-encoded UTF-8',
  ),
  addressRepeated: page(
    'invalid_request',
    400,
    'client_id and redirect_uri may each be sent only once',
  ),
  applicationMissing: page('invalid_request', 400, 'client_id is missing'),
  applicationUnknown: page(
    'unauthorized_client',
    400,
    'no approved application has this client_id',
  ),
  callbackMissing: page('invalid_request', 400, 'redirect_uri is missing'),
  callbackMismatch: page(
    'invalid_request',
    400,
    'redirect_uri does not match the registered callback address exactly',
  ),
  callbackUnencoded: page(
    'invalid_request',
    400,
    'redirect_uri looks unencoded: URL-encode it before it is placed in the query',
  ),
  // The request itself is valid, but came too late or twice. The page says how to continue.
  pageExpired: page(
    'invalid_request',
    200,
    'this page was already submitted, has expired or belongs to another request: start again at the application',
  ),
  accessDenied: redirect('access_denied', 'the owner denied the request'),
  parameterRepeatedInQuery: redirect('invalid_request', 'a parameter was sent more than once'),
  stateTooLong: redirect(
    'invalid_request',
    `state has more than ${STATE_LENGTH_AT_MOST} characters`,
  ),
  responseTypeMissing: redirect(
    'invalid_request',
    'response_type is missing: send response_type=code',
  ),
  responseTypeUnsupported: redirect('unsupported_response_type', 'the only response_type is code'),
  scopeUnknown: redirect(
    'invalid_scope',
    `unknown scope: the only scopes are ${Object.keys(scopes).join(' and ')}`,
  ),
  scopeNotAllowed: redirect(
    'invalid_scope',
    'the application may not ask for one of these scopes: see its registration',
  ),
  challengeRequired: redirect(
    'invalid_request',
    'this application must send code_challenge with code_challenge_method=S256',
  ),
  challengeMethodUnsupported: redirect(
    'invalid_request',
    'send code_challenge_method=S256 with code_challenge: plain is not supported',
  ),
  challengeMalformed: redirect(
    'invalid_request',
    'code_challenge must be the 43 characters of a base64url SHA-256',
  ),
  serverError: redirect('server_error', 'internal error'),
  temporarilyUnavailable: redirect(
    'temporarily_unavailable',
    'temporarily unavailable: try again in a few seconds',
  ),
  notForm: json('invalid_request', 415, 'send the body as application/x-www-form-urlencoded'),
  expectationFailed: json('invalid_request', 417, 'send no Expect, or 100-continue'),
  bodyTooLarge: json('invalid_request', 413, 'the body is too large'),
  bodyUnreadable: json(
    'invalid_request',
    400,
    'the body is not readable: every parameter must be URL-encoded UTF-8',
  ),
  parameterRepeated: json('invalid_request', 400, 'a parameter was sent more than once'),
  credentialsInQuery: json(
    'invalid_request',
    400,
    'the query must be empty: send parameters in the body and credentials by HTTP Basic',
  ),
  credentialsInBody: json(
    'invalid_request',
    400,
    'use HTTP Basic: client_id and client_secret never go into the body',
  ),
  credentialsRepeated: json('invalid_request', 400, 'send one Authorization header'),
  clientNotAuthenticated: json(
    'invalid_client',
    401,
    'authenticate with HTTP Basic, as Base64 of client_id:client_secret',
  ),
  clientRefused: json('invalid_client', 401, 'unknown client_id or wrong client_secret'),
  clientNotApproved: json(
    'invalid_client',
    401,
    'the application is disabled or not approved: ask the operator',
  ),
  clientThrottled: json(
    'invalid_client',
    429,
    'too many failed authentications from this address: wait for the number of seconds in Retry-After',
  ),
  grantTypeMissing: json(
    'invalid_request',
    400,
    'grant_type is missing: send authorization_code or refresh_token',
  ),
  grantTypeUnsupported: json(
    'unsupported_grant_type',
    400,
    'the only grant types are authorization_code and refresh_token',
  ),
  codeMissing: json('invalid_request', 400, 'code is missing'),
  tokenCallbackMissing: json(
    'invalid_request',
    400,
    'redirect_uri is missing: repeat the one from the authorization request',
  ),
  codeUnknown: json(
    'invalid_grant',
    400,
    'the code is unknown, or was issued to another application',
  ),
  codeExpired: json(
    'invalid_grant',
    400,
    'the code has expired: ask the owner for authorization again',
  ),
  codeUsed: json('invalid_grant', 400, 'the code was used before: a code works once'),
  codeReused: json(
    'invalid_grant',
    400,
    'the code was used before, so the tokens issued for it were revoked',
  ),
  codeBurnt: json(
    'invalid_grant',
    400,
    'too many failed attempts to exchange this code: ask the owner for authorization again',
  ),
  codeCallbackMismatch: json(
    'invalid_grant',
    400,
    'redirect_uri is not the registered address to which the code was sent',
  ),
  verifierMissing: json(
    'invalid_grant',
    400,
    'code_verifier is missing: the authorization request had a code_challenge',
  ),
  verifierUnexpected: json(
    'invalid_grant',
    400,
    'code_verifier was sent, but the authorization request had no code_challenge',
  ),
  verifierWrong: json(
    'invalid_grant',
    400,
    'code_verifier does not match the code_challenge of the authorization request',
  ),
  grantEnded: json(
    'invalid_grant',
    400,
    'the owner or the application ended this authorization: ask the owner for a new one',
  ),
  refreshTokenMissing: json('invalid_request', 400, 'refresh_token is missing'),
  refreshTokenUnknown: json(
    'invalid_grant',
    400,
    'the refresh token is unknown, or was issued to another application',
  ),
  refreshTokenExpired: json(
    'invalid_grant',
    400,
    'the refresh token has expired: ask the owner for authorization again',
  ),
  refreshTokenUsed: json(
    'invalid_grant',
    400,
    'the refresh token was used before: use the one that replaced it',
  ),
  refreshTokenReused: json(
    'invalid_grant',
    400,
    'the refresh token was used before, so all tokens that came from the same code were revoked: ask the owner again',
  ),
  scopeWithdrawn: json(
    'invalid_grant',
    400,
    'the application may no longer ask for a scope of this authorization',
  ),
  scopeExceeded: json('invalid_scope', 400, 'scope names more than the owner granted'),
  tokenMissing: json('invalid_request', 400, 'token is missing'),
  idempotencyKeyMalformed: json(
    'invalid_request',
    400,
    'Idempotency-Key must be 16 to 64 visible ASCII characters',
  ),
  idempotencyKeyTaken: json(
    'invalid_request',
    400,
    'this Idempotency-Key was sent with another body within the last minute',
  ),
  transportInsecure: json(
    'invalid_request',
    400,
    'use https: this interface serves nothing over plain http',
  ),
  notFound: json('invalid_request', 404, 'no such path'),
  methodNotAllowed: json('invalid_request', 405, 'the method is not allowed here: see Allow'),
  internal: json('server_error', 500, 'internal error: quote the X-Request-Id when you report it'),
  unavailable: json(
    'temporarily_unavailable',
    503,
    'temporarily unavailable: try again after the number of seconds in Retry-After',
  ),
  tooManyRequests: json(
    'temporarily_unavailable',
    429,
    'too many requests: wait for the number of seconds in Retry-After',
  ),
} as const satisfies Record<string, OauthErrorEntry>;

/** A name in the registry. */
export type OauthErrorName = keyof typeof oauthErrors;

/** The answer of the token endpoint: exactly these fields. interface O46 */
export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly refresh_token: string;
  /** Validity of the access token in seconds. */
  readonly expires_in: number;
  /** Granted scopes, separated by spaces. */
  readonly scope: string;
}
