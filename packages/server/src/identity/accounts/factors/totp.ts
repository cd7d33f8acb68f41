import { Secret, TOTP } from 'otpauth';
import { Failure, refusedNow } from '../../../platform/kernel/failure.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';
import { recordAudit, type Act } from '../audit.ts';

const STEP_MS = 30_000;
/** How many steps the app's clock may be ahead or behind. RFC 6238 5.2 */
const STEPS_OFF_AT_MOST = 1;
/** How long somebody may take to confirm a secret: one that was left half-way must not wait for the person who finds the session open. */
const SET_UP_MS = 3_600_000;
/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

/** What an authenticator app needs, shown once. */
export interface NewTotp {
  /** Base32. */
  readonly secret: string;
  /** `otpauth://totp/...`, shown as a QR code. */
  readonly uri: string;
}

export const totpContext = (accountId: string): string => `totp ${accountId}`;

/** Makes a new secret; one that was not confirmed is replaced. Throws invalidValue if an app is set up already. */
export async function beginTotp(
  trx: Db,
  act: Act,
  box: SecretBox,
  account: { id: string; email: string },
): Promise<NewTotp> {
  const secret = new Secret({ size: SECRET_BYTES });
  const sealed = box.seal(secret.base32, totpContext(account.id));
  const row = await trx
    .insertInto('totp')
    .values({ accountId: account.id, secret: sealed, createdAt: act.at })
    .onConflict((conflict) =>
      conflict
        .column('accountId')
        .doUpdateSet({ secret: sealed, createdAt: act.at, lastStep: 0 })
        .where('totp.confirmedAt', 'is', null),
    )
    .returning('accountId')
    .executeTakeFirst();
  if (!row) throw refusedNow('account', 'no authenticator app yet: remove the present one first');
  return {
    secret: secret.base32,
    uri: new TOTP({ issuer: 'Helioport', label: account.email, secret }).toString(),
  };
}

/** The time step to which a code belongs, among those that are accepted now; undefined if it is wrong. */
async function stepOf(
  db: Db,
  box: SecretBox,
  now: Instant,
  accountId: string,
  code: string,
  confirmed: boolean,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('totp')
    .select('secret')
    .where('accountId', '=', accountId)
    .where('confirmedAt', confirmed ? 'is not' : 'is', null)
    .where('createdAt', '>', confirmed ? 0 : now - SET_UP_MS)
    .executeTakeFirst();
  if (!row) return undefined;
  const secret = Secret.fromBase32(box.open(row.secret, totpContext(accountId)));
  const delta = new TOTP({ secret }).validate({
    token: code,
    timestamp: now,
    window: STEPS_OFF_AT_MOST,
  });
  return delta === null ? undefined : Math.floor(now / STEP_MS) + delta;
}

/** Begins to ask for codes, since the app has shown one. Throws wrongFactor. */
export async function confirmTotp(
  trx: Db,
  act: Act,
  box: SecretBox,
  accountId: string,
  code: string,
): Promise<void> {
  const step = await stepOf(trx, box, act.at, accountId, code, false);
  if (step === undefined) throw new Failure('wrongFactor');
  const confirmed = await trx
    .updateTable('totp')
    .set({ confirmedAt: act.at, lastStep: step })
    .where('accountId', '=', accountId)
    .where('confirmedAt', 'is', null)
    .returning('accountId')
    .executeTakeFirst();
  if (!confirmed) throw new Failure('wrongFactor');
  await recordAudit(trx, act, { kind: 'factor.totpAdded', accountId });
}

/**
 * Uses a code: each once, and none of a step before one that was used. One conditional update decides between two who have the same code. RFC 6238 5.2
 * @returns whether the code was accepted
 */
export async function consumeTotp(
  trx: Db,
  now: Instant,
  box: SecretBox,
  accountId: string,
  code: string,
): Promise<boolean> {
  const step = await stepOf(trx, box, now, accountId, code, true);
  if (step === undefined) return false;
  const used = await trx
    .updateTable('totp')
    .set({ lastStep: step })
    .where('accountId', '=', accountId)
    .where('confirmedAt', 'is not', null)
    .where('lastStep', '<', step)
    .returning('accountId')
    .executeTakeFirst();
  return used !== undefined;
}

/** Removes the authenticator app; returns whether there was one. */
export async function removeTotp(trx: Db, act: Act, accountId: string): Promise<boolean> {
  const removed = await trx
    .deleteFrom('totp')
    .where('accountId', '=', accountId)
    .returning('confirmedAt')
    .executeTakeFirst();
  if (removed?.confirmedAt == null) return false;
  await recordAudit(trx, act, { kind: 'factor.totpRemoved', accountId });
  return true;
}
