import type { Caller, ClientCaller, ConsoleCaller } from '../accounts/caller.ts';
import { methodsOf } from '../accounts/factors/second-factor.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { forKeyShare, forShare } from '../../platform/storage/lock.ts';
import { livesUntil } from './grant-life.ts';
import { scopesOf } from './scopes.ts';
import { findGrantCaller } from './grant-caller.ts';

/** The credentials on which a request rests, and when it was made. */
export interface CallerCheck {
  readonly accountId: string;
  readonly keyId: string | null;
  readonly grantId: string | null;
  readonly tokenFamily: string | null;
  readonly queuedAt: Instant;
}

/** The holder of credentials as a caller with its current rights, or why it has none. What they rest on stays locked until the transaction ends. */
export async function callerOf(
  trx: Db,
  { accountId, keyId, grantId, tokenFamily, queuedAt }: CallerCheck,
  now: Instant,
): Promise<Caller | string> {
  const ended = await whyCallerEnded(trx, accountId, queuedAt);
  if (ended !== undefined) return ended;
  if (grantId !== null)
    return (await wasSuspended(trx, grantId, queuedAt))
      ? 'the application could not act in the meantime'
      : applicationOf(trx, tokenFamily, grantId, now);
  if (keyId !== null) return keyHolder(trx, keyId, now);
  return { kind: 'user', accountId, keyId: null, canControl: true, plantIds: null };
}

/** Why what an account asked for at a time is not done any more, which stays so until the transaction ends; undefined = it is. */
export async function whyCallerEnded(
  trx: Db,
  accountId: string,
  queuedAt: Instant,
): Promise<string | undefined> {
  const account = trx
    .selectFrom('account')
    .select(['disabledAt', 'requestsEndedAt'])
    .where('id', '=', accountId);
  const row = await forShare(trx, account).executeTakeFirst();
  if (!row || row.disabledAt !== null) return 'the requester’s account is disabled';
  return row.requestsEndedAt !== null && queuedAt <= row.requestsEndedAt
    ? 'the requester’s access was ended'
    : undefined;
}

/** Whether an application could not act at some time since, or had other scopes. */
async function wasSuspended(trx: Db, grantId: string, since: Instant): Promise<boolean> {
  const found = await trx
    .selectFrom('oauthGrant as g')
    .innerJoin('application as a', 'a.id', 'g.applicationId')
    .select('a.id')
    .where('g.id', '=', grantId)
    .where('a.resumedAt', '>', since)
    .executeTakeFirst();
  return found !== undefined;
}

async function keyHolder(trx: Db, keyId: string, now: Instant): Promise<Caller | string> {
  const key = trx
    .selectFrom('keyPair')
    .select(['accountId', 'canControl', 'plantIds', 'pending', 'expiresAt', 'disabledAt'])
    .where('id', '=', keyId);
  const row = await forShare(trx, key).executeTakeFirst();
  if (!row || row.disabledAt !== null || row.pending === 1) return 'the key is disabled';
  if (row.expiresAt !== null && row.expiresAt <= now) return 'the key has expired';
  return {
    kind: 'user',
    accountId: row.accountId,
    keyId,
    canControl: row.canControl === 1,
    plantIds: listOf(row.plantIds),
  };
}

