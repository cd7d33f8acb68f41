import type { StandingAlarm } from './alarms.ts';
import type { Control } from './control.ts';
import type { ReachedDevice } from './reach.ts';

const OFF_MS = 60_000;

/** An alarm if the device's clock is wrong; with `maySet`, it is set, and there is none. */
export async function clockAlarm(
  { identity }: ReachedDevice,
  control: Control,
  maySet: boolean,
  now: number,
): Promise<StandingAlarm | undefined> {
  const parameter = identity.profile.registers?.clock;
  if (parameter == null) return undefined;
  const { value: shown } = await control.read({ parameter });
  const off = Date.parse(String(shown).replace(' ', 'T')) - now;
  if (Math.abs(off) <= OFF_MS) return undefined;
  if (maySet) {
    await control.write({ parameter, value: localText(now) });
    return undefined;
  }
  return clockOffAlarm(off, shown);
}

/** An alarm if a clock is wrong. @param off milliseconds; negative if it is behind */
export function clockOffAlarm(off: number, shown?: unknown): StandingAlarm | undefined {
  if (Math.abs(off) <= OFF_MS) return undefined;
  return {
    code: 'device-clock',
    level: 1,
    message: Number.isNaN(off)
      ? `the device's clock shows no time: ${String(shown)}`
      : `the device's clock is ${Math.round(Math.abs(off) / 1000)} s ${off > 0 ? 'ahead' : 'behind'}`,
  };
}

/** The machine's local time, as devices show theirs. */
function localText(at: number): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
