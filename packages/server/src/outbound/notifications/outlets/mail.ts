import type { Clock } from '../../../platform/kernel/clock.ts';
import { readMailbox } from '../../../platform/kernel/addresses/mailbox.ts';
import type { Logger } from '../../../platform/kernel/logger.ts';
import type { SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';
import type { LaneHandler } from '../../../platform/work/lane.ts';
import type { Letter } from '../../../identity/mail/letter.ts';
import { MailRefused, type Smtp } from '../../../identity/mail/smtp.ts';
import { HEALTHY } from '../../delivery/health.ts';
import { next, type DeliveryState } from '../../delivery/machine.ts';
import { MAILS, type Random } from '../../delivery/schedule.ts';

/** What became of an e-mail: `withheld` because the account was disabled, `expired` because it was of no use any more. */
export const mailOutcomes = ['sent', 'refused', 'withheld', 'expired'] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

export interface MailDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly smtp: Smtp;
  readonly logger: Pick<Logger, 'warn'>;
  readonly random?: Random;
  onOutcome(outcome: MailOutcome): void;
}

const FAULT_LENGTH_AT_MOST = 300;

/**
 * Sends an e-mail, and tries again until it was sent, was refused for good or has expired. It is sent twice only if this process ends, or loses its
 * lease, between the server's last reply and our commit: SMTP has no transactions (RFC 5321 6.1).
 */
export const createMailDelivery = (deps: MailDeps): LaneHandler => ({
  async run({ key: id, failures, transaction, finish }) {
    const { db, clock, random = Math.random, onOutcome } = deps;
    const mail = await findMail(db, id);
    if (!mail) return;
    const end = async (outcome: MailOutcome): Promise<void> => {
      await finish(
        async (trx) => void (await trx.deleteFrom('mail').where('id', '=', id).execute()),
      );
      onOutcome(outcome);
    };
    if (mail.disabledAt !== null) return end('withheld');
    if (mail.expiresAt <= clock.now()) return end('expired');
    // Fails if another instance has taken over the task.
    await transaction(async () => {});
    const sent = await send(deps, id, mail);
    if (typeof sent === 'string') return end(sent);
    const { waiting, dead } = next(stateOf(id, failures), {
      is: 'stuck',
      key: id,
      head: {},
      beyond: null,
      outcome: { kind: 'failed', reason: sent.fault },
      schedule: MAILS,
      endsAt: mail.expiresAt,
      at: clock.now(),
      chance: random(),
    });
    if (dead) return end('expired');
    await finish(async (trx) => {
      await trx.updateTable('mail').set({ fault: sent.fault }).where('id', '=', id).execute();
      return { dueAt: waiting!.get(id)!.nextAt, hasFailed: true };
    });
  },
});

/** Each e-mail waits for itself: the server is one for all, and says of each what is wrong. */
const stateOf = (id: string, attempts: number): DeliveryState<object> => ({
  health: HEALTHY,
  waiting: new Map([[id, { attempts, nextAt: 0, reason: '', excerpt: null }]]),
});

async function send(
  { secretBox, smtp, logger }: MailDeps,
  id: string,
  mail: { readonly address: string; readonly letter: Uint8Array },
): Promise<'sent' | 'refused' | { readonly fault: string }> {
  const letter = JSON.parse(secretBox.open(mail.letter, id)) as Letter;
  try {
    const address = readMailbox(mail.address);
    if (address === undefined) throw new MailRefused('the address is not a single mailbox');
    await smtp.send({ id, address, letter });
    return 'sent';
  } catch (err) {
    const isFinal = err instanceof MailRefused;
    logger.warn(
      { err, mail: id },
      isFinal ? 'an e-mail was refused for good' : 'an e-mail could not be sent yet',
    );
    if (isFinal) return 'refused';
    return { fault: err instanceof Error ? err.message.slice(0, FAULT_LENGTH_AT_MOST) : 'unknown' };
  }
}

const findMail = (db: Db, id: string) =>
  db
    .selectFrom('mail')
    .leftJoin('account', 'account.id', 'mail.accountId')
    .select(['mail.address', 'mail.letter', 'mail.expiresAt', 'account.disabledAt'])
    .where('mail.id', '=', id)
    .executeTakeFirst();
