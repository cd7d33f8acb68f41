import type { ReceivedEvent } from './event.ts';

/** Events that have not arrived although later ones of their sequence have. */
export interface Missing {
  /** The first sequence number, and the last. */
  readonly first: number;
  readonly last: number;
  /** When the events before and behind them were recorded, epoch ms. */
  readonly after: number;
  readonly before: number;
  /** Whether a replay has been asked for. */
  readonly isAskedFor: boolean;
}

/** How far one sequence is: that of a device (or plant, or authorization) and kind. */
export interface SequenceState {
  /** The highest sequence number that has arrived. */
  readonly newest: number;
  /** When that event was recorded, epoch ms. */
  readonly recordedAt: number;
  readonly missing: readonly Missing[];
}

/** Where a receiver keeps how far it is. To count every event once, whatever is killed, keep it in the database that the events go to. */
export interface Cursor {
  load(sequence: string): Promise<SequenceState | undefined>;
  save(sequence: string, state: SequenceState): Promise<void>;
}

/** A gap in a sequence. */
export interface Gap extends Missing {
  readonly deviceSn: string | null;
  readonly plantId: string | null;
  readonly kind: string;
}

export interface ReceiverOptions {
  readonly cursor: Cursor;
  /** Takes an event that has not been taken before. If it rejects, so does `receive`, and the sender repeats the event. */
  readonly handle: (event: ReceivedEvent) => Promise<void>;
  /** Asks for what is missing (`createReplay`). If it rejects, it is asked again at the next event of the sequence. */
  readonly askForReplay?: (gap: Gap) => Promise<void>;
}

/** Takes each event once, in whatever transport it arrives. */
export interface Receiver {
  /**
   * Takes events in their order. Resolves when they are handled and noted: only then, acknowledge them. Calls wait for one another.
   * @returns how many were new
   */
  receive(events: readonly ReceivedEvent[]): Promise<number>;
}

export function createReceiver({ cursor, handle, askForReplay }: ReceiverOptions): Receiver {
  let last: Promise<unknown> = Promise.resolve();

  async function take(event: ReceivedEvent): Promise<boolean> {
    // The made-up event of a test belongs to no sequence.
    if (event.kind === 'test') return false;
    const sequence = sequenceOf(event);
    const state = await cursor.load(sequence);
    const next = advance(state, event);
    if (!next) return false;
    await handle(event);
    await cursor.save(sequence, next);
    await ask(event, sequence, next);
    return true;
  }

  async function ask(
    { deviceSn, plantId, kind }: ReceivedEvent,
    sequence: string,
    state: SequenceState,
  ): Promise<void> {
    if (!askForReplay || state.missing.every(({ isAskedFor }) => isAskedFor)) return;
    const missing: Missing[] = [];
    for (const gap of state.missing) {
      const isAskedFor =
        gap.isAskedFor ||
        (await askForReplay({ ...gap, deviceSn, plantId, kind }).then(
          () => true,
          () => false,
        ));
      missing.push({ ...gap, isAskedFor });
    }
    await cursor.save(sequence, { ...state, missing });
  }

  return {
    receive(events) {
      const run = async (): Promise<number> => {
        let fresh = 0;
        for (const event of events) if (await take(event)) fresh += 1;
        return fresh;
      };
      const result = last.then(run);
      last = result.catch(() => {});
      return result;
    },
  };
}

/** What the sequence of an event is called. */
const sequenceOf = ({ kind, deviceSn, plantId, data }: ReceivedEvent): string =>
  JSON.stringify([kind, deviceSn ?? plantId ?? data['authorizationId'] ?? '']);

/** How far a sequence is after an event; undefined if the event has arrived before. */
function advance(
  state: SequenceState | undefined,
  { sequence, recordedAt, resumed = false }: ReceivedEvent,
): SequenceState | undefined {
  // A destination does not begin with the first event of a device.
  if (!state) return { newest: sequence, recordedAt, missing: [] };
  const { newest, missing } = state;
  if (sequence > newest) {
    const isGap = sequence > newest + 1 && !resumed;
    const gap = {
      first: newest + 1,
      last: sequence - 1,
      after: state.recordedAt,
      before: recordedAt,
      isAskedFor: false,
    };
    return { newest: sequence, recordedAt, missing: isGap ? [...missing, gap] : missing };
  }
  const filled = missing.find(({ first, last }) => first <= sequence && sequence <= last);
  if (!filled) return undefined;
  const left = [
    { ...filled, last: sequence - 1, before: recordedAt },
    { ...filled, first: sequence + 1, after: recordedAt },
  ].filter(({ first, last }) => first <= last);
  return { ...state, missing: missing.flatMap((one) => (one === filled ? left : [one])) };
}
