import type { QuantityName, Values } from '@helioport/contract';
import type { StandingAlarm } from './alarms.ts';
import { createMinute } from './minute.ts';

/** Compares what flows in with what flows out; a sign that is the wrong way round shows within ten minutes. */
export interface Balance {
  /** What is wrong; undefined if nothing is, or not enough is known. */
  readonly alarm: StandingAlarm | undefined;
  add(values: Values, at: number): void;
}

const WINDOW_MS = 600_000;
const ROUNDS_AT_LEAST = 5;
/** What is not explained: inverters and cables lose power, and meters read at other moments. */
const [LOST_W, LOST_SHARE] = [150, 0.12] as const;
/** A smaller flow does not show its direction. */
const SHOWS_W = 400;

const SIGNED = {
  gridPowerW: 'the power at the grid connection (+ is export)',
  batteryPowerW: 'the power of the battery (+ is charging)',
} as const satisfies { readonly [Name in QuantityName]?: string };
type Signed = keyof typeof SIGNED;

/** Which of the two has the wrong sign, by what is measured together; null if they fit, undefined if that is unknown. */
export function wrongSign(values: Values): Signed | null | undefined {
  const {
    gridPowerW,
    loadPowerW,
    batteryPowerW = 0,
    generatorPowerW = 0,
    backupPowerW = 0,
  } = values;
  const pv = values.dcPowerW ?? sumOfStrings(values);
  if (gridPowerW === undefined || loadPowerW === undefined || pv === undefined) return undefined;
  const loads = loadPowerW + backupPowerW;
  const rest = (grid: number, battery: number): number =>
    Math.abs(pv + generatorPowerW - grid - battery - loads);
  const flows = Math.abs(pv) + Math.abs(gridPowerW) + Math.abs(batteryPowerW) + Math.abs(loads);
  const allowed = LOST_W + (LOST_SHARE * flows) / 2;
  if (rest(gridPowerW, batteryPowerW) <= allowed) return null;
  const fits: Signed[] = [];
  if (Math.abs(gridPowerW) >= SHOWS_W && rest(-gridPowerW, batteryPowerW) <= allowed)
    fits.push('gridPowerW');
  if (Math.abs(batteryPowerW) >= SHOWS_W && rest(gridPowerW, -batteryPowerW) <= allowed)
    fits.push('batteryPowerW');
  return fits.length === 1 ? fits[0] : undefined;
}

function sumOfStrings(values: Values): number | undefined {
  const powers = Object.entries(values).filter(([name]) => /^dcPower\d+W$/.test(name));
  return powers.length === 0 ? undefined : powers.reduce((sum, [, watts]) => sum + (watts ?? 0), 0);
}

/** What to say of a sign that does not fit. */
export const wrongSignText = (name: Signed): string =>
  `${SIGNED[name]} does not fit what is produced and used, unless its sign is turned round: ` +
  'compare it with the display of the device, check how its meter is mounted, and look at it with probe';

export function createBalance(): Balance {
  const means = createMinute();
  let [rounds, beganAt] = [0, undefined as number | undefined];
  let alarm: StandingAlarm | undefined;

  function judge(values: Values): void {
    const wrong = wrongSign(values);
    if (wrong === undefined) return;
    alarm =
      wrong === null
        ? undefined
        : { code: `sign-${wrong}`, level: 1, message: wrongSignText(wrong) };
  }

  return {
    get alarm() {
      return alarm;
    },
    add(values, at) {
      beganAt ??= at;
      if (at - beganAt >= WINDOW_MS) {
        const taken = means.take();
        if (taken && rounds >= ROUNDS_AT_LEAST) judge(taken.values);
        [rounds, beganAt] = [0, at];
      }
      rounds++;
      means.add(values, at);
    },
  };
}
