import { portalPasskey, portalSecondStep, type OperationInput } from '@helioport/contract';
import {
  continueSignIn,
  passkeySignInOptions,
  signInWithPasskey,
} from '../../../identity/accounts/sign-in.ts';
import { inputOf } from '../../operations/input.ts';
import { afterLogIn, type Endpoint } from './session.ts';
import { requestPlaceOf, setCookies } from './visitor.ts';

/** POST /portal/second-step: completes a log-in that was answered with secondFactorRequired. Throws loginExpired, wrongFactor, tooManyRequests. */
export const answerSecondStep: Endpoint = async (deps, request, reply, body) => {
  const input = inputOf(portalSecondStep, body) as OperationInput<typeof portalSecondStep>;
  const cookies = await continueSignIn(deps, requestPlaceOf(deps, request), input);
  setCookies(deps, reply, cookies);
  return afterLogIn(deps, cookies.session);
};

/** POST /portal/passkey-options: what the browser needs to log in with a passkey alone. Throws noPermission where passkeys are impossible. */
export const answerPasskeyOptions: Endpoint = async (deps, request) => ({
  options: await passkeySignInOptions(deps, requestPlaceOf(deps, request)),
});

/** POST /portal/passkey-log-in. Throws wrongFactor, tooManyRequests. */
export const answerPasskeyLogIn: Endpoint = async (deps, request, reply, body) => {
  const { response } = inputOf(portalPasskey, body) as OperationInput<typeof portalPasskey>;
  const cookies = await signInWithPasskey(deps, requestPlaceOf(deps, request), response);
  setCookies(deps, reply, cookies);
  return afterLogIn(deps, cookies.session);
};
