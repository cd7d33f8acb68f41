import type { Generated, GeneratedAlways } from 'kysely';
import type { Bytes, Flag, Instant, Json } from '../columns.ts';

export interface DeviceTable {
  id: string;
  sn: string;
  kind: 'inverter' | 'collector' | 'epm' | 'weather' | 'ammeter';
  name: string | null;
  model: string | null;
  /** Short number of the device's series in the telemetry engine. */
  series: GeneratedAlways<number>;
  ratedPowerW: number | null;
  /** The collector that reports for this device; null for collectors themselves. */
  collectorId: string | null;
  /** The plant that it is in now; the table binding holds its history. */
  plantId: string | null;
  /** Collectors: the only account that may bind it; null = any account that names it. */
  accountId: string | null;
  /** Its last description of itself (devices/description.ts); null = none. */
  reported: Generated<Json | null>;
  /** Further facts that no query filters by; shape `DeviceFacts`. */
  facts: Json;
  createdAt: Instant;
  /** 1 online, 2 offline, 3 alarm. Maintained by devices/states.ts, as are the columns below. */
  state: Generated<number>;
  stateSince: Generated<Instant>;
  /** 1 if it is offline when it should be reporting, and not just because it is night. */
  offlineAbnormal: Generated<Flag>;
  /** How often it is expected to report. */
  expectedSeconds: Generated<number>;
  /** When the watch checks it next; null = not until it has reported. */
  checkAt: Generated<Instant | null>;
  /** Collectors: their last post. Other devices: when samples last arrived that were older than they should have been. To the minute. */
  reportedAt: Generated<Instant | null>;
  /** Collectors: when they last delivered what they had kept during an outage, to the minute; null = never. */
  backlogAt: Generated<Instant | null>;
  /** Collectors: how far their clock is ahead of ours, according to the last report that showed it; null = unknown. */
  clockOffsetSeconds: Generated<number | null>;
  /** The newest sample that the alarm rules have seen. */
  evaluatedAt: Generated<Instant>;
  /** What the alarm rules have learned about it: nominal voltages, strings; shape `Learned`. */
  learned: Generated<Json | null>;
  /** Number of its open alarms that put a reporting device into the state alarm. */
  openAlarms: Generated<number>;
}

export interface BindingTable {
  /** Short number: roll-ups are kept per binding, so that each plant keeps its own history of a device. */
  no: GeneratedAlways<number>;
  deviceId: string;
  /** The device whose history it is: the one that has replaced `deviceId` in the plant, or itself. */
  holderId: string;
  plantId: string;
  fromAt: Instant;
  toAt: Instant | null;
  /** Incremented when late readings may have changed its BindingStart. */
  revision: Generated<number>;
  /** Readings before are thinned; 0 = none are. */
  thinnedBefore: Generated<Instant>;
  /** Readings before are deleted; 0 = none are. */
  expiredBefore: Generated<Instant>;
}

/** When a binding first reported and first produced; valid for one revision of it. */
export interface BindingStartTable {
  bindingNo: number;
  revision: number;
  reportedAt: Instant;
  producedAt: Instant | null;
}

/** What has been imported of a device from another service in one month. Of each list of days, bit 0 is the first day of the month. */
export interface HistoryMonthTable {
  deviceId: string;
  /** yyyymm */
  month: number;
  /** Days of which an import may have stored readings; those of other days are the installation's own. */
  claimed: number;
  /** Days whose energies need not be asked for again. */
  energies: number;
  /** Days whose curves need not be asked for again. */
  curves: number;
}

export interface CollectorRefusalTable {
  collectorId: string;
  sn: string;
  reason: string;
  /** How the device described itself last, if it is not bound yet and has; shape `Description`. */
  described: Json | null;
  firstAt: Instant;
  lastAt: Instant;
  count: number;
}

/** A reading of a device that nobody has bound yet. */
export interface WaitingReadingTable {
  no: GeneratedAlways<number>;
  collectorId: string;
  /** Owner of the collector's plant when it came: nobody else gets it. */
  ownerId: string;
  sn: string;
  at: Instant;
  /** By quantity. */
  values: Json;
  receivedAt: Instant;
}

export interface CollectorTokenTable {
  /** Public: identifies the token without revealing it. */
  id: string;
  collectorId: string;
  /** SHA-256 of the token. */
  hash: Bytes;
  /** What an external broker checks the token with; null for old tokens. */
  brokerHash: string | null;
  createdAt: Instant;
  /** The instant at which it stops being valid; null = valid until revoked. */
  expiresAt: Instant | null;
}

/** The connection that a collector keeps open; a later one replaces it. */
export interface CollectorConnectionTable {
  collectorId: string;
  id: string;
  /** With which it was opened. */
  tokenId: string;
  openedAt: Instant;
}
