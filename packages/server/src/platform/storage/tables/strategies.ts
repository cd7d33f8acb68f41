import type { Generated } from 'kysely';
import type { Flag, Instant, Json } from '../columns.ts';

/** What an application has devices do for a while. */
export interface StrategyTable {
  id: string;
  applicationId: string;
  /** The owner of its plants, by whose authorization (`grantId`) it runs. */
  accountId: string;
  grantId: string;
  /** The application's own name for it; unique per application and owner. */
  reference: string;
  /** The request that created it, to tell a repetition from another request. */
  request: Json;
  name: string;
  program: string | null;
  priority: number | null;
  /** Shape `StrategyContent`. */
  content: Json;
  startAt: Instant;
  endAt: Instant;
  heartbeatSeconds: number | null;
  heartbeatAt: Instant | null;
  createdAt: Instant;
  dispatchedAt: Instant | null;
  /** When a set point was last divided over the devices. */
  dividedAt: Instant | null;
  /** When it ended on all devices before its time; null = it goes on, or has reached `endAt`. */
  endedAt: Instant | null;
  endedAs: 'cancelled' | null;
  reason: string | null;
}

/** A device of a strategy; strategies/device/course.ts has the transitions. */
export interface StrategyDeviceTable {
  strategyId: string;
  deviceId: string;
  /** The plant in which it was when the strategy was created. */
  plantId: string;
  state: 'draft' | 'dispatching' | 'active' | 'paused' | 'completed' | 'cancelled' | 'failed';
  reason: string | null;
  /** Its share of a set point, + is export. */
  powerKw: number | null;
  /** The voltage of its battery by which its powers are set as currents; null = not measured. */
  batteryVoltageV: number | null;
  /** When it first had the settings of the strategy. */
  appliedAt: Instant | null;
  endedAt: Instant | null;
  /** When it had its former settings again; null = there may be something to restore. */
  restoredAt: Instant | null;
  /** When to try again what could not be restored, and how often that was so. */
  retryAt: Instant | null;
  failures: Generated<number>;
  /** When a write by hand ended what was asked of it. */
  pausedAt: Instant | null;
}

/** A time for which a write by hand had paused a strategy on a device, until it was resumed. */
export interface StrategyPauseTable {
  strategyId: string;
  deviceId: string;
  fromAt: Instant;
  toAt: Instant;
}

/** What a strategy asked for, from an instant on: once it was dispatched, each change of its content. */
export interface StrategyVersionTable {
  strategyId: string;
  fromAt: Instant;
  /** Shape `StrategyContent`. */
  content: Json;
}

/** The share of a device in a set point, from an instant on. */
export interface StrategyShareTable {
  strategyId: string;
  deviceId: string;
  fromAt: Instant;
  /** + is export. */
  powerKw: number;
}

/** What the owner of a plant let strategies do, from an instant on; before the first, anything. */
export interface StrategyLimitsTable {
  plantId: string;
  fromAt: Instant;
  /** Shape `StrategyLimits`. */
  limits: Json;
}

/** A setting of a device that a strategy changes. */
export interface StrategySettingTable {
  strategyId: string;
  deviceId: string;
  parameter: string;
  /** The value to which it is restored; null = not known yet. */
  former: string | null;
  formerAt: Instant | null;
  /** The value that the device has, as far as is known. */
  held: string | null;
  /** Position among the settings that were written together: they are restored the other way round. */
  place: Generated<number>;
  /** 1 if the strategy has written it. */
  changed: Generated<Flag>;
  /** The last command of the strategy that read or wrote it. */
  commandId: string | null;
}
