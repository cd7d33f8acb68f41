import type { Clock } from '../../../platform/kernel/clock.ts';
import type { Egress } from '../../../platform/egress/egress.ts';
import { postOnce } from '../../sinks/post-once.ts';
import { sendInTime } from '../../sinks/send-in-time.ts';
import type { Outcome } from '../../sinks/sink.ts';
import type { PushKeys } from './push-keys.ts';

/** A browser's subscription, as its PushSubscription says. Keys as base64url. */
export interface PushTarget {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface PushMessage {
  /** Stays with a message over all attempts: a push service keeps one message of a topic for a browser that is away. RFC 8030 5.4 */
  readonly id: string;
  readonly urgent: boolean;
  /** As JSON, for the service worker. */
  readonly payload: string;
}

export interface PushDeps {
  readonly egress: Egress;
  readonly clock: Clock;
  readonly keys: PushKeys;
  /** Whom a push service can ask about these messages: `https:` or `mailto:`. RFC 8292 2.1 */
  readonly contact: string;
}

/** How long a push service keeps a message for a browser that is away: an older notification is of no use. */
const TTL_SECONDS = 86_400;

const TOKEN_SECONDS = 12 * 3600;

/** Sends a message to a browser. `gone`: the browser has ended the subscription. */
export const sendPush = (
  { egress, clock, keys, contact }: PushDeps,
  target: PushTarget,
  message: PushMessage,
  stop: AbortSignal,
): Promise<Outcome> =>
  sendInTime(async (signal): Promise<Outcome> => {
    // Loaded only here, so that everything else starts fast.
    const { default: webPush } = await import('web-push');
    const { cipherText } = webPush.encrypt(
      target.p256dh,
      target.auth,
      message.payload,
      'aes128gcm',
    );
    const expires = Math.floor(clock.now() / 1000) + TOKEN_SECONDS;
    const { Authorization } = webPush.getVapidHeaders(
      new URL(target.endpoint).origin,
      contact,
      keys.publicKey,
      keys.privateKey,
      'aes128gcm',
      expires,
    );
    const headers = {
      Authorization,
      'Content-Type': 'application/octet-stream',
      'Content-Encoding': 'aes128gcm',
      TTL: `${TTL_SECONDS}`,
      Topic: message.id,
      Urgency: message.urgent ? 'high' : 'normal',
    };
    const { status, retryAfterMs, excerpt } = await postOnce(egress, target.endpoint, {
      headers,
      body: cipherText,
      now: clock.now(),
      signal,
    });
    if (status >= 200 && status < 300) return { kind: 'delivered' };
    const reason = `HTTP ${status}`;
    if (status === 404 || status === 410) return { kind: 'gone', reason };
    return { kind: 'failed', reason, excerpt, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }, stop);
