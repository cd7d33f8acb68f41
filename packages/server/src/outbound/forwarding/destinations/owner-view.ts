import { kindsOfBits, type EventKind, type Scope } from '@helioport/contract';
import { anyOf, listParameter } from '../../../platform/storage/any-of.ts';
import type { Db, Instant } from '../../../platform/storage/database.ts';

/** An authorization, as far as it decides what is forwarded. */
export interface ForwardingGrant {
  readonly applicationId: string;
  readonly scopes: readonly Scope[];
  readonly createdAt: Instant;
  readonly livesUntil: Instant | null;
  readonly revokedAt: Instant | null;
}

/** What an owner sees of an application's forwarding: which kinds of events it is sent, since when, and when it last took one of whichever owner. */
export interface Forwarded {
  readonly forwardedKinds: readonly EventKind[] | null;
  readonly forwardedSince: Instant | null;
  readonly forwardedAt: Instant | null;
}

const NOTHING: Forwarded = { forwardedKinds: null, forwardedSince: null, forwardedAt: null };

/** Adds to authorizations what their applications are sent on their strength. */
export async function withForwarded<Grant extends ForwardingGrant>(
  db: Db,
  grants: readonly Grant[],
  now: Instant,
): Promise<(Grant & Forwarded)[]> {
  const reads = grants
    .filter((grant) => isReading(grant, now))
    .map(({ applicationId }) => applicationId);
  const rows = reads.length === 0 ? [] : await activeDestinations(db, reads);
  const byApplication = Map.groupBy(rows, ({ applicationId }) => applicationId);
  return grants.map((grant) => {
    const destinations = isReading(grant, now) ? byApplication.get(grant.applicationId) : undefined;
    if (!destinations) return { ...grant, ...NOTHING };
    const since = Math.max(
      grant.createdAt,
      Math.min(...destinations.map(({ sinceAt }) => sinceAt)),
    );
    const last = Math.max(...destinations.map(({ deliveredAt }) => deliveredAt ?? 0));
    const kinds = destinations.reduce((bits, destination) => bits | destination.kinds, 0);
    return {
      ...grant,
      forwardedKinds: kindsOfBits(kinds),
      forwardedSince: since,
      forwardedAt: last >= since ? last : null,
    };
  });
}

const isReading = ({ scopes, revokedAt, livesUntil }: ForwardingGrant, now: Instant): boolean =>
  revokedAt === null && (livesUntil ?? 0) > now && scopes.includes('access_data');

const activeDestinations = (db: Db, applicationIds: readonly string[]) =>
  db
    .selectFrom('destination as d')
    .innerJoin('destinationProgress as p', 'p.destinationId', 'd.id')
    .innerJoin('application as a', 'a.id', 'd.applicationId')
    .select(['d.applicationId', 'd.kinds', 'd.sinceAt', 'p.deliveredAt'])
    .where(anyOf(db, 'd.applicationId', listParameter(db, applicationIds)))
    .where('d.state', '=', 'active')
    .where('a.status', '=', 'approved')
    .where('a.disabledAt', 'is', null)
    .execute();
