import type { Db } from '../../../platform/storage/database.ts';
import { recordAudit, type Act } from '../audit.ts';
import { endSessions } from '../sessions.ts';
import { listPasskeys, type Passkey } from './passkey-rows.ts';
import { replaceRecoveryCodes } from './recovery-codes.ts';
import { methodsOf } from './second-factor.ts';

/** The second factors of an account, as their owner sees them. */
export interface Factors {
  /** When the authenticator app was set up; null = none. */
  readonly totpSince: number | null;
  readonly recoveryCodesLeft: number;
  readonly passkeys: readonly Passkey[];
}

export async function listFactors(db: Db, accountId: string): Promise<Factors> {
  const [totp, codes, passkeys] = await Promise.all([
    db
      .selectFrom('totp')
      .select('confirmedAt')
      .where('accountId', '=', accountId)
      .executeTakeFirst(),
    db.selectFrom('recoveryCode').select('hash').where('accountId', '=', accountId).execute(),
    listPasskeys(db, accountId),
  ]);
  return { totpSince: totp?.confirmedAt ?? null, recoveryCodesLeft: codes.length, passkeys };
}

/** Makes recovery codes if a first factor was just added; undefined if there are some. */
export async function firstRecoveryCodes(
  trx: Db,
  act: Act,
  accountId: string,
): Promise<string[] | undefined> {
  return (await methodsOf(trx, accountId)).includes('recoveryCode')
    ? undefined
    : replaceRecoveryCodes(trx, act, accountId);
}

/** Recovery codes without a factor that they could replace are deleted. */
export async function dropIdleRecoveryCodes(trx: Db, accountId: string): Promise<void> {
  if ((await methodsOf(trx, accountId)).length === 0)
    await trx.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute();
}

/** Takes all second factors from an account and ends its sessions: its password alone is asked for until its owner sets up new ones. */
export async function resetFactors(trx: Db, act: Act, accountId: string): Promise<void> {
  for (const table of ['totp', 'recoveryCode', 'passkey'] as const)
    await trx.deleteFrom(table).where('accountId', '=', accountId).execute();
  await endSessions(trx, accountId);
  await recordAudit(trx, act, { kind: 'factor.reset', accountId });
}
