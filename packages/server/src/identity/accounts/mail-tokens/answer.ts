import type { Selectable } from 'kysely';
import type { Clock } from '../../../platform/kernel/clock.ts';
import { Failure } from '../../../platform/kernel/failure.ts';
import type { IdSource } from '../../../platform/kernel/ids.ts';
import type { Outbox } from '../../mail/outbox.ts';
import type { Db, Instant, MailTokenRequestTable } from '../../../platform/storage/database.ts';
import type { Handler } from '../../../platform/work/lane.ts';
import { findAccountByEmail, type Account } from '../accounts.ts';
import { recordAudit } from '../audit.ts';
import { hasAccountLetter, signUpLetter } from './letters.ts';
import { sendResetLink } from './send-reset-link.ts';
import { admitMail, issueMailToken, MAIL_TOKEN_MS, type MailTokenPurpose } from './tokens.ts';

interface AnswerDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly outbox: Outbox;
  readonly portalUrl: string;
}

/** Answers requests for links. */
export const createMailTokenAnswers = (deps: AnswerDeps): Handler => ({
  async run({ key: id, finish }) {
    const now = deps.clock.now();
    await finish(async (trx) => {
      const request = await trx
        .deleteFrom('mailTokenRequest')
        .where('id', '=', id)
        .returningAll()
        .executeTakeFirst();
      // Nobody waits for what lay about for so long.
      if (request && request.createdAt > now - MAIL_TOKEN_MS) await answer(trx, deps, now, request);
    });
  },
});

async function answer(
  trx: Db,
  deps: AnswerDeps,
  now: Instant,
  request: Selectable<MailTokenRequestTable>,
): Promise<void> {
  const account = await findAccountByEmail(trx, request.email);
  if (request.purpose === 'signUp') await answerSignUp(trx, deps, now, request, account);
  else if (account) await answerReset(trx, deps, now, request, account);
}

type Request = Selectable<MailTokenRequestTable>;

async function answerReset(
  trx: Db,
  { ids, outbox, portalUrl }: AnswerDeps,
  now: Instant,
  { language, address }: Request,
  account: Account,
): Promise<void> {
  if (account.disabledAt !== null || !(await mayGetMail(trx, now, 'reset', account.email))) return;
  await sendResetLink(trx, now, { outbox, portalUrl }, account, language);
  await recordAudit(
    trx,
    { at: now, actor: 'service', address, newId: ids },
    { kind: 'account.resetSent', accountId: account.id },
  );
}

/** A person who has an account already learns that by e-mail alone. */
async function answerSignUp(
  trx: Db,
  { outbox, portalUrl }: AnswerDeps,
  now: Instant,
  request: Request,
  account: Account | undefined,
): Promise<void> {
  const { email, language } = request;
  if ((account && account.disabledAt !== null) || !(await mayGetMail(trx, now, 'signUp', email)))
    return;
  const letter = account
    ? hasAccountLetter(account.language ?? language, portalUrl)
    : signUpLetter(
        language,
        `${portalUrl}/sign-up#${await issueMailToken(trx, now, 'signUp', email)}`,
      );
  await outbox.post(trx, now, {
    accountId: account?.id ?? null,
    address: email,
    letter,
    expiresAt: now + MAIL_TOKEN_MS,
  });
}

const mayGetMail = (
  trx: Db,
  now: Instant,
  purpose: MailTokenPurpose,
  email: string,
): Promise<boolean> =>
  admitMail(trx, now, purpose, email).then(
    () => true,
    (error: unknown) => {
      if (error instanceof Failure) return false;
      throw error;
    },
  );
