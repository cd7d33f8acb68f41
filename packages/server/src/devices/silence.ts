import type { DeviceTable, Flag, Instant } from '../storage/database.ts';
import { presence } from '../plants/presence.ts';
import { isDaylight, nextDaylight, type Site } from './daylight.ts';
import { graceMs } from './states.ts';

/** What of a device tells whether its silence is in order. */
export interface Watched {
  readonly kind: DeviceTable['kind'];
  readonly state: number;
  readonly offlineAbnormal: Flag;
  /** Has a battery, and so runs at night too. */
  readonly storage: boolean;
  /** Something reports through it that may not rest, and is silent. */
  readonly missed: boolean;
  readonly expectedSeconds: number;
  /** Where it stands; null without a plant. */
  readonly site: Site | null;
}

/** When a device reported last, null = never; `isNew` when that is later than what the last look saw. */
export interface LastReport {
  readonly at: Instant | null;
  readonly isNew: boolean;
}

/** What a look at a device finds. */
export type Finding =
  | { readonly reports: true; readonly checkAt: Instant }
  /** `lasting`: it was abnormally offline before already, for as long as an alarm waits. */
  | { readonly reports: false; readonly offlineAbnormal: Flag; readonly lasting: boolean; readonly checkAt: Instant | null };

/** How long a device is abnormally offline before an alarm says so. */
export const OFFLINE_ALARM_AFTER_MS = 30 * 60_000;

/** Judges the silence of a device. Nothing here knows the past: it is in the device's state. */
export function findSilence(device: Watched, last: LastReport, now: Instant): Finding {
  const grace = graceMs(device.expectedSeconds);
  if (last.at !== null && isFresh(last, now, grace)) return { reports: true, checkAt: Math.min(last.at, now) + grace };
  // In no plant nobody expects anything of it.
  if (device.site === null) return { reports: false, offlineAbnormal: 0, lasting: false, checkAt: null };
  const lasting = device.state === presence.offline && device.offlineAbnormal === 1;
  if (lasting) return { reports: false, offlineAbnormal: 1, lasting, checkAt: null };
  if (mayRest(device, device.site, now)) return { reports: false, offlineAbnormal: 0, lasting, checkAt: restsUntil(device, device.site, now) };
  return { reports: false, offlineAbnormal: 1, lasting, checkAt: now + OFFLINE_ALARM_AFTER_MS };
}

// A device whose clock runs ahead reports as long as it says something new.
const isFresh = (last: LastReport, now: Instant, grace: number): boolean => last.at! > now - grace && (last.at! <= now + grace || last.isNew);

/** Inverters without a battery sleep at night, and collectors that report for nothing else; meters and weather stations never do. */
const mayRest = ({ kind, storage, missed }: Watched, site: Site, now: Instant): boolean =>
  !storage && !missed && (kind === 'inverter' || kind === 'collector') && !isDaylight(site, now);

/** A collector is asked about once more when what reports through it has been judged as well. */
const restsUntil = ({ kind, state }: Watched, site: Site, now: Instant): Instant =>
  kind === 'collector' && state !== presence.offline ? now + OFFLINE_ALARM_AFTER_MS : nextDaylight(site, now);
