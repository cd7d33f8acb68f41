import { errorCodes, type ErrorCode } from './error-codes.ts';

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
    errorCodes.noPermission,
    200,
    'no permission, or no such plant or device',
    'Check the id, and that the plant is yours or shared with you.',
  ),
  deviceAlreadyBound: entry(
    errorCodes.deviceAlreadyBound,
    200,
    'the device is already bound',
    'Ask its current owner to unbind it. If nobody has bound it, somebody else’s collector reported it first, or its last owner’s still does: it can be bound a day after that collector’s last report. If the device is yours and is reported elsewhere nevertheless, ask the operator.',
  ),
  accountUnknown: entry(
    errorCodes.accountUnknown,
    200,
    'the user does not exist',
    'Check the e-mail address or the user id.',
  ),
  collectorUnknown: entry(
    errorCodes.collectorUnknown,
    200,
    'the collector does not exist, or no permission',
    'Check the serial number, and that the collector has reported or was added.',
  ),
  deviceOffline: entry(
    errorCodes.deviceOffline,
    200,
    'the collector of the device is offline, or the device has none',
    'Try again once the collector reports again.',
  ),
  oldValueMissing: entry(
    errorCodes.oldValueMissing,
    200,
    'this parameter must be read before it is set',
    'Read it, and send its `yuanzhi` with the new value.',
  ),
  noAnswer: entry(
    errorCodes.noAnswer,
    200,
    'the collector or the device did not answer properly',
    '`msg` contains its answer. Try again later.',
  ),
  controlStopped: entry(
    errorCodes.controlStopped,
    200,
    'the owner of the plant has stopped the writes of others',
    'Ask the owner to allow them again.',
  ),
  tooManyWrites: entry(
    errorCodes.tooManyWrites,
    200,
    'the parameter was written too often in the last 24 hours',
    'Wait, and send only what has changed: each write wears out the device’s memory.',
  ),
  deviceBusy: entry(
    errorCodes.deviceBusy,
    200,
    'the device has another strategy at that time',
    '`data.sn` names the device, `data.start` and `data.end` the other time.',
  ),
  referenceTaken: entry(
    errorCodes.referenceTaken,
    200,
    'this reference was used for another strategy',
    'Send the same request as before, or another reference.',
  ),
  strategyOver: entry(
    errorCodes.strategyOver,
    200,
    'the strategy has ended',
    'Create another one.',
  ),
  changedMeanwhile: entry(
    errorCodes.changedMeanwhile,
    200,
    'somebody has changed this meanwhile',
    'Read it again, and decide anew.',
  ),
  deviceUnknown: entry(
    errorCodes.deviceUnknown,
    200,
    'the device does not exist',
    'Check the serial number.',
  ),
  missingParameter: entry(
    errorCodes.missingParameter,
    200,
    'a required parameter is missing',
    '`data.field` names it.',
  ),
  invalidValue: entry(
    errorCodes.invalidValue,
    200,
    'a parameter has an invalid value',
    '`data.field` names it, `data.expected` says what is accepted.',
  ),
  wrongLogin: entry(errorCodes.wrongLogin, 200, 'wrong account or password', 'Check both.'),
  secondFactorRequired: entry(
    errorCodes.secondFactorRequired,
    200,
    'a second factor is required',
    '`data.methods` names those of the account. Send a code of the authenticator app, a recovery code, or the answer of a passkey to `data.passkey`.',
  ),
  wrongFactor: entry(
    errorCodes.wrongFactor,
    200,
    'wrong or used code, or a passkey that is not accepted',
    'Wait for the next code, or use another factor.',
  ),
  factorMissing: entry(
    errorCodes.factorMissing,
    200,
    'operators need a second factor',
    'Set up an authenticator app or a passkey in the portal, under Account and Security.',
  ),
  loginExpired: entry(errorCodes.loginExpired, 200, 'the log-in has expired', 'Log in again.'),
  digestMismatch: entry(
    errorCodes.digestMismatch,
    403,
    'Content-MD5 does not match the body',
    'Hash the bytes that you send; `data.expected` is the digest of what arrived.',
  ),
  malformedRequest: entry(errorCodes.malformedRequest, 400, 'malformed request', 'See `msg`.'),
  notAuthenticated: entry(
    errorCodes.notAuthenticated,
    401,
    'no usable Authorization header',
    'Send `Authorization: API <KeyID>:<sign>`.',
  ),
  signatureRefused: entry(
    errorCodes.signatureRefused,
    403,
    'unknown key or wrong signature',
    'Compare `data.stringToSign` with the string that you signed. The portal’s page `/debugger` finds the mistake.',
  ),
  keyRefused: entry(errorCodes.keyRefused, 403, 'this key may not be used', '`msg` says why.'),
  collectorRefused: entry(
    errorCodes.collectorRefused,
    403,
    'the collector may not report',
    '`msg` says why. Keep the report and send it again later.',
  ),
  foreignPage: entry(
    errorCodes.foreignPage,
    403,
    'the request does not come from a current page of the portal',
    'Reload the page.',
  ),
  scopeMissing: entry(
    errorCodes.scopeMissing,
    403,
    'the access token lacks the scope of this operation',
    'Ask the owner again for authorization with the scope named in WWW-Authenticate.',
  ),
  notFound: entry(errorCodes.notFound, 404, 'no such path', 'See the reference for the paths.'),
  methodNotAllowed: entry(errorCodes.methodNotAllowed, 405, 'only POST is allowed', 'Send a POST.'),
  clockSkew: entry(
    errorCodes.clockSkew,
    408,
    'Date is too far from the server’s time',
    'Set your clock; `data.serverTime` is the server’s time.',
  ),
  replayed: entry(
    errorCodes.replayed,
    409,
    'this signed write has already been carried out',
    'Sign a new request with a new Date.',
  ),
  tooLarge: entry(
    errorCodes.tooLarge,
    413,
    'the body is too large',
    'A body may have at most 1 MiB.',
  ),
  unsupportedMediaType: entry(
    errorCodes.unsupportedMediaType,
    415,
    'the media type is not supported',
    'Send application/json;charset=UTF-8 without Content-Encoding.',
  ),
  expectationFailed: entry(
    errorCodes.expectationFailed,
    417,
    'this service does not meet the expectation in Expect',
    'Send no Expect, or `100-continue`.',
  ),
  tooManyRequests: entry(
    errorCodes.tooManyRequests,
    429,
    'too many requests',
    'Wait for the number of seconds in Retry-After; the RateLimit headers show what is left.',
  ),
  internal: entry(
    errorCodes.internal,
    500,
    'internal error',
    'A fault of the server. Quote `data.requestId` when you report it.',
  ),
  unavailable: entry(
    errorCodes.unavailable,
    503,
    'temporarily unavailable',
    'Try again after the number of seconds in Retry-After.',
  ),
} as const satisfies Record<ErrorCode, ErrorEntry>;
