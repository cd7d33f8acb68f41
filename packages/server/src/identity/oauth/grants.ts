import { DAY_MS } from '@helioport/contract/durations';
import { sql } from 'kysely';
import type { Scope } from '@helioport/contract';
import { recordAudit, type Act } from '../accounts/audit.ts';
import { Failure } from '../../platform/kernel/failure.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { forUpdate } from '../../platform/storage/lock.ts';
import { listOf } from '../../platform/storage/json-list.ts';
import { accessAfter, type FormerAccess } from './access-since.ts';
import { forgetAnswersOfGrant } from './answers.ts';
import { endOutlived, livesUntil } from './grant-life.ts';
import { scopesOf, scopeText } from './scopes.ts';
import { appendAuthorizationEvent } from './append-authorization-event.ts';

/** An owner's standing permission for an application, as the operation grant/list shows it. */
export interface Grant {
  readonly id: string;
  readonly applicationId: string;
  readonly applicationName: string;
  readonly purpose: string;
  readonly homePage: string | null;
  readonly scopes: readonly Scope[];
  /** null = all plants that the account owns, including future ones. */
  readonly plantIds: readonly string[] | null;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  /** When its tokens were last refreshed, to the day. */
  readonly refreshedAt: Instant | null;
  /** When the application last asked for something, to the minute. */
  readonly usedAt: Instant | null;
  /** When its last refresh token or pending code expires; unless that is used first, the authorization ends then. null = there is none. */
  readonly livesUntil: Instant | null;
  readonly revokedAt: Instant | null;
  readonly revokedBy: string | null;
}

/** What an owner currently grants an application, as scope bits and plants. */
export async function findLivingGrant(
  db: Db,
  now: Instant,
  accountId: string,
  applicationId: string,
): Promise<{ id: string; scopes: number; plantIds: readonly string[] | null } | undefined> {
  const row = await db
    .selectFrom('oauthGrant as g')
    .select(['id', 'scopes', 'plantIds'])
    .where('accountId', '=', accountId)
    .where('applicationId', '=', applicationId)
    .where('revokedAt', 'is', null)
    .where(sql<boolean>`${livesUntil} > ${now}`)
    .executeTakeFirst();
  return row && { ...row, plantIds: listOf(row.plantIds) };
}

/** What the owner decided on the consent page. Scopes are given as bits. */
export interface Consent {
  readonly accountId: string;
  readonly applicationId: string;
  /** The scopes that the application asked for. */
  readonly asked: number;
  /** Those of them that the owner ticked. */
  readonly approved: number;
  readonly plantIds: readonly string[] | null;
}

/**
 * Records an owner's decision in the account's one active grant for the application, and creates that grant if there is none. Scopes that were
 * not requested stay as they were; scopes that were requested but not ticked are withdrawn from existing tokens too, from the next request on.
 */
