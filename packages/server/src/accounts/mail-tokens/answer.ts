import type { Selectable } from 'kysely';
import type { Clock } from '../../kernel/clock.ts';
import { Failure } from '../../kernel/failure.ts';
import type { IdSource } from '../../kernel/ids.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Db, Instant, MailTokenRequestTable } from '../../storage/database.ts';
import type { Handler } from '../../work/lane.ts';
import { findAccountByEmail } from '../accounts.ts';
import { recordAudit } from '../audit.ts';
import { admitAttempt, forgetAttempts, type Allowance } from '../factors/code-throttle.ts';
import { resetLetter } from './letters.ts';
import { issueMailToken, MAIL_TOKEN_MS, type MailTokenPurpose } from './tokens.ts';

interface AnswerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly outbox: Outbox;
  readonly portalUrl: string;
}

/**
 * How many e-mails an address gets, whoever asks for them. Whoever is refused has got one within the last hour, whose link still works: so strangers
 * neither fill an inbox nor keep its owner from a link.
 */
const TO_ADDRESS: Allowance = { atOnce: 3, intervalMs: MAIL_TOKEN_MS };

const nameOf = (purpose: MailTokenPurpose, email: string): [string, ...string[]] => ['mail token', purpose, email];

/** Forgets the e-mails that an address has got, once a link was followed. */
export const forgetMailTokens = (trx: Db, purpose: MailTokenPurpose, email: string): Promise<unknown> => forgetAttempts(trx, ...nameOf(purpose, email));

/** Answers requests for links: an address with an account gets an e-mail, any other gets nothing. */
export const createMailTokenAnswers = (deps: AnswerDeps): Handler => ({
  async run({ key: id, finish }) {
    const now = deps.clock.now();
    await finish(async (trx) => {
      const request = await trx.deleteFrom('mailTokenRequest').where('id', '=', id).returningAll().executeTakeFirst();
      // Nobody waits for what lay about for so long.
      if (request && request.createdAt > now - MAIL_TOKEN_MS) await answer(trx, deps, now, request);
    });
  },
});

async function answer(trx: Db, { ids, outbox, portalUrl }: AnswerDeps, now: Instant, request: Selectable<MailTokenRequestTable>): Promise<void> {
  const { purpose, email, language, address } = request;
  const account = await findAccountByEmail(trx, email);
  if (!account || account.disabledAt !== null || !(await mayGetMail(trx, now, purpose, email))) return;
  const token = await issueMailToken(trx, now, purpose, email);
  // A fragment stays in the browser: it is in no log of a proxy, and in no Referer.
  const letter = resetLetter(account.language ?? language, `${portalUrl}/reset#${token}`);
  await outbox.post(trx, now, { accountId: account.id, address: email, letter, expiresAt: now + MAIL_TOKEN_MS });
  await recordAudit(trx, { at: now, actor: 'service', address, newId: ids }, { kind: 'account.resetSent', accountId: account.id });
}

const mayGetMail = (trx: Db, now: Instant, purpose: MailTokenPurpose, email: string): Promise<boolean> =>
  admitAttempt(trx, now, TO_ADDRESS, ...nameOf(purpose, email)).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false;
      throw error;
    },
  );
