import { hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyRequest } from 'fastify';
import { portalOutcome, type OperationInput, type PortalOutcome } from '@helioport/contract';
import {
  findKeptAnswer,
  keepAnswer,
  takeMark,
  type OnceMark,
  answerContext,
} from '../../../identity/accounts/once.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { inputOf } from '../../operations/input.ts';
import type { Instant } from '../../../platform/storage/database.ts';
import type { PortalDeps } from './deps.ts';
import type { Endpoint } from './session.ts';
import { getSession } from './visitor.ts';

/** For how long a write is refused that is sent again with the same Idempotency-Key. */
const REMEMBERED_MS = 24 * 3_600_000;
/** Longer answers are not kept. */
const ANSWER_CHARACTERS = 65_536;
/** For how long an answer is waited for that is being written. */
const ANSWER_WITHIN_MS = 2_000;
const LOOK_EVERY_MS = 50;
/** Stands in place of the answer to a write that was asked about before it came. */
const NEVER = Buffer.alloc(0);

/** The name that a page gave to a write; undefined = none. Throws malformedRequest. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(key)))
    throw new Failure('malformedRequest', {
      message: 'Idempotency-Key must have 1 to 200 visible characters',
    });
  return key;
}

/** What distinguishes a write of a page from every other. */
export const writeMark = (
  accountId: string,
  operationId: string,
  key: string,
  now: Instant,
): OnceMark => ({
  holder: `account:${accountId}`,
  digest: hash('sha256', `${operationId} ${key}`, 'buffer'),
  expiresAt: now + REMEMBERED_MS,
});

/** Keeps what a write is answered with, since the answer may be lost on its way. It may have secrets, so it is encrypted. */
export async function keepAnswerOf(
  { db, factors: { secretBox }, observability }: PortalDeps,
  mark: OnceMark,
  data: string,
): Promise<void> {
  if (data.length > ANSWER_CHARACTERS) return;
  // The write has been carried out, whether or not this can be stored.
  await keepAnswer(db, mark, secretBox.seal(data, answerContext(mark))).catch((error: Error) =>
    observability.logger.warn({ reason: error.message }, 'an answer could not be kept'),
  );
}

/**
 * POST /portal/outcome: whether a write was carried out whose answer did not arrive. If it was not, it never will be: it is refused should it still
 * come. Throws notAuthenticated, missingParameter, invalidValue, tooManyRequests.
 */
export const answerOutcome: Endpoint = async (deps, request, _reply, body) => {
  const { db, clock, factors } = deps;
  const { accountId } = await getSession(deps, request);
  const { operation, key } = inputOf(portalOutcome, body) as OperationInput<typeof portalOutcome>;
  const mark = writeMark(accountId, operation, key, clock.now());
  const { granted, retryAfterSeconds } = await deps.outcomes.take(accountId);
  if (!granted) throw new Failure('tooManyRequests', { data: { retryAfterSeconds } });
  try {
    await takeMark(db, mark, NEVER);
    return { carriedOut: false } satisfies PortalOutcome;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
  }
  const endAt = performance.now() + ANSWER_WITHIN_MS;
  let sealed = await findKeptAnswer(db, mark);
  while (sealed === null && performance.now() < endAt) {
    await pause(LOOK_EVERY_MS);
    sealed = await findKeptAnswer(db, mark);
  }
  if (sealed?.length === NEVER.length) return { carriedOut: false } satisfies PortalOutcome;
  return {
    carriedOut: true,
    ...(sealed && {
      answer: JSON.parse(factors.secretBox.open(sealed, answerContext(mark))) as unknown,
    }),
  } satisfies PortalOutcome;
};
