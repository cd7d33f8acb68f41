import type { Caller } from '../accounts/caller.ts';
import { Failure } from '../kernel/failure.ts';
import { livesUntil } from '../oauth/grant-life.ts';
import { scopesOf } from '../oauth/scopes.ts';
import { findStanding } from '../oauth/standing.ts';
import { findPlant } from '../plants/access.ts';
import type { Db, Instant } from '../storage/database.ts';
import { forShare } from '../storage/lock.ts';
import { listOf } from '../storage/json-list.ts';
import type { Command } from './life-cycle.ts';
import { isStoppedFor } from './stop.ts';

/**
 * Why a command may no longer be sent; undefined = it may be. The rights are read again and stay locked until the transaction ends. So
 * a withdrawal waits for a command that is being sent and, once the withdrawal has returned, nothing more is sent. interface C18
 */
export async function whyNotAllowed(
  trx: Db,
  command: Command,
  plantId: string | null,
  now: Instant,
): Promise<string | undefined> {
  if (plantId !== command.plantId) return 'the device is no longer in that plant';
  // Settings that a strategy has changed are restored even if nobody has the right to control the plant any more.
  if (command.door === 'service') return undefined;
  const caller = await callerOf(trx, command, now);
  if (typeof caller === 'string') return caller;
  if (!(await mayControl(trx, caller, plantId)))
    return 'the requester may no longer control the plant';
  return command.action === 'write' && (await isStoppedFor(trx, command, plantId))
    ? 'the owner of the plant has stopped the writes of others'
    : undefined;
}

async function mayControl(trx: Db, caller: Caller, plantId: string): Promise<boolean> {
  if (caller.accountId !== null) {
    const access = trx
      .selectFrom('plantAccess')
      .select('level')
      .where('accountId', '=', caller.accountId)
      .where('plantId', '=', plantId);
    await forShare(trx, access).execute();
  }
  try {
    return (await findPlant(trx, caller, plantId, 'control')) !== undefined;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}

/** The requester as a caller with its current rights, or why it has none. */
async function callerOf(trx: Db, command: Command, now: Instant): Promise<Caller | string> {
  const { door, accountId, keyId, grantId } = command;
  if (door === 'operator') return { kind: 'operator', accountId, plantIds: null };
  if (!(await isEnabled(trx, accountId!))) return 'the requester’s account is disabled';
  if (grantId !== null) return applicationOf(trx, command, grantId, now);
  if (keyId !== null) return keyHolder(trx, keyId, now);
  return { kind: 'user', accountId: accountId!, keyId: null, canControl: true, plantIds: null };
}

async function isEnabled(trx: Db, accountId: string): Promise<boolean> {
  const account = trx.selectFrom('account').select('disabledAt').where('id', '=', accountId);
  const row = await forShare(trx, account).executeTakeFirst();
  return row?.disabledAt === null;
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
  { tokenFamily }: Command,
  grantId: string,
  now: Instant,
): Promise<Caller | string> {
  if (tokenFamily === null)
    return (await findStanding(trx, grantId, now)) ?? 'the authorization has ended';
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
