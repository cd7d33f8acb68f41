import type { QueryClient } from '@tanstack/react-query';
import { reachability } from './reachability.ts';

/** The least time between two rounds of questions: a fleet reports all the time. */
const ROUND_MS = 5_000;
const RECONNECT_MS = 5_000;

/** Lists and sums are about several plants; they change with each of them. */
const ofOnePlant = (key: unknown): string | undefined => {
  const { id, stationId, plantId } = (typeof key === 'object' && key !== null ? key : {}) as Record<string, string | number | undefined>;
  const plant = stationId ?? plantId ?? id;
  return plant === undefined ? undefined : String(plant);
};

/** Listens to the server's live updates, and has what they are about asked for again. Returns how to stop. */
export function followLive(client: QueryClient): () => void {
  let source: EventSource | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let round: ReturnType<typeof setTimeout> | undefined;
  const changed = new Set<string>();
  let everything = false;

  const refresh = (): void => {
    round = undefined;
    const [plants, all] = [new Set(changed), everything];
    changed.clear();
    everything = false;
    void client.invalidateQueries({
      predicate: ({ queryKey }) => {
        const plant = ofOnePlant(queryKey[1]);
        return all || plant === undefined || plants.has(plant) || !isPlantQuery(queryKey[0]);
      },
    });
  };
  const soon = (): void => {
    round ??= setTimeout(refresh, ROUND_MS);
  };
  const take = ({ data }: MessageEvent<string>): void => {
    const plant = plantOf(data);
    if (plant === undefined) everything = true;
    else changed.add(plant);
    soon();
  };
  let lost = false;
  const open = (): void => {
    source = new EventSource('/portal/live');
    source.addEventListener('message', take);
    source.addEventListener('change', take as EventListener);
    source.addEventListener('open', () => {
      reachability.answered();
      // What happened meanwhile was not told.
      if (lost) {
        everything = true;
        soon();
      }
      lost = false;
    });
    source.addEventListener('error', () => {
      lost = true;
      // The browser itself reconnects after a break, but not after a refusal.
      if (source?.readyState === EventSource.CLOSED) reconnect = setTimeout(open, RECONNECT_MS);
    });
  };
  open();
  return () => {
    source?.close();
    clearTimeout(reconnect);
    clearTimeout(round);
  };
}

const isPlantQuery = (operation: unknown): boolean => typeof operation === 'string' && /^(station|alarmList)/.test(operation);

function plantOf(data: string): string | undefined {
  try {
    const { plantId } = JSON.parse(data) as { plantId?: unknown };
    return typeof plantId === 'string' ? plantId : undefined;
  } catch {
    return undefined;
  }
}
