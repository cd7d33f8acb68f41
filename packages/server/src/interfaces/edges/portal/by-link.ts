import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { MAIL_TOKEN_MS } from '../../../identity/accounts/mail-tokens/tokens.ts';
import { isTaken, type OnceMark } from '../../../identity/accounts/once.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import { hashSecret } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { idempotencyKeyOf } from './outcome.ts';

/**
 * What distinguishes a write of somebody who has followed a link, and has no session, from every other: the link and the Idempotency-Key that the page
 * made for it; undefined = it sent none. Throws malformedRequest.
 */
export function linkMark(
  request: FastifyRequest,
  name: 'reset' | 'sign-up',
  token: string,
  now: Instant,
): OnceMark | undefined {
  const key = idempotencyKeyOf(request);
  if (key === undefined) return undefined;
  return {
    holder: `link:${hashSecret(token).toString('base64url')}`,
    digest: hash('sha256', `${name} ${key}`, 'buffer'),
    expiresAt: now + MAIL_TOKEN_MS,
  };
}

/**
 * Carries a write out that uses a link up and takes `mark` in its transaction. The link is worth nothing afterwards; if the same write comes again, because
 * its answer was lost, `again` answers it.
 */
export async function onceByLink<T>(
  db: Db,
  mark: OnceMark | undefined,
  carryOut: () => Promise<T>,
  again: () => Promise<T>,
): Promise<T> {
  try {
    return await carryOut();
  } catch (error) {
    if (error instanceof Failure && mark && (await isTaken(db, mark))) return again();
    throw error;
  }
}
