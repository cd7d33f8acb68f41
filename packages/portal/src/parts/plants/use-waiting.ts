import type { WireData } from '@helioport/contract';
import { useOperation } from '../../wire/queries.ts';

/** Soon after a collector is bound, it reports what is behind it; that brings no live update. */
const REFRESH_MS = 10_000;

export type Waiting = WireData<'discovery/list'>[number];

/** What the collectors of a plant have reported and nobody has bound. */
export const useWaiting = (plantId: string, { enabled = true } = {}): readonly Waiting[] =>
  useOperation('discovery/list', { plantId }, { enabled, refreshMs: REFRESH_MS }).data ?? [];
