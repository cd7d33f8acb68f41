import type { Json } from './columns.ts';

/** A column that holds a JSON array of texts, or null where there is no restriction. */
export const listOf = (json: Json | null): readonly string[] | null => (json === null ? null : (JSON.parse(json) as string[]));
