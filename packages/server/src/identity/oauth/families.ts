import { sql, type AliasedSelectQueryBuilder, type SelectQueryBuilder } from 'kysely';
import { recordAudit, type Act } from '../accounts/audit.ts';
import {
  AUDIT_TYPES,
  auditColumns,
  auditParameters,
  withAudit,
  type AuditParameters,
} from '../accounts/audited-change.ts';
import { inSharedCommit } from '../../platform/storage/commit-group.ts';
import type { Db, Instant, Tables } from '../../platform/storage/database.ts';
import {
  gathers,
  prepareGathered,
  type Gathering,
} from '../../platform/storage/postgres/gathered.ts';
import { prepareQuery, type ParameterOf } from '../../platform/storage/prepare.ts';
import { ALL_SCOPES } from './scopes.ts';
import { mintAccessToken, mintCode, mintRefreshToken } from './tokens.ts';

// The states and transitions of an authorization, from the code to the last token. One authorization is one row of tokenFamily, and
// each transition is ONE conditional UPDATE of that row: of two concurrent requests, the second finds the condition false. Ending a
// row (refusals.ts, revocation.ts) is also a single UPDATE, so a concurrent refresh either finds the row ended or is ended with it.

/** How long codes and tokens are valid, in milliseconds. */
export interface Lifetimes {
  readonly codeMs: number;
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  /** How long after its first use a repeated code or refresh token is merely refused; a later repetition counts as theft. */
  readonly benignMs: number;
}

/** Number of failed attempts after which a code stops working. */
export const CODE_ATTEMPTS_AT_MOST = 5;

/** How long a row outlives its last use, so that refusals can still give the reason. */
export const REMEMBERED_MS = 86_400_000;

/** What the owner approved. `scopes` holds them as bits. */
export interface Approval {
  readonly grantId: string;
  readonly applicationId: string;
  readonly accountId: string;
  readonly scopes: number;
  readonly redirectUri: string;
  /** The S256 code challenge of the authorization request, or empty. */
  readonly challenge: string;
}

/** Issues an authorization code once the owner has approved. */
export async function issueCode(
  trx: Db,
  now: Instant,
  lifetimes: Pick<Lifetimes, 'codeMs'>,
  approval: Approval,
): Promise<string> {
  const { text, hash } = mintCode();
  const codeExpiresAt = now + lifetimes.codeMs;
  await trx
    .insertInto('tokenFamily')
    .values({
      ...approval,
      codeHash: hash,
      createdAt: now,
      codeExpiresAt,
      codeAttempts: 0,
      answersUntil: 0,
      removeAt: codeExpiresAt + REMEMBERED_MS,
    })
    .execute();
  return text;
}

/** A token pair at the moment of issue, the only time its texts are known. */
export interface IssuedPair {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The granted scopes, as bits. */
  readonly scopes: number;
  readonly codeHash: Uint8Array;
  readonly grantId: string;
  readonly accountId: string;
  /** When the owner's grant was last refreshed before this pair was issued, to the day. */
  readonly grantRefreshedAt: Instant | null;
}

/** The conditions for issuing a pair, besides the row itself. */
interface Asking {
  readonly now: Instant;
  readonly applicationId: string;
  /** Bits of the scopes that the application may not request. */
  readonly forbidden: number;
  /** The time until which the answer can be repeated; 0 if the request had no Idempotency-Key. */
  readonly answersUntil: Instant;
}

interface NewPair {
  familyHash: Uint8Array;
  accessHash: Uint8Array;
  accessExpiresAt: Instant;
  refreshHash: Uint8Array;
  refreshExpiresAt: Instant;
  removeAt: Instant;
  /** Bits of the scopes to which the access token is limited. */
  mask: number;
}

/** Changes of several rows at a time, on PostgreSQL. */
type Together = Pick<Gathering<object>, 'calls' | 'held'>;

// Of several calls, grant and owner are looked up once the row is known; the limit leaves PostgreSQL no other plan. Before it has counted the rows
// of the tables, it expects few grants, and would begin with all of them.
const lateral = <R, Name extends string>(
  query: SelectQueryBuilder<Tables, never, R>,
  name: Name,
): AliasedSelectQueryBuilder<R, Name> => sql`lateral ${query.limit(sql.lit(1))}`.as(name) as never;

