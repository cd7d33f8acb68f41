import type { ColumnType } from 'kysely';

/** Epoch milliseconds. */
export type Instant = number;
/** 0 or 1: neither engine's own booleans, so that rows look the same on both. */
export type Flag = 0 | 1;
/** Bytes: written as Buffer, read as Uint8Array (node:sqlite) or Buffer (pg). */
export type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
/** JSON text; parsed and written by the feature that owns the column. */
export type Json = string;