export async function recordConsent(trx: Db, act: Act, consent: Consent): Promise<string> {
  const { accountId, applicationId, asked, approved } = consent;
  await endOutlived(trx, act, accountId, applicationId);
  const plantIds = consent.plantIds === null ? null : JSON.stringify(consent.plantIds);
  const former = await lockStandingGrant(trx, accountId, applicationId);
  const scopes = former ? (former.scopes & ~asked) | approved : approved;
  const accessSince = former
    ? accessAfter(former, { scopes, plantIds: consent.plantIds }, act.at)
    : null;
  const { id } = await trx
    .insertInto('oauthGrant')
    .values({
      id: act.newId(),
      applicationId,
      accountId,
      scopes: approved,
      plantIds,
      createdAt: act.at,
      changedAt: act.at,
      refreshedAt: null,
      revokedAt: null,
      revokedBy: null,
      accessSince,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'applicationId'])
        .where('revokedAt', 'is', null)
        .doUpdateSet({
          scopes: sql`(${sql.ref('oauthGrant.scopes')} & ${~asked}) | ${approved}`,
          plantIds,
          changedAt: act.at,
          accessSince,
        }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  const narrowed = approved !== asked || plantIds !== null;
  await recordAudit(trx, act, {
    kind: narrowed ? 'grant.narrowed' : 'grant.given',
    accountId,
    data: {
      applicationId,
      grantId: id,
      asked: scopeText(asked),
      scopes: scopeText(approved),
      plantIds: consent.plantIds,
    },
  });
  const facts = { scopes: scopesOf(scopes), plantIds: consent.plantIds };
  await appendAuthorizationEvent(
    trx,
    'authorization.granted',
    { grantId: id, accountId, applicationId },
    facts,
    act.at,
  );
  return id;
}

/** What an owner has granted an application so far. Two decisions of one owner at the same moment follow each other. */
async function lockStandingGrant(
  trx: Db,
  accountId: string,
  applicationId: string,
): Promise<FormerAccess | undefined> {
  const found = trx
    .selectFrom('oauthGrant')
    .select(['scopes', 'plantIds', 'createdAt', 'accessSince'])
    .where('accountId', '=', accountId)
    .where('applicationId', '=', applicationId)
    .where('revokedAt', 'is', null);
  const row = await forUpdate(trx, found).executeTakeFirst();
  return row && { ...row, plantIds: listOf(row.plantIds) };
}

const dayOf = (at: Instant): number => Math.floor(at / DAY_MS);

/** Records in the grant and in the audit trail that an application refreshed its tokens, at most once per UTC day. */
export async function noteRefresh(
  db: Db,
  act: Act,
  refreshed: {
    grantId: string;
    accountId: string;
    applicationId: string;
    grantRefreshedAt: Instant | null;
  },
): Promise<void> {
  const { grantId, accountId, applicationId, grantRefreshedAt } = refreshed;
  if (grantRefreshedAt !== null && dayOf(grantRefreshedAt) === dayOf(act.at)) return;
  await db.transaction().execute(async (trx) => {
    // Of several concurrent calls, only one updates the row and so records the event.
    const first = await trx
      .updateTable('oauthGrant')
      .set({ refreshedAt: act.at })
      .where('id', '=', grantId)
      .where((eb) =>
        eb.or([eb('refreshedAt', 'is', null), eb('refreshedAt', '<', dayOf(act.at) * DAY_MS)]),
      )
      .returning('id')
      .executeTakeFirst();
    if (first)
      await recordAudit(trx, act, {
        kind: 'grant.refreshed',
        accountId,
        data: { applicationId, grantId },
      });
  });
}

/** Every authorization of an account, active ones first. */
export async function listGrants(db: Db, accountId: string): Promise<Grant[]> {
  const rows = await db
    .selectFrom('oauthGrant as g')
    .innerJoin('application as a', 'a.id', 'g.applicationId')
    .select([
      'g.id',
      'g.applicationId',
      'a.name as applicationName',
      'a.purpose',
      'a.homePage',
      'g.scopes',
      'g.plantIds',
      'g.createdAt',
      'g.changedAt',
      'g.refreshedAt',
      livesUntil.as('livesUntil'),
      (eb) =>
        eb
          .selectFrom('applicationUse as u')
          .select((u) => u.fn.max('u.lastAt').as('usedAt'))
          .whereRef('u.accountId', '=', 'g.accountId')
          .whereRef('u.applicationId', '=', 'g.applicationId')
          // The application may have had another authorization before, or have got one since.
          .whereRef('u.lastAt', '>=', 'g.createdAt')
          .where(({ eb: is, or }) =>
            or([is('g.revokedAt', 'is', null), is('u.lastAt', '<=', is.ref('g.revokedAt'))]),
          )
          .as('usedAt'),
      'g.revokedAt',
      'g.revokedBy',
    ])
    .where('g.accountId', '=', accountId)
    .orderBy((eb) => eb.case().when('g.revokedAt', 'is', null).then(0).else(1).end())
    .orderBy('g.id')
    .execute();
  return rows.map((row) => ({
    ...row,
    scopes: scopesOf(row.scopes),
    plantIds: listOf(row.plantIds),
  }));
}

/**
 * Ends an authorization on behalf of its owner, or of the operator if `accountId` is null. From the next request
 * on, no instance accepts any of its tokens and codes, since each is valid only as long as its grant. interface O65
 * Throws noPermission for a grant of another account.
 */
export async function revokeGrant(
  trx: Db,
  act: Act,
  grantId: string,
  accountId: string | null,
): Promise<void> {
  const row = await trx
    .updateTable('oauthGrant')
    .set({ revokedAt: act.at, revokedBy: act.actor })
    .where('id', '=', grantId)
    .where('revokedAt', 'is', null)
    .$if(accountId !== null, (query) => query.where('accountId', '=', accountId!))
    .returning(['accountId', 'applicationId'])
    .executeTakeFirst();
  if (row) {
    await forgetAnswersOfGrant(trx, grantId);
    await recordAudit(trx, act, {
      kind: 'grant.revoked',
      accountId: row.accountId,
      data: { applicationId: row.applicationId, grantId },
    });
    await appendAuthorizationEvent(
      trx,
      'authorization.revoked',
      { grantId, ...row },
      { reason: 'revoked' },
      act.at,
    );
    return;
  }
  const known = trx.selectFrom('oauthGrant').select('id').where('id', '=', grantId);
  if (
    !(await (
      accountId === null ? known : known.where('accountId', '=', accountId)
    ).executeTakeFirst())
  )
    throw new Failure('noPermission', { message: 'no such authorization' });
}