// What exchanging a code and refreshing have in common: the columns of a new pair. They are written only if grant and owner are active and the
// application may request all the resulting scopes.
const issuing = (db: Db, p: ParameterOf<Asking & NewPair>, together?: Together) => {
  const row = db.updateTable('tokenFamily as f');
  const grant = db
    .selectFrom('oauthGrant')
    .select(['id as standing', 'scopes as granted', 'refreshedAt'])
    .where('revokedAt', 'is', null);
  const owner = db.selectFrom('account').select('id as owner').where('disabledAt', 'is', null);
  return (together ? (row.from(together.calls) as never as typeof row) : row)
    .from(together ? lateral(grant.where('id', '=', together.held('grantId')), 'g') : grant.as('g'))
    .from(
      together ? lateral(owner.where('id', '=', together.held('accountId')), 'o') : owner.as('o'),
    )
    .set({
      accessHash: p('accessHash'),
      accessExpiresAt: p('accessExpiresAt'),
      refreshHash: p('refreshHash'),
      refreshExpiresAt: p('refreshExpiresAt'),
    })
    .set((eb) => ({
      accessScopes: sql<number>`f.scopes & g.granted & ${p('mask')}`,
      grantRefreshedAt: eb.ref('g.refreshedAt'),
      issuedAt: p('now'),
      previousIssuedAt: eb.ref('f.issuedAt'),
      answersUntil: sql<number>`case when ${eb.ref('f.answersUntil')} > ${p('answersUntil')} then ${eb.ref('f.answersUntil')} else ${p('answersUntil')} end`,
      removeAt: p('removeAt'),
    }))
    .where('f.applicationId', '=', p('applicationId'))
    .where('f.endedAt', 'is', null)
    .whereRef('g.standing', '=', 'f.grantId')
    .whereRef('o.owner', '=', 'f.accountId')
    .where(sql<boolean>`f.scopes & g.granted & ${p('mask')} & ${p('forbidden')} = 0`)
    .where(sql<boolean>`f.scopes & g.granted & ${p('mask')} <> 0`)
    .returning(['codeHash', 'grantId', 'accountId', 'accessScopes as scopes', 'grantRefreshedAt']);
};

const ISSUING_TYPES = {
  now: 'int8',
  applicationId: 'text',
  forbidden: 'int4',
  answersUntil: 'int8',
  familyHash: 'bytea',
  accessHash: 'bytea',
  accessExpiresAt: 'int8',
  refreshHash: 'bytea',
  refreshExpiresAt: 'int8',
  removeAt: 'int8',
  mask: 'int4',
} as const;

/** What is asked of a row that was issued, by the number of its call. */
const ISSUED = ['codeHash', 'grantId', 'accountId', 'scopes', 'grantRefreshedAt', 'call'] as const;

const HELD = ['codeHash', 'grantId', 'accountId'];

interface CodeUse extends Asking {
  readonly codeHash: Uint8Array;
  readonly redirectUri: string;
  /** S256 of the code verifier that was sent, or empty. */
  readonly challenge: string;
}

/** Exchanges a code that is unused and has not expired: a token pair is issued, and the code is invalid at once. */
const exchanging = (db: Db, p: ParameterOf<CodeUse & NewPair>, together?: Together) =>
  issuing(db, p, together)
    .set({ codeUsedAt: p('now'), familyHash: p('familyHash') })
    .where('f.codeHash', '=', p('codeHash'))
    .where('f.codeUsedAt', 'is', null)
    .where('f.codeExpiresAt', '>', p('now'))
    .where('f.codeAttempts', '<', CODE_ATTEMPTS_AT_MOST)
    .where('f.redirectUri', '=', p('redirectUri'))
    .where('f.challenge', '=', p('challenge'));
const exchange = prepareQuery<CodeUse & NewPair, IssuedRow>((db, p) => exchanging(db, p));
const exchangeTogether = prepareGathered(
  { ...ISSUING_TYPES, codeHash: 'bytea', redirectUri: 'text', challenge: 'text', ...AUDIT_TYPES },
  { table: 'tokenFamily', by: 'codeHash', value: 'codeHash', columns: HELD },
  (db, { p, call, ...together }: Gathering<CodeUse & NewPair & AuditParameters>) =>
    withAudit<IssuedRow & { readonly call: number }>(
      db,
      exchanging(db, p, together).returning(auditColumns(p)).returning(call.as('call')),
      ISSUED,
    ),
);

