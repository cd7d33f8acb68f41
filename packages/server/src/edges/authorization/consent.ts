import type { FastifyReply } from 'fastify';
import { recordAudit } from '../../accounts/audit.ts';
import type { Session } from '../../accounts/sessions.ts';
import { consumeTicket } from '../../oauth/consent-tickets.ts';
import { recordConsent } from '../../oauth/grants.ts';
import { OauthRefusal } from '../../oauth/refusal.ts';
import { readScopes, scopeText } from '../../oauth/scopes.ts';
import type { Db } from '../../storage/database.ts';
import { redirect, redirectWithCode } from './authorization-response.ts';
import { codeFor, ownPlants, showConsent, type Visit } from './authorize.ts';
import { actOf } from './deps.ts';
import type { Form } from './form.ts';

/** POST /oauth/consent: the owner's decision, once per page that was shown. */
export async function answerConsent(visit: Visit, form: Form): Promise<FastifyReply> {
  const { deps, browser } = visit;
  const { session } = browser;
  if (!session) return redirect(visit.reply, `authorize?${browser.rawQuery}`);
  if (form.get('decision') === 'approve') return approve(visit, session, form);
  await deps.db.transaction().execute(async (trx) => {
    await consume(trx, visit, session, form);
    const { application, scopes } = visit.authorization;
    await recordAudit(trx, actOfOwner(visit, session), {
      kind: 'grant.denied',
      accountId: session.accountId,
      data: { applicationId: application.id, asked: scopeText(scopes) },
    });
  });
  throw new OauthRefusal('accessDenied');
}

async function approve(visit: Visit, session: Session, form: Form): Promise<FastifyReply> {
  const { deps, authorization } = visit;
  const { application, scopes: asked } = authorization;
  const approved = (readScopes(form.all('scope').join(' ')) ?? 0) & asked;
  const plantIds = form.get('plants') === 'all' ? null : await ticked(deps.db, session, form);
  const fault = approved === 0 ? 'noScope' : plantIds?.length === 0 ? 'noPlant' : undefined;
  const code = await deps.db.transaction().execute(async (trx) => {
    await consume(trx, visit, session, form);
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
  return code === undefined ? showConsent(visit, session, { scopes: approved, plantIds, fault: fault! }) : redirectWithCode(visit, code);
}

// The first write of the transaction, so that of two submissions one finds it gone. interface O20
async function consume(trx: Db, { deps, browser }: Visit, session: Session, form: Form): Promise<void> {
  const use = { sessionHash: session.hash, request: browser.request };
  if (!(await consumeTicket(trx, deps.clock.now(), form.get('ticket') ?? '', use))) throw new OauthRefusal('pageExpired');
}

// What is not the owner's cannot be ticked, whatever the form says.
async function ticked(db: Db, session: Session, form: Form): Promise<string[]> {
  const wanted = new Set(form.all('plant'));
  return (await ownPlants(db, session.accountId)).flatMap(({ id }) => (wanted.has(id) ? id : []));
}

const actOfOwner = ({ deps, request }: Visit, session: Session) => actOf(deps, request, `account:${session.accountId}`);
