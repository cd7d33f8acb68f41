import type { WireData } from '@helioport/contract';

type Event = WireData<'user/events'>[number];

/** Something that an application did, from the audit trail. */
export interface Deed {
  readonly id: string;
  readonly at: number;
  readonly kind: string;
  /** The plant, the device's serial number, the parameter and its value, for a write. */
  readonly plantId?: string | undefined;
  readonly sn?: string | undefined;
  readonly parameter?: string | undefined;
  readonly value?: string | undefined;
  readonly name?: string | undefined;
}

const textOf = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);

/** What an application did with an authorization, newest first. */
export function deedsOf(events: readonly Event[], { applicationId, createdAt = 0, revokedAt = Infinity }: WireData<'grant/list'>[number]): Deed[] {
  return events.flatMap(({ id, at, kind, actor, data }) => {
    if (actor !== `application:${applicationId}` || id === undefined || at === undefined || kind === undefined) return [];
    // The application may have had another authorization before, or have got one since.
    if (at < createdAt || at > revokedAt) return [];
    const { plantId, sn, parameter, value, name } = (data ?? {}) as Readonly<Record<string, unknown>>;
    return [{ id, at, kind, plantId: textOf(plantId), sn: textOf(sn), parameter: textOf(parameter), value: textOf(value), name: textOf(name) }];
  });
}
