import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { StickCounters } from '../solarman/stick-listener.ts';
import type { HeldValue } from './device/held-values.ts';
import type { Counters } from './device/wake-guard.ts';
import type { DeviceState } from './device/pace.ts';

/** What `collect status` shows of a device. */
export interface DeviceStatus {
  /** As in the file. */
  readonly address: string;
  readonly sn: string | null;
  readonly model: string | null;
  readonly unit: number | null;
  readonly state: DeviceState;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly control: boolean;
  readonly lastAnswerAt: number | null;
  /** Why it does not answer, and what to do. */
  readonly fault: string | null;
  /** What is repeated, since the device would forget it; older files have none. */
  readonly held?: readonly Omit<HeldValue, 'sn'>[];
  readonly values: Readonly<Record<string, number>>;
  /** How often which value could not be right. */
  readonly dropped: Readonly<Record<string, number>>;
  readonly timeouts: number;
  readonly strays: number;
  readonly reconnects: number;
  /** What counters have shown, and which alarms stand, for the next start. */
  readonly counters: Counters;
  readonly alarms: readonly string[];
}

/** The state of a running collector, as it is kept in its folder. */
export interface SiteStatus {
  readonly at: number;
  readonly pid: number;
  readonly startedAt: number;
  readonly gateway: string;
  /** Reports that wait to be delivered. */
  readonly waiting: number;
  readonly lastDeliveredAt: number | null;
  /** Why the last delivery failed; null if it did not. */
  readonly setback: string | null;
  readonly devices: readonly DeviceStatus[];
  readonly sticks: (Readonly<StickCounters> & { readonly strangers: readonly number[] }) | null;
}

/** The last state that was kept; undefined if there is none that can be read. */
export function readStatus(file: string): SiteStatus | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SiteStatus;
  } catch {
    return undefined;
  }
}

/** Keeps the state in one step. Throws if the disk does not take it. */
export function writeStatus(file: string, status: SiteStatus): void {
  writeFileSync(`${file}.new`, JSON.stringify(status));
  renameSync(`${file}.new`, file);
}
