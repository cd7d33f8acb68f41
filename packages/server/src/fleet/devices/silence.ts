import type { DeviceTable, Flag, Instant } from '../../platform/storage/database.ts';
import { presence } from '../plants/presence.ts';
import { isDaylight, nextDaylight, type DaylightSite } from './daylight.ts';
import { graceMs } from './states.ts';

/** The facts that determine whether the silence of a device is normal. */
export interface Watched {
  readonly kind: DeviceTable['kind'];
  readonly state: number;
  readonly offlineAbnormal: Flag;
  /** Whether the device has a battery, and so runs at night too. */
  readonly storage: boolean;
  /** Whether a device that reports through this one is silent although it must not sleep. */
  readonly missed: boolean;
  readonly expectedSeconds: number;
  /** Position of its plant; null without a plant. */
  readonly site: DaylightSite | null;
}

/** When a device last reported (null = never), and whether it has reported since the last check. */
export interface LastReport {
  readonly at: Instant | null;
  readonly isNew: boolean;
}

/** The result of checking whether a device is silent. */
export type SilenceFinding =
  | { readonly reports: true; readonly checkAt: Instant }
  /** `lasting`: the device has been abnormally offline for long enough to raise an alarm. */
  | {
      readonly reports: false;
      readonly offlineAbnormal: Flag;
      readonly lasting: boolean;
      readonly checkAt: Instant | null;
    };

/** How long a device must be abnormally offline before an alarm is raised. */
export const OFFLINE_ALARM_AFTER_MS = 30 * 60_000;

/** Judges the silence of a device. All that is known about the past is the device's state. */
export function findSilence(device: Watched, last: LastReport, now: Instant): SilenceFinding {
  const grace = graceMs(device.expectedSeconds);
  if (last.at !== null && isFresh(last, now, grace))
    return { reports: true, checkAt: Math.min(last.at, now) + grace };
  // Nothing is expected of a device that is not in any plant.
  if (device.site === null)
    return { reports: false, offlineAbnormal: 0, lasting: false, checkAt: null };
  const lasting = device.state === presence.offline && device.offlineAbnormal === 1;
  if (lasting) return { reports: false, offlineAbnormal: 1, lasting, checkAt: null };
  if (mayRest(device, device.site, now))
    return {
      reports: false,
      offlineAbnormal: 0,
      lasting,
      checkAt: restsUntil(device, device.site, now),
    };
  return { reports: false, offlineAbnormal: 1, lasting, checkAt: now + OFFLINE_ALARM_AFTER_MS };
}

// A device whose clock is ahead counts as reporting as long as it sends something new.
const isFresh = (last: LastReport, now: Instant, grace: number): boolean =>
  last.at! > now - grace && (last.at! <= now + grace || last.isNew);

/**
 * Whether the device may be silent now: inverters without a battery sleep at night, and so do collectors that report only for such
 * inverters; meters and weather stations never do.
 */
const mayRest = ({ kind, storage, missed }: Watched, site: DaylightSite, now: Instant): boolean =>
  !storage && !missed && (kind === 'inverter' || kind === 'collector') && !isDaylight(site, now);

/** A collector is checked again after the devices that report through it have been judged. */
const restsUntil = ({ kind, state }: Watched, site: DaylightSite, now: Instant): Instant =>
  kind === 'collector' && state !== presence.offline
    ? now + OFFLINE_ALARM_AFTER_MS
    : nextDaylight(site, now);
