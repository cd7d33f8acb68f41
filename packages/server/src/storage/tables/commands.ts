import type { Generated } from 'kysely';
import type { Instant } from '../columns.ts';

/** What somebody asked of a device, and what became of it; commands/life-cycle.ts says how it goes on. */
export interface CommandTable {
  id: string;
  deviceId: string;
  /** Where the device was when it was asked. */
  plantId: string;
  action: 'read' | 'write';
  /** Id of the parameter in the profile of the device's model. */
  parameter: string;
  /** To be written; null = it only reads. */
  value: string | null;
  /** The memory that a write wears; parameters may share one. Write budgets count by it. */
  cell: string | null;
  state: 'queued' | 'sent' | 'confirmed' | 'verified' | 'failed' | 'refused' | 'expired' | 'cancelled' | 'superseded';
  /** Why it ended otherwise than hoped, in words for people. */
  reason: string | null;
  /** What the next instruction does. */
  step: 'read' | 'check' | 'write' | 'verify';
  /** Instructions handed over so far. */
  turn: Generated<number>;
  /** The last one that was answered. */
  answered: Generated<number>;
  /** The first instruction of the current step. */
  stepTurn: Generated<number>;
  /** The instruction that wrote; there is at most one. */
  writeTurn: number | null;
  /** How often it was read back in vain. */
  readBacks: Generated<number>;
  /** What the collector said when the write failed. */
  fault: string | null;
  /** When the next instruction may be handed over. */
  nextAt: Instant;
  /** From when on it is not sent any more. */
  expiresAt: Instant;
  queuedAt: Instant;
  /** When the write, or a first read, was handed over. */
  sentAt: Instant | null;
  confirmedAt: Instant | null;
  /** null = it is open. */
  endedAt: Instant | null;
  /** As the device had it before the write. */
  oldValue: string | null;
  /** As the device had it last. */
  readValue: string | null;
  /** What the registers held, as the collector writes it. */
  raw: string | null;
  /** Whom it was handed to last. */
  collectorId: string | null;
  actor: string;
  door: 'signed' | 'oauth' | 'portal' | 'operator';
  address: string | null;
  /** Whose right it is carried out with; null = the operator's. Likewise the next three. */
  accountId: string | null;
  keyId: string | null;
  grantId: string | null;
  /** tokenFamily.codeHash in hexadecimal. */
  tokenFamily: string | null;
  /** The command whose effect this one takes back. */
  undoes: string | null;
}
