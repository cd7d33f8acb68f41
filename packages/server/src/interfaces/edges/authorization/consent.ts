import type { FastifyReply } from 'fastify';
import { recordAudit } from '../../../identity/accounts/audit.ts';
import type { HeldSession, Session } from '../../../identity/accounts/sessions.ts';
import { decideOnce } from '../../../identity/oauth/consent/consent-tickets.ts';
import { recordConsent } from '../../../identity/oauth/grants.ts';
import { OauthRefusal } from '../../../identity/oauth/refusal.ts';
import { readScopes, scopeText } from '../../../identity/oauth/scopes.ts';
import type { Db } from '../../../platform/storage/database.ts';
import { redirect, redirectWithCode } from './authorization-response.ts';
import { codeFor, grantablePlants, showConsent } from './authorize.ts';
import type { Visit } from './visit.ts';
import { visitorActOf } from './deps.ts';
import type { Form } from './form.ts';

/** POST /oauth/consent: the owner's decision, carried out once for each page that was shown. */
export async function answerConsent(visit: Visit, form: Form): Promise<FastifyReply> {
  const { browser } = visit;
  const { session } = browser;
  if (!session) return redirect(visit.reply, `authorize?${browser.rawQuery}`);
  if (form.get('decision') === 'approve') return approve(visit, session, form);
  await decide(visit, session, form, ['deny'], async (trx) => {
    const { application, scopes } = visit.authorization;
    await recordAudit(trx, actOfOwner(visit, session), {
      kind: 'grant.denied',
      accountId: session.accountId,
      data: { applicationId: application.id, asked: scopeText(scopes) },
    });
    return undefined;
  });
  throw new OauthRefusal('accessDenied');
}

async function approve(visit: Visit, session: Session, form: Form): Promise<FastifyReply> {
  const { deps, authorization } = visit;
  const { application, scopes: asked } = authorization;
  const approved = (readScopes(form.all('scope').join(' ')) ?? 0) & asked;
  const plantIds = form.get('plants') === 'all' ? null : await ticked(deps.db, session, form);
  const fault = approved === 0 ? 'noScope' : plantIds?.length === 0 ? 'noPlant' : undefined;
  const code = await decide(
    visit,
    session,
    form,
    ['approve', approved, plantIds],
    async (trx, held) => {
      if (fault) return undefined;
      const grantId = await recordConsent(trx, actOfOwner(visit, session), {
        accountId: session.accountId,
        applicationId: application.id,
        asked,
        approved,
        plantIds,
      });
      return codeFor(trx, visit, held, grantId, approved);
    },
  );
  return code === undefined
    ? showConsent(visit, session, { scopes: approved, plantIds, fault: fault! })
    : redirectWithCode(visit, code);
}

// interface O20
const decide = (
  { deps, browser }: Visit,
  session: Session,
  form: Form,
  decision: readonly unknown[],
  carryOut: (trx: Db, held: HeldSession) => Promise<string | undefined>,
): Promise<string | undefined> =>
  decideOnce(
    { db: deps.db, secretBox: deps.factors.secretBox },
    deps.clock.now(),
    {
      ticket: form.get('ticket') ?? '',
      session,
      request: browser.request,
      decision: JSON.stringify(decision),
    },
    carryOut,
  );

// Plants of other owners cannot be ticked, even if the form names them.
async function ticked(db: Db, session: Session, form: Form): Promise<string[]> {
  const wanted = new Set(form.all('plant'));
  return (await grantablePlants(db, session.accountId)).flatMap(({ id }) =>
    wanted.has(id) ? id : [],
  );
}

const actOfOwner = ({ deps, request }: Visit, session: Session) =>
  visitorActOf(deps, request, `account:${session.accountId}`);
