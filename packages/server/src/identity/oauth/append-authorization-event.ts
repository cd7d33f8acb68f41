import type { EventKind } from '@helioport/contract';
import { appendEntries } from '../../platform/events/append.ts';
import { applicationWants } from '../../platform/events/demand.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';

interface AuthorizationSubject {
  readonly grantId: string;
  readonly accountId: string;
  readonly applicationId: string;
}

/** Records what became of an authorization, if its application wants to know. The grant's row is locked. Names no plant's data. */
export async function appendAuthorizationEvent(
  trx: Db,
  kind: Extract<EventKind, `authorization.${string}`>,
  { grantId, accountId, applicationId }: AuthorizationSubject,
  facts: Readonly<Record<string, unknown>>,
  now: Instant,
): Promise<void> {
  if (!(await applicationWants(trx, kind, applicationId))) return;
  const data = JSON.stringify({ authorizationId: grantId, account: accountId, ...facts });
  await appendEntries(
    trx,
    [
      {
        kind,
        accountId,
        applicationId,
        plantId: null,
        events: [{ subject: grantId, sn: null, occurredAt: now, data }],
      },
    ],
    now,
  );
}
