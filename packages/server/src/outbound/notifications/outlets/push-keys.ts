import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { makeValue } from '../../../platform/storage/installation/values.ts';

/** The keys with which this installation identifies itself to push services, as base64url. RFC 8292 */
export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The row of `installation` that holds them, and what it is encrypted for. */
export const PUSH_KEYS = 'pushKeys';

/** The keys of the installation, made when they are first needed. Browsers bind their subscriptions to them, so they stay. */
export async function pushKeysOf(db: Db, box: SecretBox): Promise<PushKeys> {
  const sealed = await makeValue(db, PUSH_KEYS, async () => {
    const { default: webPush } = await import('web-push');
    const { publicKey, privateKey } = webPush.generateVAPIDKeys();
    return box.seal(JSON.stringify({ publicKey, privateKey }), PUSH_KEYS);
  });
  return JSON.parse(box.open(sealed, PUSH_KEYS)) as PushKeys;
}
