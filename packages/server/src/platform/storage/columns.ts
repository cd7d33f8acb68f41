import type { ColumnType } from 'kysely';

/** Epoch milliseconds. */
export type Instant = number;
/** 0 or 1 instead of a boolean, so that rows look the same on both engines. */
export type Flag = 0 | 1;
/** Bytes: written as Buffer, read as Uint8Array (node:sqlite) or Buffer (pg). */
export type Bytes = ColumnType<Uint8Array, Uint8Array, Uint8Array>;
/** JSON text; parsed and written by the feature that owns the column. */
export type Json = string;
