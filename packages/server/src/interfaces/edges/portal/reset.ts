import { portalReset, portalMailRequest, type OperationInput } from '@helioport/contract';
import { takeMark } from '../../../identity/accounts/once.ts';
import { requestMailToken } from '../../../identity/accounts/mail-tokens/request.ts';
import { resetPassword } from '../../../identity/accounts/mail-tokens/reset.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { endAllAccess } from '../../../control/commands/all-access.ts';
import { inputOf } from '../../operations/input.ts';
import { linkMark, onceByLink } from './by-link.ts';
import type { Endpoint } from './session.ts';

/** POST /portal/reset-request: has a link sent to an address, if it has an account. Throws notFound where no e-mails are sent, tooManyRequests. */
export const answerResetRequest: Endpoint = async (
  { db, clock, ids, cookies, mailAvailable },
  request,
  _reply,
  body,
) => {
  if (!mailAvailable)
    throw new Failure('notFound', {
      message: 'this installation sends no e-mails: ask its operator',
    });
  const { email, language } = inputOf(portalMailRequest, body) as OperationInput<
    typeof portalMailRequest
  >;
  const asked = {
    purpose: 'reset',
    email,
    language,
    address: request.ip,
    browser: cookies.browserOf(request),
  } as const;
  await requestMailToken(db, { at: clock.now(), newId: ids }, asked);
  return null;
};

/** POST /portal/reset: a new password for a person who has such a link; sent again under the same Idempotency-Key, it has been done. Throws invalidValue, secondFactorRequired, wrongFactor, tooManyRequests. */
export const answerReset: Endpoint = async (deps, request, _reply, body) => {
  const { endAllAccess: endAll = false, ...reset } = inputOf(portalReset, body) as OperationInput<
    typeof portalReset
  >;
  const { db, clock } = deps;
  const mark = linkMark(request, 'reset', reset.token, clock.now());
  const carryOut = () =>
    resetPassword(deps, request.ip, reset, async (trx, act, accountId) => {
      if (mark) await takeMark(trx, mark);
      if (endAll) await endAllAccess(trx, act, accountId);
    });
  await onceByLink(db, mark, carryOut, async () => {});
  return null;
};
