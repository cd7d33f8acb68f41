import type { StandingAlarm } from './alarms.ts';
import type { Control } from './control.ts';
import type { ReachedDevice } from './reach.ts';

const OFF_MS = 60_000;
const QUARTER_MS = 900_000;

export interface DeviceClockOptions {
  /** The right time, epoch milliseconds. */
  readonly now: number;
  /** Called before the clock is set; throws if it was set too often, which the message says. Absent: it may not be set. */
  readonly beforeSetting?: () => void;
  /** Name of the machine's time zone, in which devices show their time. */
  readonly zone?: string;
}

/** An alarm if the device's clock is wrong; if it can be set, there is none. */
export async function clockAlarm(
  { identity }: Pick<ReachedDevice, 'identity'>,
  control: Pick<Control, 'read' | 'write'>,
  { now, beforeSetting, zone = machineZone() }: DeviceClockOptions,
): Promise<StandingAlarm | undefined> {
  const parameter = identity.profile.registers?.clock;
  if (parameter == null) return undefined;
  const { value: shown } = await control.read({ parameter });
  const offMs = Date.parse(String(shown).replace(' ', 'T')) - now;
  const alarm = clockOffAlarm(offMs, shown);
  if (!alarm || !beforeSetting) return alarm;
  const add = (more: string): StandingAlarm => ({ ...alarm, message: `${alarm.message}${more}` });
  // Most machines without a time zone of their own are in UTC, and the device's time slots are in local time.
  if (isZoneless(zone) && Math.abs(Math.abs(offMs) - nearestQuarter(offMs)) <= OFF_MS)
    return add(
      ', and is not set, since this machine shows UTC: set its time zone, such as with TZ=Europe/Berlin',
    );
  try {
    beforeSetting();
  } catch (error) {
    return add(`; ${(error as Error).message}`);
  }
  await control.write({ parameter, value: localText(now) });
  return undefined;
}

/** An alarm if a clock is wrong. @param offMs milliseconds; negative if it is behind */
export function clockOffAlarm(offMs: number, shown?: unknown): StandingAlarm | undefined {
  if (Math.abs(offMs) <= OFF_MS) return undefined;
  const off = Math.round(Math.abs(offMs) / 1000);
  return {
    code: 'device-clock',
    level: 1,
    message: Number.isNaN(offMs)
      ? `the device's clock shows no time: ${String(shown)}`
      : `the device's clock is ${off} s ${offMs > 0 ? 'ahead' : 'behind'}`,
  };
}

const machineZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const isZoneless = (zone: string): boolean => /^(Etc\/)?(UTC|GMT|UCT|Zulu|Universal)$/.test(zone);
/** A quarter of an hour at least: zones differ by such steps. */
const nearestQuarter = (offMs: number): number =>
  Math.max(1, Math.round(Math.abs(offMs) / QUARTER_MS)) * QUARTER_MS;

/** The machine's local time, as devices show theirs. */
function localText(at: number): string {
  const date = new Date(at);
  const two = (number: number): string => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}
