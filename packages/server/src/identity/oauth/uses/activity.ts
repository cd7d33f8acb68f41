import type { Activity } from '@helioport/contract';
import type { AuditEvent } from '../../accounts/audit.ts';
import type { Grant } from '../grants.ts';

type Facts = Readonly<Record<string, unknown>>;

/** A decision about an authorization: the first one gives it. */
function decisionOf(actor: string, isFirst: boolean): string {
  if (isFirst) return 'grant.given';
  return actor.startsWith('account:') ? 'grant.narrowed' : 'grant.narrowedForYou';
}

/** Who ended a strategy of an application, if it was not the application. */
const endedBy = (actor: string, accountId: string): string =>
  actor === `account:${accountId}`
    ? 'strategy.endedByYou'
    : actor === 'service'
      ? 'strategy.endedByHelioport'
      : 'strategy.endedByOthers';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

type Given = Pick<Grant, 'id' | 'applicationId' | 'createdAt' | 'revokedAt'>;

/**
 * What an application did with an authorization, how its owner gave and restricted it, what others did to its strategies, and what was put back after it,
 * newest first, from the audit trail of its owner.
 */
export function activityOf(
  events: readonly Pick<AuditEvent, 'id' | 'at' | 'kind' | 'actor' | 'data'>[],
  { id: grantId, applicationId, createdAt, revokedAt }: Given,
  accountId: string,
): Activity[] {
  const strategies = new Set(
    events.flatMap(({ data }: { readonly data: Facts }) =>
      data['applicationId'] === applicationId ? [data['strategyId']] : [],
    ),
  );
  return events.flatMap(({ id, at, kind, actor, data }): Activity[] => {
    const facts: Facts = data;
    const isFirst = at === createdAt;
    if (
      (kind === 'grant.narrowed' || (kind === 'grant.given' && isFirst)) &&
      facts['grantId'] === grantId
    ) {
      const left = {
        scopes: String(facts['scopes']).split(' '),
        plantIds: facts['plantIds'] as readonly string[] | null,
      };
      return [{ id, grantId, at, kind: decisionOf(actor, isFirst), left }];
    }
    const of = (what: string): Activity => ({
      id,
      grantId,
      at,
      kind: what,
      plantId: textOf(facts['plantId']),
      sn: textOf(facts['sn']),
      parameter: textOf(facts['parameter']),
      value: textOf(facts['value']),
      name: textOf(facts['name']),
    });
    if (facts['restoresAfter'] === grantId) return [of('setting.putBack')];
    // The application may have had another authorization before, or have got one since.
    if (at < createdAt || at > (revokedAt ?? Infinity)) return [];
    if (actor === `application:${applicationId}`) return [of(kind)];
    if (facts['strategyId'] === undefined || !strategies.has(facts['strategyId'])) return [];
    if (kind === 'strategy.ended') return [of(endedBy(actor, accountId))];
    return kind === 'strategy.paused' ? [of(kind)] : [];
  });
}
