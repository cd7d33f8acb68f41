import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** The keys with which this installation identifies itself to push services, as base64url. RFC 8292 */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The row of `installation` that holds them, and what it is encrypted for. */
export const PUSH_KEYS = 'pushKeys';

/** The keys of the installation, made when they are first needed. Browsers bind their subscriptions to them, so they stay. */
export async function pushKeysOf(db: Db, box: SecretBox): Promise<PushKeys> {
  const stored = await find(db);
  if (stored) return open(box, stored);
  const { default: webPush } = await import('web-push');
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  await db
    .insertInto('installation')
    .values({
      name: PUSH_KEYS,
      value: box.seal(JSON.stringify({ publicKey, privateKey }), PUSH_KEYS),
    })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Another instance may have been first.
  return open(box, (await find(db))!);
}

const find = async (db: Db): Promise<Uint8Array | undefined> =>
  (
    await db
      .selectFrom('installation')
      .select('value')
      .where('name', '=', PUSH_KEYS)
      .executeTakeFirst()
  )?.value;

const open = (box: SecretBox, value: Uint8Array): PushKeys =>
  JSON.parse(box.open(value, PUSH_KEYS)) as PushKeys;
