import type { Language } from '@helioport/contract';
import type { Selectable } from 'kysely';
import { findAccount, type Account } from '../../../identity/accounts/accounts.ts';
import { recordAudit, type Act } from '../../../identity/accounts/audit.ts';
import type { Db, NewsSettingTable } from '../../../platform/storage/database.ts';
import { listOf } from '../../../platform/storage/json-list.ts';
import { nextMonday, nextMorning } from '../mornings.ts';

/** What an account wants to be notified of, and when not. */
export interface NotificationSettings {
  readonly alarmsByMail: boolean;
  readonly weeklyByMail: boolean;
  /** Whether settings that others changed are sent the next morning. */
  readonly changesByMail: boolean;
  /** 1 tip, 2 general, 3 emergency. */
  readonly minLevel: number;
  /** null = all plants that the account may see. */
  readonly plantIds: readonly string[] | null;
  /** Minutes of the day on the account's wall clock. If the end is before the beginning, it is on the next day. */
  readonly quiet: { readonly from: number; readonly to: number } | null;
  /** Whether emergencies are sent in quiet hours too. */
  readonly urgentPasses: boolean;
  /** Whether webhooks have quiet hours too. */
  readonly webhooksQuiet: boolean;
  readonly language: Language;
}

/** Those of an account that has set none: nothing is sent unasked. */
export const NO_NOTIFICATIONS: NotificationSettings = {
  alarmsByMail: false,
  weeklyByMail: false,
  changesByMail: false,
  minLevel: 2,
  plantIds: null,
  quiet: null,
  urgentPasses: true,
  webhooksQuiet: false,
  language: 'en',
};

export const settingsOf = (
  row: Selectable<NewsSettingTable> & Pick<Account, 'language'>,
): NotificationSettings => ({
  alarmsByMail: row.alarmsByMail === 1,
  weeklyByMail: row.weeklyByMail === 1,
  changesByMail: row.changesAt !== null,
  minLevel: row.minLevel,
  plantIds: listOf(row.plantIds),
  quiet:
    row.quietFrom === null || row.quietTo === null
      ? null
      : { from: row.quietFrom, to: row.quietTo },
  urgentPasses: row.urgentPasses === 1,
  webhooksQuiet: row.webhooksQuiet === 1,
  language: row.language ?? NO_NOTIFICATIONS.language,
});

export async function findSettings(db: Db, accountId: string): Promise<NotificationSettings> {
  const row = await db
    .selectFrom('newsSetting')
    .selectAll()
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  const language = (await findAccount(db, accountId))?.language ?? NO_NOTIFICATIONS.language;
  return row ? settingsOf({ ...row, language }) : { ...NO_NOTIFICATIONS, language };
}

/** Replaces what an account wants. */
export async function setSettings(
  trx: Db,
  act: Act,
  { id: accountId, timeZone }: Account,
  settings: Omit<NotificationSettings, 'language'>,
): Promise<void> {
  const {
    alarmsByMail,
    weeklyByMail,
    changesByMail,
    minLevel,
    plantIds,
    quiet,
    urgentPasses,
    webhooksQuiet,
  } = settings;
  const row = {
    alarmsByMail: alarmsByMail ? (1 as const) : (0 as const),
    weeklyByMail: weeklyByMail ? (1 as const) : (0 as const),
    minLevel,
    plantIds: plantIds && JSON.stringify(plantIds),
    quietFrom: quiet?.from ?? null,
    quietTo: quiet?.to ?? null,
    urgentPasses: urgentPasses ? (1 as const) : (0 as const),
    webhooksQuiet: webhooksQuiet ? (1 as const) : (0 as const),
    weeklyAt: weeklyByMail ? nextMonday(timeZone, act.at) : null,
    changesAt: changesByMail ? nextMorning(timeZone, act.at) : null,
  };
  // What was changed before somebody wants to know is not sent.
  const changesAfter = act.at;
  await trx
    .insertInto('newsSetting')
    .values({ accountId, notifiedAt: null, changesAfter, ...row })
    .onConflict((conflict) =>
      conflict.column('accountId').doUpdateSet((eb) => ({
        ...row,
        changesAfter: eb
          .case()
          .when('newsSetting.changesAt', 'is', null)
          .then(eb.ref('excluded.changesAfter'))
          .else(eb.ref('newsSetting.changesAfter'))
          .end(),
      })),
    )
    .execute();
  await recordAudit(trx, act, {
    kind: 'news.set',
    accountId,
    data: { alarmsByMail, weeklyByMail, changesByMail, minLevel, plantIds },
  });
}

/** Gives an account the settings that it would have without any, so that it can be found by them. */
export async function ensureSettings(trx: Db, accountId: string): Promise<void> {
  const { minLevel } = NO_NOTIFICATIONS;
  await trx
    .insertInto('newsSetting')
    .values({
      accountId,
      alarmsByMail: 0,
      weeklyByMail: 0,
      minLevel,
      plantIds: null,
      quietFrom: null,
      quietTo: null,
      urgentPasses: 1,
      webhooksQuiet: 0,
      weeklyAt: null,
      changesAt: null,
      changesAfter: null,
      notifiedAt: null,
    })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute();
}
