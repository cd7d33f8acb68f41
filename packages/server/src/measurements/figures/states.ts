import type { PresenceState } from '@helioport/contract';
import { presence } from '../../fleet/plants/presence.ts';

/** A stored state as a word; a plant without devices is offline. */
export const shownStateOf = (state: number): PresenceState =>
  state === presence.online ? 'online' : state === presence.alarm ? 'alarm' : 'offline';

/** Whether a device is offline when it should be online. */
export const isAbnormal = (state: number, offlineAbnormal: number): boolean =>
  state === presence.offline && offlineAbnormal > 0;

/** A stored state as a word, for records without an alarm state: there, a device with an alarm is online. */
export const presenceOf = (state: number): 'online' | 'offline' =>
  shownStateOf(state) === 'offline' ? 'offline' : 'online';
