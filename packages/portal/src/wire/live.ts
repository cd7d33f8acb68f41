import type { LiveUpdate } from '@helioport/contract';
import type { QueryClient, QueryKey } from '@tanstack/react-query';
import { reachability } from './reachability.ts';

/** The least time between two rounds of questions about single plants, and about all of them: a fleet reports all the time. */
const PLANT_ROUND_MS = 3_000;
// News of a fleet reach all browsers at the same moment. Each waits a time of its own, so that they do not all ask at once.
const FLEET_ROUND_MS = { least: 10_000, most: 20_000 };
const RECONNECT_MS = 5_000;

type Request = Readonly<Record<string, unknown>>;

/** The plant that a question is about; undefined: several, or a device. */
export function plantOf([, request]: QueryKey): string | undefined {
  const { plantId } = (request ?? {}) as Request;
  return typeof plantId === 'string' ? plantId : undefined;
}

const isFleetQuestion = ([operation]: QueryKey): boolean =>
  typeof operation === 'string' && /^plant\/(overview|ranking|positions)$/.test(operation);

/** Curves of a day in quarters of an hour: what a report changes of them can wait until they are asked for again anyway. */
const isCurve = ([operation]: QueryKey): boolean => operation === 'plant/curves';

/** Has questions asked again once something about them has changed, in rounds. Returns how to tell, and how to stop. */
export function createRounds(client: QueryClient): {
  readonly tell: (update: LiveUpdate | 'everything') => void;
  readonly stop: () => void;
} {
  const changed = new Set<string>();
  let everything = false;
  let plants: ReturnType<typeof setTimeout> | undefined;
  let fleet: ReturnType<typeof setTimeout> | undefined;
  const refresh = (concerned: (key: QueryKey) => boolean): void =>
    void client.invalidateQueries({ predicate: ({ queryKey }) => concerned(queryKey) });
  return {
    tell(update) {
      if (update === 'everything') everything = true;
      else if (update.plantId === undefined)
        return refresh(
          ([operation]) =>
            operation === 'company/show' ||
            (typeof operation === 'string' && operation.startsWith('invitation/')),
        );
      else changed.add(update.plantId);
      // A person who has just sent a command watches it.
      if (update !== 'everything' && update.commands)
        refresh(([operation]) => typeof operation === 'string' && operation.startsWith('command/'));
      plants ??= setTimeout(() => {
        const [some, all] = [new Set(changed), everything];
        changed.clear();
        everything = false;
        plants = undefined;
        refresh((key) => {
          const plant = plantOf(key);
          return (
            !isFleetQuestion(key) &&
            !isCurve(key) &&
            (all || plant === undefined || some.has(plant))
          );
        });
      }, PLANT_ROUND_MS);
      fleet ??= setTimeout(
        () => {
          fleet = undefined;
          refresh(isFleetQuestion);
        },
        FLEET_ROUND_MS.least + Math.random() * (FLEET_ROUND_MS.most - FLEET_ROUND_MS.least),
      );
    },
    stop() {
      clearTimeout(plants);
      clearTimeout(fleet);
    },
  };
}

/** Listens to the server's live updates, and has what they are about asked for again. Returns how to stop. */
export function followLive(client: QueryClient): () => void {
  const rounds = createRounds(client);
  let source: EventSource | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let isLost = false;
  const open = (): void => {
    source = new EventSource('/portal/live');
    source.addEventListener('message', ({ data }: MessageEvent<string>) =>
      rounds.tell(JSON.parse(data) as LiveUpdate),
    );
    source.addEventListener('open', () => {
      reachability.answered();
      // What happened meanwhile was not announced.
      if (isLost) rounds.tell('everything');
      isLost = false;
    });
    source.addEventListener('error', () => {
      isLost = true;
      // The browser itself reconnects after a break, but not after a refusal.
      if (source?.readyState === EventSource.CLOSED) reconnect = setTimeout(open, RECONNECT_MS);
    });
  };
  open();
  return () => {
    source?.close();
    clearTimeout(reconnect);
    rounds.stop();
  };
}
