import type { Json } from './columns.ts';

/** The value of a column that holds a JSON array of strings, or null for no restriction. */
export const listOf = (json: Json | null): readonly string[] | null =>
  json === null ? null : (JSON.parse(json) as string[]);
