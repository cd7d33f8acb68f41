import type { AuditKind } from '@helioport/contract';
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

interface IssuedRow {
  readonly codeHash: Uint8Array;
  readonly grantId: string;
  readonly accountId: string;
  readonly scopes: number | null;
  readonly grantRefreshedAt: Instant | null;
}

type CalledRow = IssuedRow & { readonly call: number };

/** A transition that issues a pair, as one statement. */
interface Issuing<P> {
  /** The hash that finds the row. */
  readonly by: 'codeHash' | 'familyHash';
  /** The values of a call besides those of all, by their types on PostgreSQL. */
  readonly types: Readonly<
    Record<Exclude<keyof P, keyof (Asking & NewPair)>, 'bytea' | 'int4' | 'text'>
  >;
  /** What the audit trail calls it; null = it records none. */
  readonly audit: AuditKind | null;
  readonly build: (db: Db, p: ParameterOf<P>, together?: Together) => ReturnType<typeof issuing>;
}

/** Carries out a transition together with those that arrive at the same time, or alone. Resolves to the row; to none if the condition is false. */
function prepareIssuing<P extends Asking & NewPair>({ by, types, audit, build }: Issuing<P>) {
  const alone = prepareQuery<P, IssuedRow>((db, p) => build(db, p));
  const all = { ...ISSUING_TYPES, ...types, ...(audit && AUDIT_TYPES) } as Parameters<
    typeof prepareGathered<P & AuditParameters, CalledRow>
  >[0];
  const gathered = prepareGathered<P & AuditParameters, CalledRow>(
    all,
    { table: 'tokenFamily', by, value: by as never, columns: HELD },
    (db, { p, call, ...together }) => {
      const change = build(db, p, together)
        .where('f.codeHash', '=', together.held('codeHash'))
        .returning(call.as('call'));
      return audit ? withAudit<CalledRow>(db, change.returning(auditColumns(p)), ISSUED) : change;
    },
  );
  return async (db: Db, act: Act, values: P): Promise<IssuedRow[]> => {
    const { applicationId } = values;
    if (gathers(db)) {
      const audited = audit && auditParameters(act, audit, { applicationId });
      const row = await gathered(db, { ...values, ...audited } as P & AuditParameters);
      if (row) return [row];
      if (!audit) return alone(db, values);
    }
    return inSharedCommit(db, async (trx) => {
      const rows = await alone(trx, values);
      for (const { accountId, grantId } of audit ? rows : [])
        await recordAudit(trx, act, {
          kind: audit!,
          accountId,
          data: { applicationId, grantId },
        });
      return rows;
    });
  };
}

interface CodeUse extends Asking {
  readonly codeHash: Uint8Array;
  readonly redirectUri: string;
  /** S256 of the code verifier that was sent, or empty. */
  readonly challenge: string;
}

/** Exchanges a code that is unused and has not expired: a token pair is issued, and the code is invalid at once. */
const exchange = prepareIssuing<CodeUse & NewPair>({
  by: 'codeHash',
  types: { codeHash: 'bytea', redirectUri: 'text', challenge: 'text' },
  audit: 'grant.exchanged',
  build: (db, p, together) =>
    issuing(db, p, together)
      .set({ codeUsedAt: p('now'), familyHash: p('familyHash') })
      .where('f.codeHash', '=', p('codeHash'))
      .where('f.codeUsedAt', 'is', null)
      .where('f.codeExpiresAt', '>', p('now'))
      .where('f.codeAttempts', '<', CODE_ATTEMPTS_AT_MOST)
      .where('f.redirectUri', '=', p('redirectUri'))
      .where('f.challenge', '=', p('challenge')),
});

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
const refresh = prepareIssuing<RefreshUse & NewPair>({
  by: 'familyHash',
  types: { presentedHash: 'bytea', requested: 'int4' },
  audit: null,
  build: (db, p, together) =>
    issuing(db, p, together)
      .set((eb) => ({ spentRefreshHash: eb.ref('f.refreshHash') }))
      .where('f.familyHash', '=', p('familyHash'))
      .where('f.refreshHash', '=', p('presentedHash'))
      .where('f.refreshExpiresAt', '>', p('now'))
      .where(sql<boolean>`f.scopes & ${p('requested')} = ${p('requested')}`),
});

/**
 * Exchanges a code for a token pair, and records that in the audit trail, both or neither.
 * Undefined if the code may not be used; refusals.ts finds out why.
 */
export const exchangeCode = (
  db: Db,
  lifetimes: Lifetimes,
  act: Act,
  use: CodeUse,
): Promise<IssuedPair | undefined> =>
  issue(mintRefreshToken(), lifetimes, use.now, (pair) =>
    exchange(db, act, { ...use, ...pair, mask: ALL_SCOPES }),
  );

/**
 * Issues a new pair for a refresh token. Undefined if the token may not be used;
 * refusals.ts finds out why. `family` is the part of the token that its successor keeps.
 */
export const refreshPair = (
  db: Db,
  lifetimes: Lifetimes,
  act: Act,
  family: string,
  use: RefreshUse,
): Promise<IssuedPair | undefined> =>
  issue(mintRefreshToken(family), lifetimes, use.now, (pair) =>
    refresh(db, act, {
      ...use,
      ...pair,
      mask: use.requested === 0 ? ALL_SCOPES : use.requested,
    }),
  );

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
