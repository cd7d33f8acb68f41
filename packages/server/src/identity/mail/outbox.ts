import type { SecretBox } from '../../platform/kernel/secrets.ts';
import type { IdSource } from '../../platform/kernel/ids.ts';
import type { Db, Instant } from '../../platform/storage/database.ts';
import { armTasks } from '../../platform/work/arm.ts';
import type { Letter } from './letter.ts';

/** The kind of work that sends an e-mail; the key of a task is the e-mail's id. */
export const SEND_MAIL = 'sendMail';

export interface NewMail {
  /** The account that gets it; null = somebody without one. E-mails of a disabled account are not sent. */
  readonly accountId: string | null;
  readonly address: string;
  readonly letter: Letter;
  /** After this time, the e-mail is of no use and is not sent. */
  readonly expiresAt: Instant;
}

/** Where e-mails wait until a worker has sent them. There is none if the operator has set no SMTP server. */
export interface Outbox {
  /** Queues an e-mail; it is sent once the transaction has committed. */
  post(trx: Db, now: Instant, mail: NewMail): Promise<void>;
}

export const createOutbox = ({
  ids,
  secretBox,
}: {
  ids: IdSource;
  secretBox: SecretBox;
}): Outbox => ({
  async post(trx, now, { letter, ...mail }) {
    const id = ids();
    await trx
      .insertInto('mail')
      .values({ id, ...mail, letter: secretBox.seal(JSON.stringify(letter), id), createdAt: now })
      .execute();
    await armTasks(trx, SEND_MAIL, [id], now);
  },
});

/** What waits in the outbox. */
export interface OutboxState {
  readonly waiting: number;
  /** When the oldest e-mail was queued; null = none waits. */
  readonly oldestAt: Instant | null;
  /** Why an attempt failed, the latest e-mail's; null if none did. */
  readonly fault: string | null;
}

export async function readOutbox(db: Db): Promise<OutboxState> {
  const { waiting, oldestAt } = await db
    .selectFrom('mail')
    .select((eb) => [
      eb.fn.countAll<number | string>().as('waiting'),
      eb.fn.min<number | null>('createdAt').as('oldestAt'),
    ])
    .executeTakeFirstOrThrow();
  const failed = await db
    .selectFrom('mail')
    .select('fault')
    .where('fault', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { waiting: Number(waiting), oldestAt, fault: failed?.fault ?? null };
}
