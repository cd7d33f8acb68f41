import { sql } from 'kysely';
import type { Db, Instant } from '../storage/database.ts';
import { prepareQuery, type ParameterOf } from '../storage/prepare.ts';
import { ALL_SCOPES } from './scopes.ts';
import { mintAccessToken, mintCode, mintRefreshToken } from './tokens.ts';

// The states and transitions of an authorization, from the code to the last token. One authorization is one row of tokenFamily,
// and each transition is ONE conditional UPDATE of that row: whoever comes second finds the condition false.
// Whatever ends a row (refusals.ts, revocation.ts) is also one UPDATE of it, so that ending and refreshing cannot miss each other.

/** In milliseconds. */
export interface Lifetimes {
  readonly codeMs: number;
  readonly accessTokenMs: number;
  readonly refreshTokenMs: number;
  /** How long after its use a repeated code or refresh token is merely refused. */
  readonly benignMs: number;
}

/** Number of wrong presentations after which a code stops working. */
export const CODE_ATTEMPTS_AT_MOST = 5;

/** How long a row outlives its last use, so that refusals can still give the reason. */
export const REMEMBERED_MS = 86_400_000;

/** What the owner approved; scopes as bits. */
export interface Approval {
  readonly grantId: string;
  readonly applicationId: string;
  readonly accountId: string;
  readonly scopes: number;
  readonly redirectUri: string;
  /** S256 of a verifier, or empty. */
  readonly challenge: string;
}

/** Authorization code: the owner approves -> code issued. */
export async function issueCode(trx: Db, now: Instant, lifetimes: Lifetimes, approval: Approval): Promise<string> {
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
  /** As bits. */
  readonly scopes: number;
  readonly codeHash: Uint8Array;
  readonly grantId: string;
  readonly accountId: string;
  /** When the owner's grant was last refreshed before this, to the day. */
  readonly grantRefreshedAt: Instant | null;
}

/** What issuing depends on besides the row: the application, the time, and how long the answer is kept. */
interface Asking {
  readonly now: Instant;
  readonly applicationId: string;
  /** Bits of the scopes that the application may not request. */
  readonly forbidden: number;
  /** 0 without Idempotency-Key. */
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

// Common to both transitions: the columns of a new pair, in a row whose grant and owner are active, for scopes that the application may request.
const issuing = (db: Db, p: ParameterOf<Asking & NewPair>) =>
  db
    .updateTable('tokenFamily as f')
    .from((eb) => eb.selectFrom('oauthGrant').select(['id as standing', 'scopes as granted', 'refreshedAt']).where('revokedAt', 'is', null).as('g'))
    .from((eb) => eb.selectFrom('account').select('id as owner').where('disabledAt', 'is', null).as('o'))
    .set({ accessHash: p('accessHash'), accessExpiresAt: p('accessExpiresAt'), refreshHash: p('refreshHash'), refreshExpiresAt: p('refreshExpiresAt') })
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

interface CodeUse extends Asking {
  readonly codeHash: Uint8Array;
  readonly redirectUri: string;
  /** S256 of the verifier that was sent, or empty. */
  readonly challenge: string;
}

/** Authorization code: exchanged within its time, not yet used -> token pair issued, code invalid at once. */
const exchange = prepareQuery((db, p: ParameterOf<CodeUse & NewPair>) =>
  issuing(db, p)
    .set({ codeUsedAt: p('now'), familyHash: p('familyHash') })
    .where('f.codeHash', '=', p('codeHash'))
    .where('f.codeUsedAt', 'is', null)
    .where('f.codeExpiresAt', '>', p('now'))
    .where('f.codeAttempts', '<', CODE_ATTEMPTS_AT_MOST)
    .where('f.redirectUri', '=', p('redirectUri'))
    .where('f.challenge', '=', p('challenge')),
);

interface RefreshUse extends Asking {
  readonly familyHash: Uint8Array;
  readonly presentedHash: Uint8Array;
  /** Bits of the scopes to which the access token is narrowed; 0 = everything granted. */
  readonly requested: number;
}

/** Token pair: refresh token valid -> new pair issued, validity restarts, the previous tokens are invalid at once: their hashes are gone from the row. */
const refresh = prepareQuery((db, p: ParameterOf<RefreshUse & NewPair>) =>
  issuing(db, p)
    .set((eb) => ({ spentRefreshHash: eb.ref('f.refreshHash') }))
    .where('f.familyHash', '=', p('familyHash'))
    .where('f.refreshHash', '=', p('presentedHash'))
    .where('f.refreshExpiresAt', '>', p('now'))
    .where(sql<boolean>`f.scopes & ${p('requested')} = ${p('requested')}`),
);

/** Undefined if the code may not be used; refusals.ts finds out why. */
export function exchangeCode(db: Db, lifetimes: Lifetimes, use: CodeUse): Promise<IssuedPair | undefined> {
  return issue(mintRefreshToken(), lifetimes, use.now, (pair) => exchange(db, { ...use, ...pair, mask: ALL_SCOPES }));
}

/** Undefined if the refresh token may not be used; refusals.ts finds out why. `family` is the part that its successor keeps. */
export function refreshPair(db: Db, lifetimes: Lifetimes, family: string, use: RefreshUse): Promise<IssuedPair | undefined> {
  const mask = use.requested === 0 ? ALL_SCOPES : use.requested;
  return issue(mintRefreshToken(family), lifetimes, use.now, (pair) => refresh(db, { ...use, ...pair, mask }));
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
  return row && { ...row, scopes: row.scopes!, accessToken: accessToken.text, refreshToken: refreshToken.text };
}
