import { meaning, required } from '../../parameters.ts';
import { exactText } from '../../scalars.ts';

// This only limits how much has to be checked.
const TEXT_AT_MOST = 4096;
/** An answer of a passkey is the longest. */
const FACTOR_AT_MOST = 10_000;

export const secondFactor = meaning(
  'six digits of the authenticator app, a recovery code, or the answer of a passkey as JSON; required if the account has second factors',
  exactText(FACTOR_AT_MOST, 'secondFactor'),
);

/** The answer of an authenticator, as JSON text. */
export const passkeyResponse = required(
  meaning('the answer of the authenticator, as JSON', exactText(FACTOR_AT_MOST, 'response')),
);

/** How somebody who is logged in proves once more who it is. */
export const identity = {
  password: required(meaning('the current password', exactText(TEXT_AT_MOST, 'password'))),
  secondFactor,
};

/** The errors of operations that ask for it. */
export const identityErrors = [
  'missingParameter',
  'invalidValue',
  'noPermission',
  'wrongLogin',
  'secondFactorRequired',
  'wrongFactor',
  'tooManyRequests',
] as const;
