import type { Generated } from 'kysely';
import type { Instant } from '../columns.ts';

/** A request to read or write a parameter of a device, and its outcome. The transitions are in commands/life-cycle.ts. */
export interface CommandTable {
  id: string;
  deviceId: string;
  /** The plant in which the device was when the command was queued. */
  plantId: string;
  action: 'read' | 'write';
  /** Id of the parameter in the profile of the device's model. */
  parameter: string;
  /** The value to write; null = the command only reads. */
  value: string | null;
  /** The memory that a write wears out; parameters may share one. Write budgets are counted per cell. */
  cell: string | null;
  state:
    | 'queued'
    | 'sent'
    | 'confirmed'
    | 'verified'
    | 'failed'
    | 'refused'
    | 'expired'
    | 'cancelled'
    | 'superseded';
  /** Why it did not succeed, in words for people. */
  reason: string | null;
  /** The purpose of the next instruction. */
  step: 'read' | 'check' | 'write' | 'verify';
  /** Number of instructions handed over so far. */
  turn: Generated<number>;
  /** Number of the last instruction that was answered. */
  answered: Generated<number>;
  /** Number of the first instruction of the current step. */
  stepTurn: Generated<number>;
  /** Number of the instruction that wrote; there is at most one. */
  writeTurn: number | null;
  /** How often reading back has failed. */
  readBacks: Generated<number>;
  /** The message of the collector when the write failed. */
  fault: string | null;
  /** When the next instruction may be handed over. */
  nextAt: Instant;
  /** The time after which it is no longer sent. */
  expiresAt: Instant;
  queuedAt: Instant;
  /** When the write, or a first read, was handed over. */
  sentAt: Instant | null;
  confirmedAt: Instant | null;
  /** null = it is open. */
  endedAt: Instant | null;
  /** The value before the write. */
  oldValue: string | null;
  /** The value that was last read from the device. */
  readValue: string | null;
  /** The content of the registers, as the collector writes it. */
  raw: string | null;
  /** The collector to which it was last handed over. */
  collectorId: string | null;
  actor: string;
  /** `service`: settings are restored, which needs nobody's right. */
  door: 'signed' | 'oauth' | 'portal' | 'operator' | 'service';
  address: string | null;
  /** The account whose right is used; null = the operator's right. The next three narrow it down to a key or a grant. */
  accountId: string | null;
  keyId: string | null;
  grantId: string | null;
  /** tokenFamily.codeHash in hexadecimal; null = it rests on the grant alone. */
  tokenFamily: string | null;
  /** The command that this one undoes. */
  undoes: string | null;
  /** The strategy that waits for its end. */
  strategyId: Generated<string | null>;
  /** Its part in the strategy: it keeps the former value, applies or restores one, or is somebody's write that takes precedence. */
  strategyPart: Generated<'keep' | 'apply' | 'restore' | 'override' | null>;
}