async function applicationOf(
  trx: Db,
  tokenFamily: string | null,
  grantId: string,
  now: Instant,
): Promise<Caller | string> {
  if (tokenFamily === null)
    return (await findGrantCaller(trx, grantId, now)) ?? 'the authorization has ended';
  const found = trx
    .selectFrom('oauthGrant as g')
    .innerJoin('application as a', 'a.id', 'g.applicationId')
    .innerJoin('tokenFamily as f', 'f.grantId', 'g.id')
    .select([
      'g.accountId',
      'g.applicationId',
      'g.scopes',
      'g.plantIds',
      'g.revokedAt',
      'a.scopes as applicationScopes',
      'a.status',
      'a.disabledAt',
    ])
    .select(['f.scopes as familyScopes', 'f.endedAt', 'f.accessHash', livesUntil.as('livesUntil')])
    .where('g.id', '=', grantId)
    .where('f.codeHash', '=', Buffer.from(tokenFamily, 'hex'));
  const row = await forShare(trx, found).executeTakeFirst();
  if (!row || row.revokedAt !== null || (row.livesUntil ?? 0) <= now)
    return 'the authorization has ended';
  if (row.endedAt !== null || row.accessHash === null) return 'the token was revoked';
  if (row.status !== 'approved' || row.disabledAt !== null) return 'the application is disabled';
  const { accountId, applicationId } = row;
  const scopes = scopesOf(row.scopes & row.applicationScopes & row.familyScopes);
  return {
    kind: 'application',
    applicationId,
    grantId,
    tokenFamily,
    accountId,
    scopes,
    plantIds: listOf(row.plantIds),
  };
}

/**
 * A caller with the rights that its credentials have now; they stay so until the transaction ends. What it was admitted with may have ended while it
 * waited for a lock. Nobody disables an account or gives it another role meanwhile, since that takes all plants (plants/lock.ts).
 * Throws notAuthenticated, keyRefused, factorMissing.
 */
export async function stillStanding(trx: Db, caller: Caller, now: Instant): Promise<Caller> {
  if (caller.kind === 'operator') return caller;
  if (caller.kind === 'client') return client(trx, caller, now);
  const id = caller.kind === 'console' ? caller.operatorId : caller.accountId;
  const account = await trx
    .selectFrom('account')
    .select(['role', 'disabledAt'])
    .where('id', '=', id)
    .executeTakeFirst();
  const mustBeOperator =
    caller.kind === 'console' || (caller.kind === 'user' && caller.isOperator === true);
  if (account?.disabledAt !== null || (account.role === 'operator') !== mustBeOperator)
    throw new Failure('notAuthenticated', { message: 'the account may not do this any more' });
  if (caller.kind === 'console') return operatorAtConsole(trx, caller);
  if (caller.kind === 'application') {
    const standing = await applicationOf(trx, caller.tokenFamily, caller.grantId, now);
    if (typeof standing === 'string') throw new Failure('notAuthenticated', { message: standing });
    return standing;
  }
  if (caller.keyId !== null) {
    const holder = await keyHolder(trx, caller.keyId, now);
    if (typeof holder === 'string') throw new Failure('keyRefused', { message: holder });
    return { ...caller, ...holder };
  }
  if (caller.sessionId !== undefined) await requireOpen(trx, caller.sessionId);
  return caller;
}

async function operatorAtConsole(trx: Db, caller: ConsoleCaller): Promise<Caller> {
  await requireOpen(trx, caller.sessionId);
  if ((await methodsOf(trx, caller.operatorId)).length === 0) throw new Failure('factorMissing');
  return caller;
}

async function client(trx: Db, caller: ClientCaller, now: Instant): Promise<Caller> {
  const found = trx
    .selectFrom('application as a')
    .innerJoin('applicationSecret as s', 's.applicationId', 'a.id')
    .select('s.expiresAt')
    .where('a.id', '=', caller.applicationId)
    .where('a.status', '=', 'approved')
    .where('a.disabledAt', 'is', null)
    .where('s.id', '=', caller.secretId);
  const secret = await forShare(trx, found).executeTakeFirst();
  if (!secret)
    throw new Failure('notAuthenticated', {
      message: 'the application is disabled, or its secret was removed',
    });
  if (secret.expiresAt !== null && secret.expiresAt <= now)
    throw new Failure('notAuthenticated', { message: 'the client secret has ended' });
  return caller;
}

async function requireOpen(trx: Db, sessionId: string): Promise<void> {
  const session = trx.selectFrom('session').select('id').where('id', '=', sessionId);
  // The one who ends it deletes it; a user of it may still note that.
  if (!(await forKeyShare(trx, session).executeTakeFirst()))
    throw new Failure('notAuthenticated', { message: 'the session has ended' });
}
