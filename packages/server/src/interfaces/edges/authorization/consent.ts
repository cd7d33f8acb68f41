import type { FastifyReply } from 'fastify';
import { recordAudit } from '../../../identity/accounts/audit.ts';
import type { Once } from '../../../identity/accounts/once.ts';
import type { Session } from '../../../identity/accounts/sessions.ts';
import { onceByTicket } from '../../../identity/oauth/consent/consent-tickets.ts';
import { recordConsent } from '../../../identity/oauth/grants.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { readScopes, scopeText } from '../../../identity/oauth/scopes.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { redirect, redirectWithCode } from './authorization-response.ts';
import { codeFor, ownPlants, showConsent } from './authorize.ts';
import type { Visit } from './visit.ts';
import { actOf } from './deps.ts';
import type { Form } from './form.ts';

/** POST /oauth/consent: the owner's decision, accepted once for each page that was shown. */
export async function answerConsent(visit: Visit, form: Form): Promise<FastifyReply> {
  const { deps, browser } = visit;
  const { session } = browser;
  if (!session) return redirect(visit.reply, `authorize?${browser.rawQuery}`);
  // interface O20
  const once = onceByTicket(deps.clock.now(), form.get('ticket') ?? '', {
    sessionHash: session.hash,
    request: browser.request,
  });
  if (form.get('decision') === 'approve') return approve(visit, session, form, once);
  await deps.db.transaction().execute(async (trx) => {
    await once(trx);
    const { application, scopes } = visit.authorization;
    await recordAudit(trx, actOfOwner(visit, session), {
      kind: 'grant.denied',
      accountId: session.accountId,
      data: { applicationId: application.id, asked: scopeText(scopes) },
    });
  });
  throw new OauthRefusal('accessDenied');
}

async function approve(
  visit: Visit,
  session: Session,
  form: Form,
  once: Once,
): Promise<FastifyReply> {
  const { deps, authorization } = visit;
  const { application, scopes: asked } = authorization;
  const approved = (readScopes(form.all('scope').join(' ')) ?? 0) & asked;
  const plantIds = form.get('plants') === 'all' ? null : await ticked(deps.db, session, form);
  const fault = approved === 0 ? 'noScope' : plantIds?.length === 0 ? 'noPlant' : undefined;
  const code = await deps.db.transaction().execute(async (trx) => {
    await once(trx);
    if (fault) return undefined;
    const grantId = await recordConsent(trx, actOfOwner(visit, session), {
      accountId: session.accountId,
      applicationId: application.id,
      asked,
      approved,
      plantIds,
    });
    return codeFor(trx, visit, session, grantId, approved);
  });
  return code === undefined
    ? showConsent(visit, session, { scopes: approved, plantIds, fault: fault! })
    : redirectWithCode(visit, code);
}

// Plants of other owners cannot be ticked, even if the form names them.
async function ticked(db: Db, session: Session, form: Form): Promise<string[]> {
  const wanted = new Set(form.all('plant'));
  return (await ownPlants(db, session.accountId)).flatMap(({ id }) => (wanted.has(id) ? id : []));
}

const actOfOwner = ({ deps, request }: Visit, session: Session) =>
  actOf(deps, request, `account:${session.accountId}`);
