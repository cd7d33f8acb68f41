import type { WireData } from '@helioport/contract';

type Event = WireData<'user/events'>[number];

/** Something that an application did, or that its owner, Helioport or somebody else did about it, from the audit trail. */
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
  readonly left?:
    | { readonly scopes: readonly string[]; readonly plantIds: readonly string[] | null }
    | undefined;
}

/** A decision about an authorization: the first one gives it. */
function decisionOf(actor: string | undefined, isFirst: boolean): string {
  if (isFirst) return 'grant.given';
  return actor?.startsWith('account:') ? 'grant.narrowed' : 'grant.narrowedForYou';
}

/** Who ended a strategy of an application, if it was not the application. */
const endedBy = (actor: string | undefined, accountId: string): string =>
  actor === `account:${accountId}`
    ? 'strategy.endedByYou'
    : actor === 'service'
      ? 'strategy.endedByHelioport'
      : 'strategy.endedByOthers';

const leftOf = ({ scopes, plantIds }: Readonly<Record<string, unknown>>): Deed['left'] => ({
  scopes: String(scopes).split(' '),
  plantIds: plantIds as readonly string[] | null,
});

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/**
 * What an application did with an authorization, how its owner gave and restricted it, what others did to its strategies, and what was put back after it,
 * newest first. `accountId`: of the owner.
 */
export function deedsOf(
  events: readonly Event[],
  grant: WireData<'grant/list'>[number],
  accountId: string,
): Deed[] {
  const { id: grantId, applicationId, createdAt = 0, revokedAt = Infinity } = grant;
  const factsOf = ({ data }: Event): Readonly<Record<string, unknown>> =>
    (data ?? {}) as Readonly<Record<string, unknown>>;
  const strategies = new Set(
    events
      .map(factsOf)
      .flatMap((facts) => (facts['applicationId'] === applicationId ? [facts['strategyId']] : [])),
  );
  return events.flatMap((event): Deed[] => {
    const { id, at, kind, actor } = event;
    if (id === undefined || at === undefined || kind === undefined) return [];
    const facts = factsOf(event);
    const isFirst = at === createdAt;
    if (
      (kind === 'grant.narrowed' || (kind === 'grant.given' && isFirst)) &&
      facts['grantId'] === grantId
    )
      return [{ id, at, kind: decisionOf(actor, isFirst), left: leftOf(facts) }];
    const { plantId, sn, parameter, value, name, restoresAfter } = facts;
    const about = {
      plantId: textOf(plantId),
      sn: textOf(sn),
      parameter: textOf(parameter),
      value: textOf(value),
      name: textOf(name),
    };
    if (restoresAfter === grantId) return [{ id, at, kind: 'setting.putBack', ...about }];
    // The application may have had another authorization before, or have got one since.
    if (at < createdAt || at > revokedAt) return [];
    if (actor === `application:${applicationId}`) return [{ id, at, kind, ...about }];
    if (facts['strategyId'] === undefined || !strategies.has(facts['strategyId'])) return [];
    if (kind === 'strategy.ended') return [{ id, at, kind: endedBy(actor, accountId), ...about }];
    return kind === 'strategy.paused'
      ? [{ id, at, kind, plantId: about.plantId, name: about.name }]
      : [];
  });
}
