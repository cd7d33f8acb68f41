import { restAfter } from '../../bus/back-off.ts';
import type { BusAddress } from '../../bus/address.ts';
import type { Values } from '@helioport/contract';

const GATEWAY_MS = 10_000;
const STICK_MS = 30_000;
const NIGHT_MS = 300_000;
/** An inverter without a battery that has had no power for so long is in the night. */
const DARK_AFTER_MS = 1_800_000;
/** Less than this is none. */
const DARK_W = 1;

/** `dark`: silent since the light went, which is no fault. */
export type DeviceState = 'starting' | 'answering' | 'dark' | 'silent';

/** When a device is asked next, and what its silence means. */
export interface Pace {
  readonly state: DeviceState;
  /** Since when, epoch milliseconds. */
  readonly since: number;
  answered(values: Values, at: number): void;
  failed(at: number): void;
  /** Time until the next round, milliseconds. */
  next(chance: number): number;
}

export function createPace(
  kind: BusAddress['kind'],
  startedAt: number,
  pollMs: number | undefined = kind === 'v5' ? STICK_MS : GATEWAY_MS,
): Pace {
  let [state, since, failures] = ['starting' as DeviceState, startedAt, 0];
  let darkSince: number | undefined;
  let lastAt = startedAt;
  const become = (next: DeviceState, at: number): void => {
    if (next !== state) [state, since] = [next, at];
  };
  return {
    get state() {
      return state;
    },
    get since() {
      return since;
    },
    answered(values, at) {
      failures = 0;
      lastAt = at;
      become('answering', at);
      const power = values.dcPowerW ?? values.acPowerW;
      const isDark =
        power !== undefined && Math.abs(power) < DARK_W && values.batterySocPercent === undefined;
      darkSince = isDark ? (darkSince ?? at) : undefined;
    },
    failed(at) {
      failures++;
      become(darkSince === undefined ? 'silent' : 'dark', at);
    },
    next(chance) {
      if (failures > 0) return restAfter(failures, chance);
      const isNight = darkSince !== undefined && lastAt - darkSince >= DARK_AFTER_MS;
      return isNight ? Math.max(pollMs, NIGHT_MS) : pollMs;
    },
  };
}
