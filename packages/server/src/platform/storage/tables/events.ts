import type { Generated, GeneratedAlways } from 'kysely';
import type { Bytes, Instant, Json } from '../columns.ts';

/** An entry of the log: the events of one kind that one transaction made in one plant, or about one authorization. */
export interface EventTable {
  no: GeneratedAlways<number>;
  /** Where it stands among the transactions of PostgreSQL: events/position.ts. 0 on SQLite. */
  key: Generated<number>;
  /** A bit of the contract's kinds; below 0, one of events/internal.ts. */
  kind: number;
  /** The owner of the plant at that time, or whose authorization it is; '' where only our own readers hear of it. */
  accountId: string;
  /** Only for events of authorizations: whom they concern. */
  applicationId: string | null;
  plantId: string | null;
  recordedAt: Instant;
  /** JSON array of `StoredEvent`, or of events without a number; of samples, the head: events/samples.ts. */
  events: Json;
  /** Only of samples: instants and values. */
  samples: Buffer | null;
  /** Only of samples: JSON, shape `SampleNumbers`. */
  numbers: Json | null;
}

/** The last number of a sequence, but for samples. `subject` is a device, a plant or a grant. */
export interface EventStreamTable {
  subject: string;
  kind: number;
  sequence: number;
  lastAt: Instant;
  plantId: string | null;
  accountId: string;
  /** When the event before was recorded; 0 if it belonged to another plant or owner. */
  previousAt: Instant;
}

/** The last numbers of the samples of some devices: events/sequence-blocks.ts. */
export interface SequenceBlockTable {
  block: number;
  state: Bytes;
}

/** How far a reader of ours is: events/readers.ts. */
export interface LogReaderTable {
  name: string;
  key: number;
  no: number;
  /** JSON array of numbers of entries. */
  ahead: Json;
}

export interface EventLogTable {
  id: number;
  /** What is added to the numbers of PostgreSQL's transactions. */
  base: number;
}
