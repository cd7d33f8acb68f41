import type { FastifyReply } from 'fastify';
import { recordAudit } from '../../../identity/accounts/audit.ts';
import {
  holdSession,
  settleSession,
  type HeldSession,
  type Session,
} from '../../../identity/accounts/sessions.ts';
import { equalSecrets } from '../../../platform/kernel/secrets.ts';
import { issueCode } from '../../../identity/oauth/families.ts';
import { findLivingGrant } from '../../../identity/oauth/grants.ts';
import { scopeText } from '../../../identity/oauth/scopes.ts';
import { insertTicket } from '../../../identity/oauth/consent/consent-tickets.ts';
import { listPlants } from '../../../fleet/plants/fleet/plant-list.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { redirectWithCode } from './authorization-response.ts';
import { formToken } from './browser.ts';
import { visitorActOf } from './deps.ts';
import { consentPage, PLANTS_LISTED, type ConsentForm } from './pages/consent.ts';
import { showLogIn } from './log-in.ts';
import type { Visit } from './visit.ts';
import { sendPage } from './pages/layout.ts';

/** GET /oauth/authorize: the owner logs in, then decides. An owner who is signed in and has granted as much before goes straight on. interface O1 */
export async function answerAuthorize(visit: Visit): Promise<FastifyReply> {
  const { session } = visit.browser;
  if (!session) return showLogIn(visit, {});
  const granted = await skippableGrant(visit, session);
  if (granted === undefined) return showConsent(visit, session, {});
  const { deps, request, authorization } = visit;
  const { application, scopes } = authorization;
  const code = await deps.db.transaction().execute(async (trx) => {
    const held = await holdSession(trx, deps.clock.now(), session);
    const data = { applicationId: application.id, grantId: granted, scopes: scopeText(scopes) };
    await recordAudit(trx, visitorActOf(deps, request, `account:${session.accountId}`), {
      kind: 'grant.codeIssued',
      accountId: session.accountId,
      data,
    });
    return codeFor(trx, visit, held, granted, scopes);
  });
  return redirectWithCode(visit, code);
}

/** The grant that covers the request, if the owner need not be asked: already signed in, granted as much before, and no `prompt=consent`. */
async function skippableGrant(
  { deps, browser, authorization }: Visit,
  session: Session,
): Promise<string | undefined> {
  const { application, scopes, query } = authorization;
  const isFresh = session.freshFor !== null && equalSecrets(session.freshFor, browser.request);
  if (isFresh || query.get('prompt')?.split(' ').includes('consent')) return undefined;
  const grant = await findLivingGrant(deps.db, deps.clock.now(), session.accountId, application.id);
  return grant && (scopes & ~grant.scopes) === 0 ? grant.id : undefined;
}

/** Issues a code, since the owner has approved the request, now or before. interface O39 */
export async function codeFor(
  trx: Db,
  { deps, authorization }: Visit,
  session: HeldSession,
  grantId: string,
  scopes: number,
): Promise<string> {
  const { application, challenge } = authorization;
  await settleSession(trx, session);
  const code = await issueCode(trx, deps.clock.now(), deps.lifetimes, {
    grantId,
    applicationId: application.id,
    accountId: session.accountId,
    scopes,
    redirectUri: application.redirectUri,
    challenge,
  });
  deps.metrics.issued('code');
  return code;
}

/** Shows the consent page. `chosen`: what was ticked on a page whose submission was not accepted. */
export async function showConsent(
  { deps, reply, browser, authorization }: Visit,
  session: Session,
  chosen: Partial<Pick<ConsentForm, 'scopes' | 'plantIds' | 'fault'>>,
): Promise<FastifyReply> {
  const { db, clock } = deps;
  const { application } = authorization;
  const [plants, grant] = await Promise.all([
    grantablePlants(db, session.accountId),
    findLivingGrant(db, clock.now(), session.accountId, application.id),
  ]);
  const ticket = await insertTicket(db, clock.now(), {
    sessionHash: session.hash,
    request: browser.request,
  });
  const page = consentPage({
    browser,
    application,
    email: session.email,
    ticket,
    logOutToken: formToken(browser, 'log-out'),
    asked: authorization.scopes,
    scopes: authorization.scopes,
    plants,
    plantIds: grant?.plantIds ?? null,
    authorizationsUrl: deps.authorizationsUrl,
    ...chosen,
  });
  // The final redirect, and those that the application makes after it, must not be restricted to a list: Chromium applies form-action to all of them.
  return sendPage(reply, 200, page, { forms: 'any' });
}

/** The plants that can be ticked: those that the account owns, not those shared with it. interface O71 */
export const grantablePlants = (
  db: Db,
  accountId: string,
): Promise<readonly { readonly id: string; readonly name: string }[]> =>
  listPlants(
    db,
    { reach: { accountId, levels: ['owner'], plantIds: null } },
    { pageNo: 1, pageSize: PLANTS_LISTED },
  );
