import { randomInt } from 'node:crypto';
import { hashSecret } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { recordAudit, type Act } from '../audit.ts';

const CODES = 10;
const GROUPS = 4;
const GROUP_LENGTH = 4;

/** Without letters and digits that look alike. 16 of them hold 80 bits: enough against guessing a hash, and still short enough to be typed. */
const ALPHABET = '23456789abcdefghijkmnpqrstuvwxyz';

const group = (): string =>
  Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]!).join('');

/** Replaces the recovery codes of an account. They are shown only once; their hashes are stored. */
export async function replaceRecoveryCodes(
  trx: Db,
  act: Act,
  accountId: string,
): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () =>
    Array.from({ length: GROUPS }, group).join('-'),
  );
  await trx.deleteFrom('recoveryCode').where('accountId', '=', accountId).execute();
  await trx
    .insertInto('recoveryCode')
    .values(codes.map((code) => ({ hash: hashOf(accountId, code), accountId })))
    .execute();
  await recordAudit(trx, act, { kind: 'factor.recoveryCodesMade', accountId });
  return codes;
}

/** Uses a recovery code, each once; returns whether it was accepted. */
export async function consumeRecoveryCode(
  trx: Db,
  act: Act,
  accountId: string,
  code: string,
): Promise<boolean> {
  const used = await trx
    .deleteFrom('recoveryCode')
    .where('hash', '=', hashOf(accountId, code))
    .returning('accountId')
    .executeTakeFirst();
  if (!used) return false;
  await recordAudit(trx, act, { kind: 'factor.recoveryCodeUsed', accountId });
  return true;
}

// Typed with or without dashes, spaces and capitals.
const hashOf = (accountId: string, code: string): Buffer =>
  hashSecret(`${accountId} ${code.toLowerCase().replaceAll(/[^a-z0-9]/g, '')}`);
