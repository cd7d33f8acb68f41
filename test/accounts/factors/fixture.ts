import { createHmac } from 'node:crypto';
import { findAccount } from '../../../packages/server/src/identity/accounts/accounts.ts';
import {
  beginTotp,
  confirmTotp,
} from '../../../packages/server/src/identity/accounts/factors/totp.ts';
import { replaceRecoveryCodes } from '../../../packages/server/src/identity/accounts/factors/recovery-codes.ts';
import { factorSources } from '../../support/credentials.ts';
import type { World } from '../../oauth/fixture.ts';
import type { Db } from '../../../packages/server/src/platform/storage/database.ts';

export const sources = factorSources();

export const STEP_MS = 30_000;

/** An authenticator app. */
export interface App {
  /** The code of the step of an instant. */
  at(instant: number): string;
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export const toBase32 = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((five) => BASE32[Number.parseInt(five, 2)]).join('');
};

const fromBase32 = (text: string): Buffer => {
  const bits = [...text]
    .map((letter) => BASE32.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
};

/** Codes as RFC 4226 5.3 and RFC 6238 4 compute them, without the library that we use. */
export const appOf = (base32: string): App => ({
  at(instant) {
    const counter = Buffer.alloc(8);
    counter.writeBigUInt64BE(BigInt(Math.floor(instant / STEP_MS)));
    const mac = createHmac('sha1', fromBase32(base32)).update(counter).digest();
    const truncated = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7fffffff;
    return String(truncated % 1_000_000).padStart(6, '0');
  },
});

/** Sets up an authenticator app; its next usable code is that of the next step. */
export async function addApp(
  world: World,
  db: Db,
  accountId: string,
): Promise<{ app: App; recoveryCodes: string[] }> {
  const account = (await findAccount(db, accountId))!;
  return world.write(async (trx) => {
    const { secret } = await beginTotp(trx, world.act(), sources.secretBox, account);
    const app = appOf(secret);
    await confirmTotp(trx, world.act(), sources.secretBox, accountId, app.at(world.clock.at));
    return { app, recoveryCodes: await replaceRecoveryCodes(trx, world.act(), accountId) };
  });
}
