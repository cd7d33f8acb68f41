import type { WireData } from '@helioport/contract';

/** A key pair as listed. */
export type Key = WireData<'key/list'>[number];

export type KeyState = 'waiting' | 'active' | 'expiring' | 'expired' | 'disabled';

/** From so long before its end on, people are warned. */
const WARNED_MS = 14 * 86_400_000;

/** What a key pair can be used for at a time. */
export function keyStateOf({ disabledAt, expiresAt, pending }: Key, now: number): KeyState {
  if (disabledAt !== undefined) return 'disabled';
  if (expiresAt !== undefined && expiresAt <= now) return 'expired';
  if (pending) return 'waiting';
  return expiresAt !== undefined && expiresAt - now < WARNED_MS ? 'expiring' : 'active';
}

/** Whether a key pair will still be accepted, now or after the next log-in. */
export const isOver = (state: KeyState): boolean => state === 'disabled' || state === 'expired';
