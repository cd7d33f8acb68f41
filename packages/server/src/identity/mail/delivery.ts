import type { Clock } from '../../platform/kernel/clock.ts';
import { readMailbox } from '../../platform/kernel/addresses/mailbox.ts';
import type { Logger } from '../../platform/kernel/logger.ts';
import type { SecretBox } from '../../platform/kernel/secrets.ts';
import type { Db } from '../../platform/storage/database.ts';
import type { Handler } from '../../platform/work/lane.ts';
import type { Letter } from './letter.ts';
import { MailRefused, type Smtp } from './smtp.ts';

/** What became of an e-mail: `withheld` because the account was disabled, `expired` because it was of no use any more. */
export const mailOutcomes = ['sent', 'refused', 'withheld', 'expired'] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

interface DeliveryDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly secretBox: SecretBox;
  readonly smtp: Smtp;
  readonly logger: Pick<Logger, 'warn'>;
  onOutcome(outcome: MailOutcome): void;
}

/**
 * Sends an e-mail, and tries again until it was sent, was refused for good or has expired. It is sent twice only if this process ends, or loses its
 * lease, between the server's last reply and our commit: SMTP has no transactions (RFC 5321 6.1).
 */
export const createDelivery = ({
  db,
  clock,
  secretBox,
  smtp,
  logger,
  onOutcome,
}: DeliveryDeps): Handler => ({
  async run({ key: id, transaction, finish }) {
    const mail = await findMail(db, id);
    if (!mail) return;
    const outcome =
      mail.disabledAt !== null
        ? 'withheld'
        : mail.expiresAt <= clock.now()
          ? 'expired'
          : await send();
    await finish(async (trx) => void (await trx.deleteFrom('mail').where('id', '=', id).execute()));
    onOutcome(outcome);

    async function send(): Promise<MailOutcome> {
      const letter = JSON.parse(secretBox.open(mail!.letter, id)) as Letter;
      try {
        // Fails if another instance has taken over the task.
        await transaction(async () => {});
        const address = readMailbox(mail!.address);
        if (address === undefined) throw new MailRefused('the address is not a single mailbox');
        await smtp.send({ id, address, letter });
        return 'sent';
      } catch (error) {
        if (error instanceof MailRefused) {
          logger.warn({ err: error, mail: id }, 'an e-mail was refused for good');
          return 'refused';
        }
        const fault =
          error instanceof Error ? error.message.slice(0, FAULT_LENGTH_AT_MOST) : 'unknown';
        await transaction(
          async (trx) =>
            void (await trx.updateTable('mail').set({ fault }).where('id', '=', id).execute()),
        );
        throw error;
      }
    }
  },
});

const FAULT_LENGTH_AT_MOST = 300;

const findMail = (db: Db, id: string) =>
  db
    .selectFrom('mail')
    .leftJoin('account', 'account.id', 'mail.accountId')
    .select(['mail.address', 'mail.letter', 'mail.expiresAt', 'account.disabledAt'])
    .where('mail.id', '=', id)
    .executeTakeFirst();
