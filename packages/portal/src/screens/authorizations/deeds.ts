import type { WireData } from '@helioport/contract';

type Event = WireData<'user/events'>[number];

/** Something that an application did, or that its owner did to it, from the audit trail. */
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
  /** What it may do after a decision; of the plants null = all. */
  readonly left?: { readonly scopes: readonly string[]; readonly plantIds: readonly string[] | null } | undefined;
}

/** A decision about an authorization: the first one gives it. */
function decisionOf(actor: string | undefined, isFirst: boolean): string {
  if (isFirst) return 'grant.given';
  return actor?.startsWith('account:') ? 'grant.narrowed' : 'grant.narrowedForYou';
}

const leftOf = ({ scopes, plantIds }: Readonly<Record<string, unknown>>): Deed['left'] => ({
  scopes: String(scopes).split(' '),
  plantIds: plantIds as readonly string[] | null,
});

const textOf = (value: unknown): string | undefined => (typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);

/** What an application did with an authorization, how its owner gave and restricted it, and what was put back after it, newest first. */
export function deedsOf(events: readonly Event[], grant: WireData<'grant/list'>[number]): Deed[] {
  const { id: grantId, applicationId, createdAt = 0, revokedAt = Infinity } = grant;
  return events.flatMap(({ id, at, kind, actor, data }): Deed[] => {
    if (id === undefined || at === undefined || kind === undefined) return [];
    const facts = (data ?? {}) as Readonly<Record<string, unknown>>;
    const isFirst = at === createdAt;
    if ((kind === 'grant.narrowed' || (kind === 'grant.given' && isFirst)) && facts['grantId'] === grantId)
      return [{ id, at, kind: decisionOf(actor, isFirst), left: leftOf(facts) }];
    const { plantId, sn, parameter, value, name, restoresAfter } = facts;
    const about = { plantId: textOf(plantId), sn: textOf(sn), parameter: textOf(parameter), value: textOf(value), name: textOf(name) };
    if (restoresAfter === grantId) return [{ id, at, kind: 'setting.putBack', ...about }];
    if (actor !== `application:${applicationId}`) return [];
    // The application may have had another authorization before, or have got one since.
    if (at < createdAt || at > revokedAt) return [];
    return [{ id, at, kind, ...about }];
  });
}
