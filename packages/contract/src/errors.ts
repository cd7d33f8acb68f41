/** One cause of refusal, as it appears on the wire. */
export interface ErrorEntry {
  /** `code` of the envelope; always a string. */
  readonly code: string;
  /** HTTP status. Business errors have 200: existing clients read the code (interface W3). */
  readonly status: number;
  /** Default of `msg`. */
  readonly message: string;
  /** What the caller should do, as shown in the reference. */
  readonly advice: string;
}

const entry = (code: string, status: number, message: string, advice: string): ErrorEntry => ({
  code,
  status,
  message,
  advice,
});

/**
 * The registry of all refusals of both resource interfaces. docs/errors.md is generated from it.
 * The errors of the authorization endpoints have a registry of their own in oauth.ts, since RFC 6749 defines their form.
 */
export const errors = {
  noPermission: entry(
    'R0000',
    200,
    'no permission, or no such plant or device',
    'Check the id, and that the plant is yours or shared with you.',
  ),
  deviceAlreadyBound: entry(
    'B0001',
    200,
    'the device is already bound',
    'Ask its current owner to unbind it. If it has no owner but its last owner’s collector still reports it, it can be bound a day after that collector’s last report.',
  ),
  accountUnknown: entry(
    'B0011',
    200,
    'the user does not exist',
    'Check the e-mail address or the user id.',
  ),
  collectorUnknown: entry(
    'B0049',
    200,
    'the collector does not exist, or no permission',
    'Check the serial number, and that the collector has reported or was added.',
  ),
  deviceOffline: entry(
    'B0115',
    200,
    'the collector of the device is offline, or the device has none',
    'Try again once the collector reports again.',
  ),
  oldValueMissing: entry(
    'B0218',
    200,
    'this parameter must be read before it is set',
    'Read it, and send its `yuanzhi` with the new value.',
  ),
  noAnswer: entry(
    'B0600',
    200,
    'the collector or the device did not answer properly',
    '`msg` contains its answer. Try again later.',
  ),
  controlStopped: entry(
    'R0004',
    200,
    'the owner of the plant has stopped the writes of others',
    'Ask the owner to allow them again.',
  ),
  tooManyWrites: entry(
    'H0002',
    200,
    'the parameter was written too often in the last 24 hours',
    'Wait, and send only what has changed: each write wears out the device’s memory.',
  ),
  deviceBusy: entry(
    'H0003',
    200,
    'the device has another strategy at that time',
    '`data.sn` names the device, `data.start` and `data.end` the other time.',
  ),
  referenceTaken: entry(
    'H0004',
    200,
    'this reference was used for another strategy',
    'Send the same request as before, or another reference.',
  ),
  strategyOver: entry('H0005', 200, 'the strategy has ended', 'Create another one.'),
  changedMeanwhile: entry(
    'H0006',
    200,
    'somebody has changed this meanwhile',
    'Read it again, and decide anew.',
  ),
  deviceUnknown: entry('B0124', 200, 'the device does not exist', 'Check the serial number.'),
  missingParameter: entry(
    'I0000',
    200,
    'a required parameter is missing',
    '`data.field` names it.',
  ),
  invalidValue: entry(
    'H0001',
    200,
    'a parameter has an invalid value',
    '`data.field` names it, `data.expected` says what is accepted.',
  ),
  wrongLogin: entry('I0012', 200, 'wrong account or password', 'Check both.'),
  secondFactorRequired: entry(
    'H0010',
    200,
    'a second factor is required',
    '`data.methods` names those of the account. Send a code of the authenticator app, a recovery code, or the answer of a passkey to `data.passkey`.',
  ),
  wrongFactor: entry(
    'H0011',
    200,
    'wrong or used code, or a passkey that is not accepted',
    'Wait for the next code, or use another factor.',
  ),
  factorMissing: entry(
    'H0012',
    200,
    'operators need a second factor',
    'Set up an authenticator app or a passkey in the portal, under Account and Security.',
  ),
  loginExpired: entry('Z0001', 200, 'the log-in has expired', 'Log in again.'),
  digestMismatch: entry(
    'Z0002',
    403,
    'Content-MD5 does not match the body',
    'Hash the bytes that you send; `data.expected` is the digest of what arrived.',
  ),
  malformedRequest: entry('400', 400, 'malformed request', 'See `msg`.'),
  notAuthenticated: entry(
    '401',
    401,
    'no usable Authorization header',
    'Send `Authorization: API <KeyID>:<sign>`.',
  ),
  signatureRefused: entry(
    '403',
    403,
    'unknown key or wrong signature',
    'Compare `data.stringToSign` with the string that you signed. The portal’s page `/debugger` finds the mistake.',
  ),
  keyRefused: entry('403', 403, 'this key may not be used', '`msg` says why.'),
  collectorRefused: entry(
    '403',
    403,
    'the collector may not report',
    '`msg` says why. Keep the report and send it again later.',
  ),
  foreignPage: entry(
    '403',
    403,
    'the request does not come from a current page of the portal',
    'Reload the page.',
  ),
  scopeMissing: entry(
    '403',
    403,
    'the access token lacks the scope of this operation',
    'Ask the owner again for authorization with the scope named in WWW-Authenticate.',
  ),
  notFound: entry('404', 404, 'no such path', 'See the reference for the paths.'),
  methodNotAllowed: entry('405', 405, 'only POST is allowed', 'Send a POST.'),
  clockSkew: entry(
    '408',
    408,
    'Date is too far from the server’s time',
    'Set your clock; `data.serverTime` is the server’s time.',
  ),
  replayed: entry(
    '409',
    409,
    'this signed write has already been carried out',
    'Sign a new request with a new Date.',
  ),
  tooLarge: entry('413', 413, 'the body is too large', 'A body may have at most 1 MiB.'),
  unsupportedMediaType: entry(
    '415',
    415,
    'the media type is not supported',
    'Send application/json;charset=UTF-8 without Content-Encoding.',
  ),
  expectationFailed: entry(
    '417',
    417,
    'this service does not meet the expectation in Expect',
    'Send no Expect, or `100-continue`.',
  ),
  tooManyRequests: entry(
    '429',
    429,
    'too many requests',
    'Wait for the number of seconds in Retry-After; the RateLimit headers show what is left.',
  ),
  internal: entry(
    '500',
    500,
    'internal error',
    'A fault of the server. Quote `data.requestId` when you report it.',
  ),
  unavailable: entry(
    '503',
    503,
    'temporarily unavailable',
    'Try again after the number of seconds in Retry-After.',
  ),
} as const satisfies Record<string, ErrorEntry>;

/** A name in the registry. */
export type ErrorCode = keyof typeof errors;
