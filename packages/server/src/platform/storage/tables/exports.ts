import type { Bytes, Instant, Json } from '../columns.ts';

/** An export of what an account has. */
export interface AccountExportTable {
  id: string;
  accountId: string;
  /** Of readings. */
  format: 'csv' | 'parquet';
  /** `over`: cancelled, replaced or expired; its parts are being deleted. */
  state: 'underway' | 'ready' | 'over';
  createdAt: Instant;
  readyAt: Instant | null;
  expiresAt: Instant | null;
  /** Where to go on; shape `Place`. */
  place: Json;
  /** The share of the work that is done, 0 to 1. */
  progress: number;
  entries: number;
  /** Of the entries as the archive holds them. */
  bytes: number;
}

/** A finished file of an export. */
export interface ExportEntryTable {
  exportId: string;
  /** Consecutive, from 0. */
  no: number;
  name: string;
  /** 0 stored, 8 deflated. */
  method: number;
  crc: number;
  size: number;
  packedSize: number;
}

export interface ExportChunkTable {
  exportId: string;
  entryNo: number;
  no: number;
  content: Bytes;
}
