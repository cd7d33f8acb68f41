import type { AuditKind } from '@helioport/contract';
import { sql, type Compilable } from 'kysely';
import type { Db, Instant } from '../../platform/storage/database.ts';
import type { ParameterOf } from '../../platform/storage/prepare.ts';
import type { Act, Actor, AuditData } from './audit.ts';

/** The audit event of a change, as parameters of its statement. */
export interface AuditParameters {
  auditId: string;
  auditAt: Instant;
  auditKind: AuditKind;
  auditActor: Actor;
  auditAddress: string | null;
  auditData: string;
}

export const auditParameters = (
  { at, actor, address, newId }: Act,
  kind: AuditKind,
  data: AuditData,
): AuditParameters => ({
  auditId: newId(),
  auditAt: at,
  auditKind: kind,
  auditActor: actor,
  auditAddress: address,
  auditData: JSON.stringify(data),
});

export const AUDIT_TYPES = {
  auditId: 'text',
  auditAt: 'int8',
  auditKind: 'text',
  auditActor: 'text',
  auditAddress: 'text',
  auditData: 'text',
} as const;

const AUDIT_NAMES = Object.keys(AUDIT_TYPES) as (keyof AuditParameters)[];

/** The audit event of each call, for the change to return. */
export const auditColumns = (p: ParameterOf<AuditParameters>) =>
  AUDIT_NAMES.map((name) => sql`${p(name)}`.as(name));

/** What an audited change returns of each row. */
interface Changed extends AuditParameters {
  readonly accountId: string;
  readonly grantId: string;
}

/**
 * Changes of rows and their audit events as one statement, which saves the other three round trips of a transaction. Only PostgreSQL knows changes
 * inside a CTE. The id of the grant becomes part of an event's data. `names`: what is asked of each row.
 */
export const withAudit = <Row>(
  db: Db,
  change: Compilable<Changed>,
  names: readonly (keyof Row & string)[],
) =>
  db
    .with('changed', () => change as never)
    .with('recorded', (next) =>
      next
        .insertInto('auditEvent')
        .columns(['id', 'at', 'kind', 'accountId', 'actor', 'address', 'data'])
        .expression((eb) =>
          eb
            .selectFrom('changed' as never)
            .select([
              'auditId as id' as never,
              'auditAt as at' as never,
              'auditKind as kind' as never,
              'accountId' as never,
              'auditActor as actor' as never,
              'auditAddress as address' as never,
              sql<string>`("auditData"::jsonb || jsonb_build_object('grantId', "grantId"))::text`.as(
                'data',
              ) as never,
            ]),
        ),
    )
    .selectFrom('changed' as never)
    .select(names as never) as unknown as Compilable<Row>;
