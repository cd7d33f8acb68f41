import type { DeviceKind } from '../../fleet/devices/devices.ts';
import type { DaylightSite } from '../../fleet/devices/daylight.ts';
import type { Instant } from '../../platform/storage/database.ts';
import type { StoredReading } from '../../measurements/telemetry/telemetry.ts';

/** The input of the rules: a device's samples of the last hours, and the facts needed to judge them. */
export interface Observation {
  readonly kind: DeviceKind;
  readonly ratedPowerW: number | null;
  readonly expectedSeconds: number;
  /** Number of DC inputs in use, if the device's description says so. */
  readonly dcInputs: number | null;
  readonly site: DaylightSite | null;
  /** Nominal grid voltages of the plant's country, V. */
  readonly gridVoltages: readonly number[];
  /** The nominal voltage of each phase, as the device has shown it in quiet hours, V; null or absent if it is not known. */
  readonly nominalVoltages: readonly (number | null)[];
  /** Strings that have delivered recently, and since when each is known to deliver, epoch ms. */
  readonly strings: ReadonlyMap<number, Instant>;
  /** In ascending order of time. */
  readonly samples: readonly StoredReading[];
  /** The irradiance that a weather station of the plant measured at that time, W/m²; undefined without one. */
  irradianceAt(at: Instant): number | undefined;
  /** The output of the plant's other inverters at that time, as shares of their rated power; empty if these were not read. */
  neighboursAt(at: Instant): readonly number[];
}

/** The verdict on one sample. Between the limits for bad and good it is unclear, so that an alarm does not begin and end repeatedly at a limit. */
export type Verdict = 'bad' | 'good' | 'unclear';

export type RuleLevel = 1 | 2 | 3;

/** A rule for one kind of fault. */
export interface AlarmRule {
  readonly id: string;
  /** `alarmCode` on the wire. Codes are never reused for something else, because stored alarms keep theirs. */
  readonly code: string;
  /** 1 tip, 2 general, 3 emergency. */
  readonly level: RuleLevel;
  readonly advice: string;
  /** What to do where nothing at all is left of what is measured. */
  readonly adviceAtNothing?: string;
  readonly kinds: readonly DeviceKind[];
  /** How long samples must be bad before an alarm begins, and good before it ends. */
  readonly raiseAfterSeconds: number;
  readonly clearAfterSeconds: number;
  judge(observation: Observation, index: number): Verdict;
  /** What is wrong with a bad sample, in one sentence. */
  message(observation: Observation, index: number): string;
}

/** A rule about silence instead of samples: the watch itself raises and ends its alarm. */
export type SilenceRule = Omit<AlarmRule, 'judge' | 'message'> & { readonly message: string };
