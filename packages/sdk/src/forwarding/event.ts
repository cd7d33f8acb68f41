/** An event as a destination receives it. */
export interface ReceivedEvent {
  /** Stays the same over attempts and replays. */
  readonly id: string;
  /** Such as `telemetry.sample`. Newer servers may send kinds that this version does not know. */
  readonly kind: string;
  readonly version: number;
  /** Counts the events of one device (or plant, or authorization) and kind, without gaps. */
  readonly sequence: number;
  /** The application could not receive earlier events of this sequence: a gap before this one is none. */
  readonly resumed?: boolean;
  /** Epoch ms. */
  readonly occurredAt: number;
  /** Epoch ms, by the server's clock. */
  readonly recordedAt: number;
  readonly plantId: string | null;
  readonly deviceSn: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Reads a message of a destination: one event, or the array of a batch. Throws TypeError if it is neither. */
export function readEvents(body: string): ReceivedEvent[] {
  const value = JSON.parse(body) as unknown;
  const events = Array.isArray(value) ? (value as unknown[]) : [value];
  if (events.length === 0 || !events.every(isEvent))
    throw new TypeError('the message is no event of Helioport');
  return events;
}

function isEvent(value: unknown): value is ReceivedEvent {
  const { id, kind, sequence, recordedAt } = (value ?? {}) as Partial<ReceivedEvent>;
  return (
    typeof id === 'string' &&
    typeof kind === 'string' &&
    Number.isSafeInteger(sequence) &&
    Number.isSafeInteger(recordedAt)
  );
}
