import type { State } from '@helioport/contract';
import { presence } from '../plants/presence.ts';

/** A stored state in words; a plant without any device is offline. */
export const stateOf = (state: number): State => (state === presence.online ? 'online' : state === presence.alarm ? 'alarm' : 'offline');

/** Offline when it should be online; unknown of what is not offline. */
export const isAbnormal = (state: number, offlineAbnormal: number): boolean => state === presence.offline && offlineAbnormal > 0;

/** A stored state in words for what knows no alarm state: online while it has an alarm. */
export const presenceOf = (state: number): 'online' | 'offline' => (stateOf(state) === 'offline' ? 'offline' : 'online');
