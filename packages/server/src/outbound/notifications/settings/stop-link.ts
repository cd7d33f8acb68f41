import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import { LINK_IN_MAIL, type SecretBox } from '../../../platform/kernel/secrets.ts';
import type { Db } from '../../../platform/storage/database.ts';

/** The e-mails that a link stops. */
export const stoppable = ['alarms', 'weekly', 'changes'] as const;
export type Stoppable = (typeof stoppable)[number];

interface Stop {
  readonly accountId: string;
  readonly what: Stoppable;
}

/** Path of the pages that stop e-mails, below the address of the portal. */
export const STOP_PATH = '/portal/stop';

/** The link in an e-mail with which its reader stops such e-mails, without signing in. It works for as long as the account is there. RFC 8058 */
export const stopUrlOf = (portalUrl: string, box: SecretBox, stop: Stop): string =>
  `${portalUrl}${STOP_PATH}?token=${box.seal(JSON.stringify([stop.accountId, stop.what]), LINK_IN_MAIL).toString('base64url')}`;

/** What a token stops; undefined if it is none of ours. */
export function readStop(box: SecretBox, token: string): Stop | undefined {
  try {
    const [accountId, what] = JSON.parse(
      box.open(Buffer.from(token, 'base64url'), LINK_IN_MAIL),
    ) as [string, Stoppable];
    return { accountId, what };
  } catch {
    return undefined;
  }
}

/** Switches the e-mails off; if they are off already, nothing changes. */
export async function stopMails(
  trx: Db,
  act: Omit<Act, 'actor'>,
  { accountId, what }: Stop,
): Promise<void> {
  const mails = trx.updateTable('newsSetting').where('accountId', '=', accountId);
  const stopped = {
    alarms: mails.set({ alarmsByMail: 0 }).where('alarmsByMail', '=', 1),
    weekly: mails.set({ weeklyByMail: 0, weeklyAt: null }).where('weeklyByMail', '=', 1),
    changes: mails.set({ changesAt: null }).where('changesAt', 'is not', null),
  };
  const { numUpdatedRows } = await stopped[what].executeTakeFirst();
  if (numUpdatedRows > 0n)
    await recordAudit(
      trx,
      { ...act, actor: `account:${accountId}` },
      { kind: 'news.stopped', accountId, data: { what } },
    );
}
