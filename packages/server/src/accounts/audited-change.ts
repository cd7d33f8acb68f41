import type { AuditKind } from '@helioport/contract';
import { sql, type Compilable } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { engineOf } from '../storage/engine.ts';
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

export const auditParameters = ({ at, actor, address, newId }: Act, kind: AuditKind, data: AuditData): AuditParameters => ({
  auditId: newId(),
  auditAt: at,
  auditKind: kind,
  auditActor: actor,
  auditAddress: address,
  auditData: JSON.stringify(data),
});

/** Whether the engine knows changes inside a CTE, so that one statement can make a change and record it. SQLite does not, and needs no round trips. */
export const changesInOne = (db: Db): boolean => engineOf(db) === 'postgres';

/** What an audited change of one row returns. */
interface Changed {
  readonly accountId: string;
  readonly grantId: string;
}

/**
 * A change of one row and its audit event as one statement, which saves the other three round trips of a transaction; only if `changesInOne`. The id
 * of the grant, which `change` must return, becomes part of the event's data.
 */
export const withAudit = <Row extends Changed>(db: Db, p: <Name extends keyof AuditParameters>(name: Name) => AuditParameters[Name], change: Compilable<Row>) =>
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
              sql<string>`${p('auditId')}`.as('id'),
              sql<number>`cast(${p('auditAt')} as bigint)`.as('at'),
              sql<string>`${p('auditKind')}`.as('kind'),
              'accountId' as never,
              sql<string>`${p('auditActor')}`.as('actor'),
              sql<string | null>`${p('auditAddress')}`.as('address'),
              sql<string>`(cast(${p('auditData')} as jsonb) || jsonb_build_object('grantId', "grantId"))::text`.as('data'),
            ] as never),
        ),
    )
    .selectFrom('changed' as never)
    .selectAll() as unknown as Compilable<Row>;
