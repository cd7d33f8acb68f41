import type { Clock } from '../../../platform/kernel/clock.ts';
import { AccountRefusal } from './account.ts';
import { importCurves } from './import-curves.ts';
import { importEnergies } from './import-energies.ts';
import type { HistoryDeps, MatchedDevice } from './matched-device.ts';

/** How far an import has come. */
export interface HistoryProgress {
  readonly what: 'energies' | 'curves';
  /** Requests that are left, as far as they are known. */
  readonly left: number;
  /** How long they will take at the rate so far, ms; undefined if that is not known yet. */
  readonly leftMs: number | undefined;
}

/** Days that have been imported. */
export interface HistoryResult {
  readonly devices: number;
  /** Days with energies, and those of them with a curve, over all devices. */
  readonly days: number;
  readonly curves: number;
  /** Devices that could not be imported to the end. */
  readonly refused: readonly { readonly sn: string; readonly reason: string }[];
}

export interface HistoryOptions {
  /** Whether to import the energies of days alone. */
  readonly energiesOnly?: boolean | undefined;
  readonly onProgress: (progress: HistoryProgress) => void;
}

/** Imports the history of devices: the energies of all of them first, then their curves. Done again, it goes on where it ended. */
export async function importHistory(
  deps: HistoryDeps,
  devices: readonly MatchedDevice[],
  { energiesOnly = false, onProgress }: HistoryOptions,
): Promise<HistoryResult> {
  const refused: { sn: string; reason: string }[] = [];
  const estimate = createEstimate(deps.clock);
  for (const device of devices) {
    await importEnergies(deps, device, (left) =>
      onProgress({ what: 'energies', ...estimate('energies', left) }),
    ).catch((error: unknown) => {
      if (!(error instanceof AccountRefusal)) throw error;
      refused.push({ sn: device.there.sn, reason: error.message });
    });
  }
  const ofLastDays = energiesOnly
    ? 0
    : await importCurves(deps, devices, (left) =>
        onProgress({ what: 'curves', ...estimate('curves', left) }),
      );
  const count = (kind: 'claimed' | 'curves'): number =>
    devices.reduce((sum, { kept }) => sum + kept.all(kind).length, 0);
  const [days, curves] = [count('claimed'), count('curves') + ofLastDays];
  return { devices: devices.length, days, curves, refused };
}

/** How long what is left takes, from how long what was done has taken. */
function createEstimate(clock: Clock) {
  let [what, beganAt, before] = ['', 0, 0];
  let done = 0;
  return (now: string, left: number): Pick<HistoryProgress, 'left' | 'leftMs'> => {
    if (now !== what) [what, beganAt, before, done] = [now, clock.now(), left, 0];
    if (left < before) done += before - left;
    before = left;
    return {
      left,
      leftMs: done === 0 ? undefined : ((clock.now() - beganAt) / done) * left,
    };
  };
}
