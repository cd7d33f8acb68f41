import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ConsoleCaller } from '../../../identity/accounts/caller.ts';
import { findLivingSupport, recordLook } from '../../../identity/accounts/support.ts';
import { isTaken, onceBy, type Once, type OnceMark } from '../../../identity/accounts/once.ts';
import { idempotencyKeyOf, keepAnswerOf, writeMark } from './outcome.ts';
import { methodsOf } from '../../../identity/accounts/factors/second-factor.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { inputOf } from '../../operations/input.ts';
import { parseJsonObject } from '../http/json.ts';
import type { Admission, AnyOperation } from '../http/mount.ts';
import type { PortalDeps } from './deps.ts';
import { getSession, refuseOperators } from './visitor.ts';

/** Identifies the caller of an operation: somebody who is logged in. The session is read from the database on each request. */
export const admit =
  (deps: PortalDeps) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    operation: AnyOperation,
  ): Promise<Admission> => {
    const session = await getSession(deps, request);
    const { accountId } = session;
    if (operation.operatorsToo !== true) refuseOperators(session);
    await deps.rateLimit.count(reply, accountId, operation.id);
    const caller = {
      kind: 'user',
      accountId,
      keyId: null,
      canControl: true,
      plantIds: null,
      address: request.ip,
      sessionId: session.id,
      isOperator: session.role === 'operator',
    } as const;
    return { caller, ...(await onceOf(deps, request, operation, accountId)) };
  };

/**
 * Identifies the caller of an operation of the console: an account with the role operator, which must have a second factor. Role and factors are read
 * on each request, so that an operator who loses them is out at once.
 */
export const admitOperator =
  (deps: PortalDeps) =>
  async (
    request: FastifyRequest,
    reply: FastifyReply,
    operation: AnyOperation,
  ): Promise<Admission> => {
    const { operatorId, sessionId } = await getOperator(deps, request);
    await deps.rateLimit.count(reply, operatorId, operation.id);
    const caller = {
      kind: 'console',
      operatorId,
      sessionId,
      accountId: null,
      plantIds: null,
      address: request.ip,
    } as const;
    return { caller, ...(await onceOf(deps, request, operation, operatorId)) };
  };

/** Throws notAuthenticated, noPermission for anybody else, and factorMissing. */
async function getOperator(
  deps: PortalDeps,
  request: FastifyRequest,
): Promise<Pick<ConsoleCaller, 'operatorId' | 'sessionId'>> {
  const { id: sessionId, accountId, role } = await getSession(deps, request);
  if (role !== 'operator')
    throw new Failure('noPermission', { message: 'only for operators of the service' });
  if ((await methodsOf(deps.db, accountId)).length === 0) throw new Failure('factorMissing');
  return { operatorId: accountId, sessionId };
}

/** The header that names the permission with which an operator looks. */
const PERMISSION_HEADER = 'x-helioport-support';

/**
 * Identifies an operator who looks through the eyes of an owner. The permission is read on each request, so that it ends at once; what is asked is
 * recorded before it is answered. Throws noPermission without a permission that counts; missingParameter, invalidValue.
 */
export const admitSupport =
  (deps: PortalDeps) =>
  async (request: FastifyRequest, reply: FastifyReply, asked: AnyOperation): Promise<Admission> => {
    const { db, clock, ids: newId } = deps;
    const operation = asked.id;
    const { operatorId } = await getOperator(deps, request);
    const id = request.headers[PERMISSION_HEADER];
    const permission =
      typeof id === 'string' && /^\d{1,19}$/.test(id)
        ? await findLivingSupport(db, clock.now(), id)
        : undefined;
    if (!permission)
      throw new Failure('noPermission', { message: 'no such permission, or it has ended' });
    await deps.rateLimit.count(reply, operatorId, operation);
    const { accountId } = permission;
    const subject = subjectIn(inputOf(asked, parseJsonObject(request.body as Buffer | undefined)));
    const act = {
      at: clock.now(),
      newId,
      actor: `account:${operatorId}`,
      address: request.ip,
    } as const;
    await recordLook(db, act, {
      permissionId: permission.id,
      accountId,
      operatorId,
      operation,
      subject,
    });
    return {
      caller: {
        kind: 'user',
        accountId,
        keyId: null,
        canControl: false,
        plantIds: null,
        address: request.ip,
        supporterId: operatorId,
      },
    };
  };

/** Our names of the parameters that say which plants or devices are asked about. */
const NAMING = ['id', 'plantId', 'plantIds', 'nmiCode', 'sn', 'serialNumbers', 'deviceSn'] as const;
const SUBJECT_CHARACTERS = 500;

/** What is asked about, by what the operation will read alone: whatever else a request holds does not change what is recorded. */
function subjectIn(input: { readonly [name in (typeof NAMING)[number]]?: unknown }): string {
  const named = NAMING.flatMap((name) => input[name] ?? []).map(String);
  const subject = [...new Set(named)].join(', ');
  return subject.length > SUBJECT_CHARACTERS
    ? `${subject.slice(0, SUBJECT_CHARACTERS - 1).toWellFormed()}…`
    : subject;
}

async function onceOf(
  deps: PortalDeps,
  request: FastifyRequest,
  { id, write }: AnyOperation,
  accountId: string,
): Promise<Pick<Admission, 'once' | 'answered'>> {
  const mark = write ? markOf(request, accountId, id, deps.clock.now()) : undefined;
  if (!mark) return {};
  return {
    once: await onceFor(deps.db, mark),
    answered: (data) => keepAnswerOf(deps, mark, data),
  };
}

/**
 * What distinguishes a write from every other: the Idempotency-Key that the page made for it; undefined = it sent none, and two requests are
 * two writes. Throws malformedRequest.
 */
function markOf(
  request: FastifyRequest,
  accountId: string,
  operationId: string,
  now: Instant,
): OnceMark | undefined {
  const key = idempotencyKeyOf(request);
  return key === undefined ? undefined : writeMark(accountId, operationId, key, now);
}

async function onceFor(db: Db, mark: OnceMark): Promise<Once> {
  const again = new Failure('replayed', { message: 'this request has already been carried out' });
  if (await isTaken(db, mark)) throw again;
  const once = onceBy(mark);
  return (trx) =>
    once(trx).catch((error: unknown) => {
      throw error instanceof Failure ? again : error;
    });
}
