import type { WireRequest } from '@helioport/contract';

/** Why this browser cannot show push messages; undefined = it can. */
export type PushHindrance = 'insecure' | 'unsupported' | 'denied';

export function pushHindrance(): PushHindrance | undefined {
  if (!globalThis.isSecureContext) return 'insecure';
  if (
    !('serviceWorker' in navigator) ||
    !('PushManager' in globalThis) ||
    !('Notification' in globalThis)
  )
    return 'unsupported';
  return Notification.permission === 'denied' ? 'denied' : undefined;
}

/**
 * Has this browser subscribe for a public key (base64url), after asking the person. Resolves to what the server has to know; undefined if the person
 * does not want it.
 */
export async function subscribeThisBrowser(
  pushKey: string,
): Promise<WireRequest<'push/subscribe'> | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const registration = await navigator.serviceWorker.ready;
  const former = await registration.pushManager.getSubscription();
  // It may be bound to another key.
  await former?.unsubscribe();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(pushKey),
  });
  const { endpoint = '', keys = {} } = subscription.toJSON();
  return { endpoint, p256dh: keys['p256dh'] ?? '', auth: keys['auth'] ?? '', label: browserName() };
}

function bytesOf(base64url: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(text, (character) => character.codePointAt(0)!);
}

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrom(e|ium)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** A name by which people know this browser again. */
function browserName(): string {
  const { userAgent } = navigator;
  return (
    [BROWSERS, SYSTEMS]
      .flatMap((known) => known.find(([pattern]) => pattern.test(userAgent))?.[1] ?? [])
      .join(', ') || 'Browser'
  );
}
