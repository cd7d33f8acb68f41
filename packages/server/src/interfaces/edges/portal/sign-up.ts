import { portalSignUp, portalMailRequest, type OperationInput } from '@helioport/contract';
import { findAnswer, takeMark } from '../../../identity/accounts/once.ts';
import { requestMailToken } from '../../../identity/accounts/mail-tokens/request.ts';
import { signUp } from '../../../identity/accounts/mail-tokens/sign-up.ts';
import { beginSession, signIn } from '../../../identity/accounts/sign-in.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { inputOf } from '../../operations/input.ts';
import { linkMark, onceByLink } from './by-link.ts';
import type { PortalDeps } from './deps.ts';
import { afterLogIn, type Endpoint } from './session.ts';
import { placeOf, setCookies } from './visitor.ts';

/** POST /portal/sign-up-request: has a link sent to an address. Throws notFound where nobody may sign up, tooManyRequests. */
export const answerSignUpRequest: Endpoint = async (deps, request, _reply, body) => {
  requireSignUp(deps);
  const { email, language } = inputOf(portalMailRequest, body) as OperationInput<
    typeof portalMailRequest
  >;
  const asked = {
    purpose: 'signUp',
    email,
    language,
    address: request.ip,
    browser: deps.cookies.browserOf(request),
  } as const;
  await requestMailToken(deps.db, { at: deps.clock.now(), newId: deps.ids }, asked);
  return null;
};

/**
 * POST /portal/sign-up: makes an account for a person who has such a link, and logs in; sent again under the same Idempotency-Key, it logs in with the password.
 * Throws notFound, invalidValue, and what a log-in throws.
 */
export const answerSignUp: Endpoint = async (deps, request, reply, body) => {
  requireSignUp(deps);
  const { db, clock } = deps;
  const input = inputOf(portalSignUp, body) as OperationInput<typeof portalSignUp>;
  const mark = linkMark(request, 'sign-up', input.token, clock.now());
  const place = placeOf(deps, request);
  const cookies = await onceByLink(
    db,
    mark,
    async () =>
      beginSession(
        deps,
        place,
        await signUp(deps, request.ip, input, async (trx, { email }) => {
          if (mark) await takeMark(trx, mark, Buffer.from(email));
        }),
      ),
    async () => {
      const email = Buffer.from((await findAnswer(db, mark!)) ?? []).toString();
      return signIn(deps, place, { email, password: input.password });
    },
  );
  setCookies(deps, reply, cookies);
  return afterLogIn(deps, cookies.session);
};

function requireSignUp({ signUpAllowed }: PortalDeps): void {
  if (!signUpAllowed)
    throw new Failure('notFound', { message: 'accounts are made by the operator here' });
}