interface RefreshUse extends Asking {
  readonly familyHash: Uint8Array;
  readonly presentedHash: Uint8Array;
  /** Bits of the scopes that the access token is to be narrowed to; 0 = everything granted. */
  readonly requested: number;
}

/**
 * Refreshes a pair whose refresh token is valid: a new pair is issued with a full lifetime.
 * The previous tokens are invalid at once, since their hashes are no longer in the row.
 */
const refreshing = (db: Db, p: ParameterOf<RefreshUse & NewPair>, together?: Together) =>
  issuing(db, p, together)
    .set((eb) => ({ spentRefreshHash: eb.ref('f.refreshHash') }))
    .where('f.familyHash', '=', p('familyHash'))
    .where('f.refreshHash', '=', p('presentedHash'))
    .where('f.refreshExpiresAt', '>', p('now'))
    .where(sql<boolean>`f.scopes & ${p('requested')} = ${p('requested')}`);
const refresh = prepareQuery<RefreshUse & NewPair, IssuedRow>((db, p) => refreshing(db, p));
const refreshTogether = prepareGathered(
  { ...ISSUING_TYPES, presentedHash: 'bytea', requested: 'int4' },
  { table: 'tokenFamily', by: 'familyHash', value: 'familyHash', columns: HELD },
  (db, { p, call, ...together }: Gathering<RefreshUse & NewPair>) =>
    refreshing(db, p, together)
      .where('f.codeHash', '=', together.held('codeHash'))
      .returning(call.as('call')),
);

/**
 * Exchanges a code for a token pair, and records that in the audit trail, both or neither.
 * Undefined if the code may not be used; refusals.ts finds out why.
 */
export function exchangeCode(
  db: Db,
  lifetimes: Lifetimes,
  act: Act,
  use: CodeUse,
): Promise<IssuedPair | undefined> {
  const { applicationId } = use;
  return issue(mintRefreshToken(), lifetimes, use.now, async (pair) => {
    const parameters = { ...use, ...pair, mask: ALL_SCOPES };
    const row =
      gathers(db) &&
      (await exchangeTogether(db, {
        ...parameters,
        ...auditParameters(act, 'grant.exchanged', { applicationId }),
      }));
    if (row) return [row];
    return inSharedCommit(db, async (trx) => {
      const rows = await exchange(trx, parameters);
      for (const { accountId, grantId } of rows)
        await recordAudit(trx, act, {
          kind: 'grant.exchanged',
          accountId,
          data: { applicationId, grantId },
        });
      return rows;
    });
  });
}

/**
 * Issues a new pair for a refresh token. Undefined if the token may not be used;
 * refusals.ts finds out why. `family` is the part of the token that its successor keeps.
 */
export function refreshPair(
  db: Db,
  lifetimes: Lifetimes,
  family: string,
  use: RefreshUse,
): Promise<IssuedPair | undefined> {
  const mask = use.requested === 0 ? ALL_SCOPES : use.requested;
  return issue(mintRefreshToken(family), lifetimes, use.now, async (pair) => {
    const parameters = { ...use, ...pair, mask };
    const row = gathers(db) && (await refreshTogether(db, parameters));
    if (row) return [row];
    return gathers(db)
      ? refresh(db, parameters)
      : inSharedCommit(db, (trx) => refresh(trx, parameters));
  });
}

interface IssuedRow {
  readonly codeHash: Uint8Array;
  readonly grantId: string;
  readonly accountId: string;
  readonly scopes: number | null;
  readonly grantRefreshedAt: Instant | null;
}

async function issue(
  refreshToken: ReturnType<typeof mintRefreshToken>,
  lifetimes: Lifetimes,
  now: Instant,
  transition: (pair: Omit<NewPair, 'mask'>) => Promise<IssuedRow[]>,
): Promise<IssuedPair | undefined> {
  const accessToken = mintAccessToken();
  const refreshExpiresAt = now + lifetimes.refreshTokenMs;
  const [row] = await transition({
    accessHash: accessToken.hash,
    accessExpiresAt: now + lifetimes.accessTokenMs,
    refreshHash: refreshToken.hash,
    familyHash: refreshToken.familyHash,
    refreshExpiresAt,
    removeAt: refreshExpiresAt + REMEMBERED_MS,
  });
  return (
    row && {
      ...row,
      scopes: row.scopes!,
      accessToken: accessToken.text,
      refreshToken: refreshToken.text,
    }
  );
}
