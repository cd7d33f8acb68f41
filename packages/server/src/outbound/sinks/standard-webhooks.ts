import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

/** What is signed: `id` stays with a message over all attempts, `at` (epoch ms) is the attempt's. */
export interface SignedMessage {
  readonly id: string;
  readonly at: number;
  readonly body: string;
}

const PREFIX = 'whsec_';

/** Whether a text is a secret as Standard Webhooks writes them: 24 to 64 bytes as Base64, with a prefix. */
export function isWebhookSecret(text: string): boolean {
  if (!text.startsWith(PREFIX)) return false;
  const key = bytesOf(text);
  return (
    key.length >= 24 && key.length <= 64 && key.toString('base64') === text.slice(PREFIX.length)
  );
}

/** A secret ready for use; making this takes longer than signing. */
export const webhookKey = (secret: string): KeyObject => createSecretKey(bytesOf(secret));

/** The headers of Standard Webhooks. While secrets are rotated there are several keys, and a signature with each. */
export function signWebhook(
  { id, at, body }: SignedMessage,
  keys: readonly KeyObject[],
): Record<string, string> {
  const seconds = Math.floor(at / 1000);
  const signatures = keys.map(
    (key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`,
  );
  return {
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
    'webhook-signature': signatures.join(' '),
  };
}

const bytesOf = (secret: string): Buffer => Buffer.from(secret.slice(PREFIX.length), 'base64');
