import type { Generated } from 'kysely';
import type { Bytes, Instant, Json } from '../columns.ts';

/** Where events of an application go. */
export interface DestinationTable {
  id: string;
  applicationId: string;
  /** Without user and password. */
  url: string;
  /** Bits of the contract's kinds of events. */
  kinds: number;
  /** JSON array; null = all plants that the application may see. */
  plantIds: Json | null;
  /** JSON array of serial numbers; null = all devices. */
  deviceSns: Json | null;
  /** Shape `DestinationOptions`. */
  options: Json;
  /** Encrypted JSON of shape `DestinationSecrets`. */
  secrets: Bytes;
  state: 'active' | 'paused' | 'disabled';
  /** Why it was disabled. */
  reason: string | null;
  createdAt: Instant;
  /** Events that were recorded before are not sent to it. */
  sinceAt: Instant;
  /** Counts the changes of its settings. */
  revision: Generated<number>;
}

/** How far a destination is. */
export interface DestinationProgressTable {
  destinationId: string;
  /** Position of the last entry of the log that was dealt with. */
  key: number;
  no: number;
  delivered: Generated<number>;
  failures: Generated<number>;
  deliveredAt: Instant | null;
  failedAt: Instant | null;
  failure: string | null;
  excerpt: string | null;
  /** Since when every attempt has failed; null = the last one was a success. */
  failingSince: Instant | null;
  /** How often it was probed in vain since the circuit opened; 0 = the circuit is closed. */
  probes: Generated<number>;
  nextAt: Generated<Instant>;
  /** The last outcomes: `+` delivered, `-` failed, the newest last. */
  outcomes: Generated<string>;
}

/** A device whose events wait at a destination. */
export interface WaitingDeviceTable {
  destinationId: string;
  /** A device, a plant or a grant. */
  subject: string;
  /** Position before the first entry that waits. In that entry, events of the device with a lower number have been dealt with. */
  key: number;
  no: number;
  sequence: number;
  attempts: number;
  nextAt: Instant;
  reason: string;
  excerpt: string | null;
}

/** An event that was given up. */
export interface DeadLetterTable {
  destinationId: string;
  eventId: string;
  kind: number;
  subject: string;
  sn: string | null;
  sequence: number;
  reason: string;
  excerpt: string | null;
  at: Instant;
}

/** What a destination asked for once more. */
export interface ReplayTable {
  id: string;
  destinationId: string;
  key: number;
  no: number;
  lastKey: number;
  lastNo: number;
  fromAt: Instant;
  untilAt: Instant;
  sn: string | null;
  eventId: string | null;
  state: 'running' | 'done' | 'failed';
  /** Why it failed. */
  reason: string | null;
  delivered: Generated<number>;
  attempts: Generated<number>;
  nextAt: Generated<Instant>;
  createdAt: Instant;
  endedAt: Instant | null;
}

/** What a destination was sent of the present: its last snapshot. */
export interface SnapshotTable {
  destinationId: string;
  /** Counts the snapshots of the application. */
  number: number;
  /** sending: the stream waits for it. repeating: what was refused is tried again, beside the stream. */
  state: 'sending' | 'repeating' | 'done' | 'failed';
  /** All plants up to this one, of this owner, are in it. */
  accountId: Generated<string>;
  plantId: Generated<string>;
  /** JSON arrays of plants and devices: behind that place but sent already, and refused. */
  sent: Generated<Json>;
  refused: Generated<Json>;
  plants: Generated<number>;
  devices: Generated<number>;
  /** Of what was refused. */
  attempts: Generated<number>;
  nextAt: Generated<Instant>;
  /** What the peer or the network said last. */
  reason: string | null;
  createdAt: Instant;
  endedAt: Instant | null;
}

/** Entries of the log that were pruned before a destination had got them. */
export interface LostStretchTable {
  destinationId: string;
  afterNo: number;
  untilNo: number;
  at: Instant;
}
