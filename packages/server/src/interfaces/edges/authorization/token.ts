import { createHash } from 'node:crypto';
import type { OauthErrorName, TokenResponse } from '@helioport/contract';
import type { FastifyRequest } from 'fastify';
import type { Act } from '../../../identity/accounts/audit.ts';
import {
  ANSWER_KEPT_MS,
  findTokenAnswer,
  insertAnswer,
  repeatable,
  type Repeatable,
} from '../../../identity/oauth/answers.ts';
import type { Application } from '../../../identity/oauth/applications.ts';
import { exchangeCode, refreshPair, type IssuedPair } from '../../../identity/oauth/families.ts';
import { noteRefresh } from '../../../identity/oauth/grants.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { refuseCode, refuseRefresh } from '../../../identity/oauth/refusals.ts';
import { ALL_SCOPES, readScopes, scopeText } from '../../../identity/oauth/scopes.ts';
import { readAccessToken } from '../../../identity/oauth/tokens.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { ClientRequest } from './client-request.ts';
import { visitorActOf, type AuthorizationDeps } from './deps.ts';

/** How one grant type issues a token pair, and why it refused to. */
interface GrantUse {
  /** The code or refresh token. */
  readonly presented: string;
  issue(db: Db, answersUntil: number): Promise<IssuedPair | undefined>;
  refusal(): Promise<OauthErrorName>;
}

/** The context of every step of an exchange. */
interface Asking extends ClientRequest {
  readonly deps: AuthorizationDeps;
  readonly act: Act;
}

export const TOKEN_PARAMETERS = [
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
];

const grantTypes = { authorization_code: codeUse, refresh_token: refreshUse };

/** POST /oauth/token: exchanges a code or a refresh token for a token pair. Returns the text of the answer. */
export async function answerToken(deps: AuthorizationDeps, client: ClientRequest): Promise<string> {
  const { application, form, request } = client;
  const grantType = form.get('grant_type');
  if (grantType === undefined) throw new OauthRefusal('grantTypeMissing');
  if (grantType !== 'authorization_code' && grantType !== 'refresh_token')
    throw new OauthRefusal('grantTypeUnsupported');
  const act = visitorActOf(deps, request, `application:${application.id}`);
  const asking: Asking = { ...client, deps, act };
  const use = grantTypes[grantType](asking);
  const repeat = repeatableOf(request, application, use.presented);
  const earlier = await earlierAnswer(asking, repeat);
  if (earlier !== undefined) return earlier;
  const won = repeat ? await issueRepeatable(asking, use, repeat) : await issueOnce(asking, use);
  if (!won) {
    // If the same request was sent twice at once, the loser gets the winner's answer.
    const same = await earlierAnswer(asking, repeat);
    if (same !== undefined) return same;
    throw new OauthRefusal(await use.refusal());
  }
  deps.metrics.issued(grantType);
  if (grantType === 'refresh_token')
    await noteRefresh(deps.db, act, { ...won.pair, applicationId: application.id });
  return won.text;
}

/** Exchanges a code. interface O35 to O45 */
function codeUse({ application, form, deps, act }: Asking): GrantUse {
  const presented = form.get('code');
  if (presented === undefined) throw new OauthRefusal('codeMissing');
  const redirectUri = form.get('redirect_uri');
  if (redirectUri === undefined) throw new OauthRefusal('tokenCallbackMissing');
  const code = readAccessToken(presented);
  if (code?.kind !== 'code') throw new OauthRefusal('codeUnknown');
  // An address that is no longer registered matches no code. interface O36
  const use = {
    codeHash: code.hash,
    redirectUri: redirectUri === application.redirectUri ? redirectUri : '',
    challenge: challengeOf(form.get('code_verifier')),
  };
  return {
    presented,
    issue: (db, answersUntil) =>
      exchangeCode(db, deps.lifetimes, act, {
        ...use,
        ...limitsOf(application),
        now: act.at,
        answersUntil,
      }),
    refusal: () => refuseCode(deps.db, { application, lifetimes: deps.lifetimes, act }, use),
  };
}

// A malformed verifier matches no challenge, and '' is not a challenge. RFC 7636 4.1 and 4.6
const challengeOf = (verifier: string | undefined): string =>
  verifier === undefined
    ? ''
    : /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier)
      ? createHash('sha256').update(verifier).digest('base64url')
      : 'unfit';

/** Renews a token pair. interface O50 to O58 */
function refreshUse({ application, form, deps, act }: Asking): GrantUse {
  const presented = form.get('refresh_token');
  if (presented === undefined) throw new OauthRefusal('refreshTokenMissing');
  const token = readAccessToken(presented);
  if (token?.kind !== 'refresh') throw new OauthRefusal('refreshTokenUnknown');
  const requested = readScopes(form.get('scope') ?? '');
  if (requested === undefined) throw new OauthRefusal('scopeExceeded');
  const use = { familyHash: token.familyHash, presentedHash: token.hash, requested };
  return {
    presented,
    issue: (db, answersUntil) =>
      refreshPair(db, deps.lifetimes, act, token.family, {
        ...use,
        ...limitsOf(application),
        now: act.at,
        answersUntil,
      }),
    refusal: () => refuseRefresh(deps.db, { application, lifetimes: deps.lifetimes, act }, use),
  };
}

const limitsOf = (application: Application) => ({
  applicationId: application.id,
  forbidden: ALL_SCOPES & ~application.scopes,
});

interface Won {
  readonly pair: IssuedPair;
  readonly text: string;
}

async function issueOnce({ deps }: Asking, use: GrantUse): Promise<Won | undefined> {
  const pair = await use.issue(deps.db, 0);
  return pair && { pair, text: textOf(deps, pair) };
}

// The answer is stored with the tokens or not at all, so that a lost answer can be repeated.
function issueRepeatable(
  { deps, act }: Asking,
  use: GrantUse,
  repeat: Repeatable,
): Promise<Won | undefined> {
  return deps.db.transaction().execute(async (trx) => {
    const pair = await use.issue(trx, act.at + ANSWER_KEPT_MS);
    if (!pair) return undefined;
    const text = textOf(deps, pair);
    if (
      !(await insertAnswer(trx, act.at, repeat, {
        text,
        codeHash: pair.codeHash,
        grantId: pair.grantId,
      }))
    )
      throw new OauthRefusal('idempotencyKeyTaken');
    return { pair, text };
  });
}

async function earlierAnswer(
  { deps, act }: Asking,
  repeat: Repeatable | undefined,
): Promise<string | undefined> {
  const answer = repeat && (await findTokenAnswer(deps.db, act.at, repeat));
  if (answer === 'taken') throw new OauthRefusal('idempotencyKeyTaken');
  return answer?.text;
}

function repeatableOf(
  { headers, body }: FastifyRequest,
  application: Application,
  presented: string,
): Repeatable | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{16,64}$/.test(key))
    throw new OauthRefusal('idempotencyKeyMalformed');
  return repeatable(application.id, key, body as Buffer, presented);
}

/** The text of a token response. interface O46, O47 */
function textOf({ lifetimes }: AuthorizationDeps, pair: IssuedPair): string {
  const response: TokenResponse = {
    access_token: pair.accessToken,
    token_type: 'bearer',
    refresh_token: pair.refreshToken,
    expires_in: lifetimes.accessTokenMs / 1000,
    scope: scopeText(pair.scopes),
  };
  return JSON.stringify(response);
}
